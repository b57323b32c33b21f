package org.trainyard.agents.heuristic.slurm;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.trainyard.agents.heuristic.slurm.configuration.Association;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/**
 * Decayed usage of the associations of a Slurm at an instant, by the runs until then. Users of a simulation that begins
 * there keep their fair shares. What was used before the first of the runs is not known, and counts as nothing.
 */
public final class PastUsage {
    private static final double SECOND = 1e9;

    static final PastUsage NONE = new PastUsage();

    /**
     * A run of a job, which counts as usage of the job's user and account.
     *
     * @param startNanos start of the run, nanoseconds of simulated time
     * @param endNanos end of the run, or the instant of the usage where the job still runs
     */
    public record Run(JobSpec job, long startNanos, long endNanos) {}

    private record User(String account, String name) {}

    private final Map<User, Double> used = new HashMap<>();
    private final double second;

    private PastUsage() {
        second = Double.NEGATIVE_INFINITY;
    }

    /** O(runs). */
    PastUsage(SlurmFiles files, Topology topology, List<Run> runs, long nowNanos) {
        SlurmCluster cluster = files.on(topology);
        SlurmState state = new SlurmState(cluster);
        SimulatedJobs translation = new SimulatedJobs(topology, cluster);
        second = nowNanos / SECOND;
        double rate = -Math.log(cluster.priority().decayPerSecond());
        for (Run run : runs) {
            SlurmJob job =
                    state.job(translation.request(run.job, -1), run.job.terms().account(), null, 0);
            double from = second - run.startNanos / SECOND;
            double to = second - run.endNanos / SECOND;
            double seconds = rate == 0 ? from - to : (Math.exp(-rate * to) - Math.exp(-rate * from)) / rate;
            used.merge(
                    new User(job.association.account(), job.request().user()),
                    job.billing() * job.request().qos().usageFactor() * seconds,
                    Double::sum);
        }
    }

    /** The second until which it counts a run that began at another. */
    long countedUntil(long startSecond) {
        return Math.max(startSecond, (long) second);
    }

    /** Adds it to the usage of a cluster, decayed until a second. */
    void addTo(SlurmCluster cluster, long until) {
        double kept = Math.pow(cluster.priority().decayPerSecond(), Math.max(0, until - second));
        used.forEach((user, billingSeconds) -> {
            Association association = cluster.association(user.account, user.name);
            association.use(kept * billingSeconds);
        });
    }
}
