package org.trainyard.agents.heuristic.slurm;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.configuration.PartitionBounds;
import org.trainyard.agents.heuristic.slurm.configuration.Qos;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmPartition;
import org.trainyard.agents.heuristic.slurm.configuration.TresLimits;

/** Licences and limits of QOS and associations that running jobs hold, and whether a job may start. */
final class AccountingLimits {
    private static final String PARTITION = "partition/";
    private static final String USER = "/user/";
    private static final String ACCOUNT = "/account/";
    private static final Qos NO_LIMITS = Qos.NORMAL;

    private final boolean enforced;
    private final SlurmCluster cluster;
    /** Whether limits from outside Slurm let a job start. */
    Predicate<SlurmJob> outside = job -> true;

    private final Map<String, TresLimits.Held> held = new HashMap<>();
    private final Map<String, Integer> licensesHeld = new HashMap<>();

    AccountingLimits(SlurmCluster cluster) {
        this.cluster = cluster;
        enforced = cluster.limited();
    }

    /** Counts a job that starts (+1) or ends (-1). */
    void hold(SlurmJob job, int sign) {
        job.association.hold(sign, job.gpus(), job.cpus(), job.nodes());
        job.request().licenses().forEach((name, count) -> licensesHeld.merge(name, sign * count, Integer::sum));
        if (enforced) {
            hold(job.request().qos().name(), job, sign);
            if (!job.partition.qos().isEmpty()) {
                hold(PARTITION + job.partition.name(), job, sign);
            }
        }
    }

    private void hold(String qos, SlurmJob job, int sign) {
        add(qos, job, sign);
        add(qos + USER + job.request().user(), job, sign);
        add(qos + ACCOUNT + job.account, job, sign);
    }

    private void add(String key, SlurmJob job, int sign) {
        held.computeIfAbsent(key, any -> new TresLimits.Held()).add(sign, job.gpus(), job.cpus(), job.nodes());
    }

    /** Whether as many licences are left as a job asks for, of those that the cluster counts. */
    boolean licensed(SlurmJob job) {
        for (Map.Entry<String, Integer> asked : job.request().licenses().entrySet()) {
            Integer all = cluster.licenses().get(asked.getKey());
            if (all != null && licensesHeld.getOrDefault(asked.getKey(), 0) + asked.getValue() > all) {
                return false;
            }
        }
        return true;
    }

    /** Whether a job may start in a partition. */
    boolean allow(SlurmJob job, SlurmPartition in) {
        return outside.test(job) && refusal(job, in, false) == null;
    }

    /**
     * Why a job may not start in a partition, in the words in which Slurm says why a job waits; null where it may.
     *
     * @param isAlone whether no other job runs, so that it never may
     */
    @Nullable String refusal(SlurmJob job, SlurmPartition in, boolean isAlone) {
        SlurmJob.Request request = job.request();
        Qos qos = request.qos();
        String ofPartition =
                in.bounds().refusal(job.askedSeconds, job.nodes(), request.cpusPerNode(), job.account, qos.name());
        if (ofPartition != null || !enforced) {
            return ofPartition;
        }
        Qos first = in.qos().isEmpty() ? Qos.NORMAL : cluster.qos(in.qos());
        long wall = first.maxSeconds() < 0 ? qos.maxSeconds() : first.maxSeconds();
        if (PartitionBounds.isLonger(job.askedSeconds, wall)) {
            return "QOSMaxWallDurationPerJobLimit";
        }
        if (PartitionBounds.isLonger(job.askedSeconds, job.association.maxSeconds())) {
            return "AssocMaxWallDurationPerJobLimit";
        }
        if (!job.association.allows(job.gpus(), job.cpus(), job.nodes(), isAlone)) {
            return "a limit of its association (AssocGrp..., AssocMax...)";
        }
        String ofFirst = refusal(first, NO_LIMITS, PARTITION + in.name(), job, isAlone);
        return ofFirst == null ? refusal(qos, first, qos.name(), job, isAlone) : ofFirst;
    }

    /** By a QOS, as far as another one, that of the partition, leaves it to that. */
    private @Nullable String refusal(Qos qos, Qos first, String key, SlurmJob job, boolean isAlone) {
        if (!allow(qos.job().unless(first.job()), "", "", job, true)) {
            return "QOSMaxTRES: the most of a job of its QOS";
        }
        if (!allow(qos.group().unless(first.group()), key, "", job, isAlone)) {
            return "QOSGrpTRES: the most of all jobs of its QOS";
        }
        if (!allow(qos.user().unless(first.user()), key + USER, job.request().user(), job, isAlone)) {
            return "QOSMaxTRESPerUser: the most of a user's jobs of its QOS";
        }
        return allow(qos.account().unless(first.account()), key + ACCOUNT, job.account, job, isAlone)
                ? null
                : "QOSMaxTRESPerAccount: the most of an account's jobs of its QOS";
    }

    private boolean allow(TresLimits limits, String kind, String whose, SlurmJob job, boolean isAlone) {
        if (limits.equals(TresLimits.NONE)) {
            return true;
        }
        TresLimits.Held holds =
                isAlone ? TresLimits.Held.NOTHING : held.getOrDefault(kind + whose, TresLimits.Held.NOTHING);
        return limits.allow(holds, job.gpus(), job.cpus(), job.nodes());
    }
}
