package org.trainyard.agents.heuristic.slurm;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.trainyard.agents.heuristic.slurm.configuration.Qos;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmPartition;
import org.trainyard.agents.heuristic.slurm.configuration.TresLimits;

/** What running jobs hold of licences and of the limits of QOS and associations, and whether a job may start. */
final class AccountingLimits {
    private final boolean enforced;
    private final SlurmCluster cluster;
    /** What limits from outside Slurm say of a job that would start. */
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
            String qos = job.request().qos().name();
            add(qos, job, sign);
            add(qos + "/user/" + job.request().user(), job, sign);
            add(qos + "/account/" + job.association.account(), job, sign);
            if (!job.partition.qos().isEmpty()) {
                add("partition/" + job.partition.name(), job, sign);
            }
        }
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
        if (!enforced || !outside.test(job)) {
            return outside.test(job);
        }
        Qos qos = job.request().qos();
        long wall = qos.maxSeconds();
        return (wall < 0 || job.limitSeconds(in) <= wall)
                && job.association.allows(job.gpus(), job.cpus(), job.nodes())
                && allow(qos.job(), "", job)
                && allow(qos.group(), qos.name(), job)
                && allow(qos.user(), qos.name() + "/user/" + job.request().user(), job)
                && allow(qos.account(), qos.name() + "/account/" + job.association.account(), job)
                && (in.qos().isEmpty() || allow(cluster.qos(in.qos()).group(), "partition/" + in.name(), job));
    }

    private boolean allow(TresLimits limits, String key, SlurmJob job) {
        return limits.equals(TresLimits.NONE)
                || limits.allow(held.getOrDefault(key, new TresLimits.Held()), job.gpus(), job.cpus(), job.nodes());
    }
}
