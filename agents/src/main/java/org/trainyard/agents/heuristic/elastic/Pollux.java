package org.trainyard.agents.heuristic.elastic;

import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/**
 * Elastic: every minute GPUs are dealt out so that the harmonic mean of all speed-ups over an equal part of the cluster is large.
 *
 * <p>Source: A. Qiao, S. K. Choe, S. J. Subramanya, W. Neiswanger, Q. Ho, H. Zhang, G. R. Ganger, E. P. Xing: Pollux: co-adaptive cluster
 * scheduling for goodput-optimized deep learning, OSDI 2021, fitness with power mean p = -1. Our deviations: (1) jobs keep their global batch,
 * as in this simulator, so statistical efficiency is the same everywhere and goodput is throughput; (2) GPUs are dealt out one by one to who
 * adds most to the mean, instead of by a genetic search; (3) throughput is the analytic one, not fitted online; (4) a restart is not a factor
 * on the speed-up: a job only grows when that saves more than it costs; (5) running jobs are not stopped for newcomers. A job that is not
 * elastic keeps its GPUs.
 */
public final class Pollux {
    /** Time between two deals, of its paper, seconds. */
    public static final double DEFAULT_ROUND_SECONDS = 60;
    /** What a change of GPUs is reckoned to cost a job, of its paper, seconds. */
    public static final double DEFAULT_RESTART_SECONDS = 30;

    private Pollux() {}

    /** It, with the knobs above. */
    public static Scheduler on(Topology topology) {
        ElasticRounds.Settings settings = new ElasticRounds.Settings(DEFAULT_ROUND_SECONDS, DEFAULT_RESTART_SECONDS);
        return new ElasticRounds(settings, Pollux::inverseSaved, topology);
    }

    /** How much the inverse of the speed-up shrinks: the harmonic mean is the number of jobs over the sum of these. */
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
