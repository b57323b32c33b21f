package org.trainyard.agents.heuristic.slurm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
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
        held(key).add(sign, job.gpus(), job.cpus(), job.nodes());
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
        return refusal(job, in, false) == null && outside.test(job);
    }

    /**
     * Why a job may not start in a partition, in the words in which Slurm says why a job waits; null where it may.
     *
     * @param isAlone whether no other job runs, so that it never may
     */
    @Nullable String refusal(SlurmJob job, SlurmPartition in, boolean isAlone) {
        Bounds bounds = job.bounds;
        if (bounds == null || bounds.partition != in.index() || bounds.askedSeconds != job.askedSeconds) {
            bounds = bounds(job, in);
            job.bounds = bounds;
        }
        if (bounds.never != null || !enforced) {
            return bounds.never;
        }
        if (!job.association.allows(job.gpus(), job.cpus(), job.nodes(), isAlone)) {
            return "a limit of its association (AssocGrp..., AssocMax...)";
        }
        for (Bound bound : bounds.each) {
            if (!bound.allows(job, isAlone)) {
                return bound.words;
            }
        }
        return null;
    }

    private Bounds bounds(SlurmJob job, SlurmPartition in) {
        SlurmJob.Request request = job.request();
        Qos qos = request.qos();
        Qos ofPartition = in.qos().isEmpty() ? Qos.NORMAL : cluster.qos(in.qos());
        boolean isOver = qos.isOverPartition();
        Qos first = isOver ? qos : ofPartition;
        Qos second = isOver ? ofPartition : qos;
        String never = in.bounds().refusal(job.askedSeconds, job.nodes(), request.cpusPerNode(), job.account, qos);
        long wall = first.maxSeconds() < 0 ? second.maxSeconds() : first.maxSeconds();
        if (never == null && enforced && PartitionBounds.isLonger(job.askedSeconds, wall)) {
            never = "QOSMaxWallDurationPerJobLimit";
        } else if (never == null
                && enforced
                && PartitionBounds.isLonger(job.askedSeconds, job.association.maxSeconds())) {
            never = "AssocMaxWallDurationPerJobLimit";
        }
        List<Bound> each = new ArrayList<>();
        if (enforced) {
            add(first, NO_LIMITS, isOver ? qos.name() : PARTITION + in.name(), job, each);
            add(second, first, isOver ? PARTITION + in.name() : qos.name(), job, each);
        }
        return new Bounds(in.index(), job.askedSeconds, never, each);
    }

    /** Adds those of a QOS, as far as another one, that of the partition, leaves them to it. */
    private void add(Qos qos, Qos first, String key, SlurmJob job, List<Bound> to) {
        String user = key + USER + job.request().user();
        add(qos.job().unless(first.job()), null, "QOSMaxTRES: the most of a job of its QOS", to);
        add(qos.group().unless(first.group()), key, "QOSGrpTRES: the most of all jobs of its QOS", to);
        add(qos.user().unless(first.user()), user, "QOSMaxTRESPerUser: the most of a user's jobs of its QOS", to);
        add(
                qos.account().unless(first.account()),
                key + ACCOUNT + job.account,
                "QOSMaxTRESPerAccount: the most of an account's jobs of its QOS",
                to);
    }

    private void add(TresLimits limits, @Nullable String key, String words, List<Bound> to) {
        if (!limits.equals(TresLimits.NONE)) {
            to.add(new Bound(limits, key == null ? TresLimits.Held.NOTHING : held(key), words));
        }
    }

    private TresLimits.Held held(String key) {
        return held.computeIfAbsent(key, any -> new TresLimits.Held());
    }

    /** The limits of a job in a partition; looked up once, for every cycle of the loops asks for them. */
    record Bounds(
            int partition, long askedSeconds, @Nullable String never, List<Bound> each) {
        Bounds {
            each = List.copyOf(each);
        }
    }

    /** A limit, what is held of it, and why a job waits for it. */
    private record Bound(TresLimits limits, TresLimits.Held held, String words) {
        boolean allows(SlurmJob job, boolean isAlone) {
            return limits.allow(isAlone ? TresLimits.Held.NOTHING : held, job.gpus(), job.cpus(), job.nodes());
        }
    }
}
