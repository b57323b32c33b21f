package org.trainyard.agents.heuristic.sjfbco;

import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.scheduling.queue.WaitingJobs;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;

/**
 * SJF-BCO for jobs that arrive one by one: smallest job first, in GPUs, on idle GPUs only, placed to balance contention
 * and overhead.
 *
 * <p>Source: M. Yu, B. Ji, H. Rajan, J. Liu: On scheduling ring-all-reduce learning jobs in multi-tenant GPU clusters
 * with communication contention, MobiHoc 2022. The paper plans one batch ({@link SjfBcoPlan} does); this is the reading
 * of its "wait for a job to exit" in which a job is placed when it starts. The order is the paper's. Ours: (1) of
 * equally many GPUs the job with the shorter predicted run time goes first, then the one submitted first; (2)
 * backfilling, which never applies among jobs that differ in GPUs alone; (3) the placement is that of
 * {@link BalancedFit}.
 */
public final class SjfBco implements Scheduler {
    private static final double HOUR = 3600;

    private final WaitingJobs waiting = new WaitingJobs(SjfBco::rank);
    private final Placer placer;

    /** SJF-BCO with another placer, such as those of the baselines. */
    public SjfBco(Placer placer) {
        this.placer = placer;
    }

    /**
     * @param kappa GPUs of the largest job that counts as small
     * @param lambda ratio of idle GPUs on the servers considered for a large job to its GPUs, at least 1
     */
    public SjfBco(int kappa, double lambda) {
        this(new BalancedFit(kappa, lambda));
    }

    /** Jobs that fit on a server are small, and {@code lambda} is 1; both are our choice. */
    public static SjfBco on(Topology topology) {
        return new SjfBco(topology.widestServer(), 1);
    }

    /** The number of GPUs, plus a fraction below 1 that grows with the predicted time. */
    private static double rank(SimView view, int job) {
        double predicted = view.predictedSeconds(job);
        return view.job(job).gpus() + predicted / (predicted + HOUR);
    }

    @Override
    public Decision decide(SimView view) {
        waiting.update(view);
        return waiting.startFirstThatFits(view, placer);
    }
}
