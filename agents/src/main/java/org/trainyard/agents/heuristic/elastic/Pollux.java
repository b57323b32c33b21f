package org.trainyard.agents.heuristic.elastic;

import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/**
 * Pollux: every minute GPUs are reallocated to maximise the harmonic mean of the speed-ups of all jobs over an equal share of the cluster.
 *
 * <p>Source: A. Qiao, S. K. Choe, S. J. Subramanya, W. Neiswanger, Q. Ho, H. Zhang, G. R. Ganger, E. P. Xing: Pollux: co-adaptive cluster
 * scheduling for goodput-optimized deep learning, OSDI 2021, fitness with power mean p = -1. Our deviations: (1) jobs keep their global
 * batch, as in this simulator, so statistical efficiency is constant and goodput is throughput; (2) GPUs are allocated greedily one by one,
 * instead of by a genetic search; (3) throughput is the analytic one, not fitted online; (4) a restart is not a factor on the speed-up: a
 * job only grows when that saves more time than it costs; (5) running jobs are not stopped for new ones. A job that is not elastic keeps
 * its GPUs.
 */
public final class Pollux {
    /** Time between two allocations, as in the paper, seconds. */
    static final double DEFAULT_ROUND_SECONDS = 60;
    /** Assumed cost of a change of GPUs, as in the paper, seconds. */
    static final double DEFAULT_RESTART_SECONDS = 30;

    private Pollux() {}

    /** Pollux with the constants above. */
    public static Scheduler on(Topology topology) {
        ElasticRounds.Settings settings = new ElasticRounds.Settings(DEFAULT_ROUND_SECONDS, DEFAULT_RESTART_SECONDS);
        return new ElasticRounds(settings, Pollux::inverseSaved, topology);
    }

    /** The decrease of the inverse speed-up: the harmonic mean is the number of jobs over the sum of these inverses. */
    private static double inverseSaved(SimView view, int job, ElasticSpeed speed, int gpus) {
        JobSpec spec = view.job(job);
        int jobs = Math.max(1, view.runningCount() + view.waitingCount());
        int equalPart = Math.max(
                spec.demand().minGpus(),
                Math.min(spec.demand().maxGpus(), view.topology().gpus() / jobs));
        double fair = speed.of(spec, Math.min(equalPart, view.topology().gpus()));
        return fair / speed.of(spec, gpus) - fair / speed.of(spec, gpus + 1);
    }
}
