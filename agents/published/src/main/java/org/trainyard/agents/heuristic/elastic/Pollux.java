package org.trainyard.agents.heuristic.elastic;

import org.trainyard.env.RandomStreams;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.goodput.GoodputProfile;

/**
 * Pollux: every minute GPUs are reallocated to maximise the harmonic mean of the jobs' goodput over that on an equal
 * share of the cluster.
 *
 * <p>From the first job that adapts its batch ({@link org.trainyard.env.workload.ModelProfile#goodput}) on it allocates
 * by goodput, throughput times statistical efficiency at the best batch, with the genetic search of its authors
 * ({@link GoodputRounds}). Of other jobs neither batch nor gradient noise is known: their batch is assumed constant, so
 * that goodput is throughput. Where all jobs are such, GPUs are given one by one to the largest gain of the same mean
 * ({@link ElasticRounds}). A job that is not elastic keeps its number of GPUs.
 *
 * <p>Source: A. Qiao, S. K. Choe, S. J. Subramanya, W. Neiswanger, Q. Ho, H. Zhang, G. R. Ganger, E. P. Xing: Pollux:
 * co-adaptive cluster scheduling for goodput-optimized deep learning, OSDI 2021, fitness with power mean p = -1. With
 * this search and the rules of the simulator in its artifact the mean completion time of its eight workloads is that of
 * the authors to 0.2 %. Our deviations: (1) throughput and noise of a job are known once it has run, not measured and
 * fitted as it runs; (2) the search of {@link AllocationSearch}. For jobs with a constant batch: (3) the greedy
 * allocation; (4) a restart is not a factor on the speed-up: a job only grows when that saves more time than it costs;
 * (5) running jobs are not stopped for new ones.
 */
public final class Pollux implements Scheduler {
    /** Time between two allocations, as in the paper, seconds. */
    static final double DEFAULT_ROUND_SECONDS = 60;
    /** Assumed cost of a change of GPUs, as in the paper, seconds. */
    static final double DEFAULT_RESTART_SECONDS = 30;

    private final ElasticRounds byThroughput;
    private final GoodputRounds byGoodput;
    private int seen;
    private boolean someAdapt;

    /** @param seed of the genetic search */
    public Pollux(Topology topology, long seed) {
        this(topology, seed, JobGoodput.PRESENT);
    }

    /** Pollux with another goodput of jobs that adapt their batch. */
    public Pollux(Topology topology, long seed, JobGoodput goodput) {
        ElasticRounds.Settings settings = new ElasticRounds.Settings(DEFAULT_ROUND_SECONDS, DEFAULT_RESTART_SECONDS);
        byThroughput = new ElasticRounds(settings, Pollux::inverseSaved, topology);
        byGoodput = new GoodputRounds(new ElasticSpeed(topology), goodput, RandomStreams.stream(seed, "pollux"));
    }

    @Override
    public Decision decide(SimView view) {
        for (; seen < view.arrived(); seen++) {
            someAdapt |= view.job(seen).model().of(GoodputProfile.class) != null;
        }
        return someAdapt ? byGoodput.decide(view) : byThroughput.decide(view);
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
