package org.trainyard.agents.heuristic.asrpt;

import org.trainyard.env.scheduling.placement.BestFit;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;

/**
 * Smallest predicted work first, in GPU-seconds, where jobs that suffer from being spread wait a while for few servers, and those
 * that do not fit are passed over. Not preemptive.
 *
 * <p>Ours: {@link ASrpt} without its virtual machine, to tell what the machine is worth from what the delay is worth.
 */
public final class SpwfWithDelay implements Scheduler {
    /** How long a heavy job waits unless told otherwise, in its predicted run times; that of {@link ASrpt.Settings#TUNED}. */
    public static final double DEFAULT_PATIENCE = 2;

    /** From which ratio of times a job is heavy unless told otherwise; A-SRPT's, by our choice. */
    public static final double DEFAULT_HEAVINESS = 1.5;

    private final double patience;
    private final HeavyJobs heavyJobs;
    private final DelaySchedulingQueue queue = new DelaySchedulingQueue(true, new BestFit(), new BestFit());
    private int journalRead;

    /** For jobs that are parallel by data alone. */
    public SpwfWithDelay(Topology topology) {
        this(topology, DEFAULT_PATIENCE, DEFAULT_HEAVINESS, HeavyJobs.dataParallel(topology));
    }

    /**
     * @param patience how long a heavy job waits for few servers, in its predicted run times on its best placement
     * @param heaviness how much slower a job must be with all its GPUs apart than on its best placement to be heavy, above 1
     * @param shapes how jobs are parallel
     */
    public SpwfWithDelay(Topology topology, double patience, double heaviness, StagedJob.Source shapes) {
        checkPatience(patience, heaviness);
        this.patience = patience;
        heavyJobs = new HeavyJobs(topology, heaviness, shapes);
    }

    static void checkPatience(double patience, double heaviness) {
        if (!(patience >= 0) || Double.isInfinite(patience)) {
            throw new IllegalArgumentException("patience (%s) must be finite and not negative".formatted(patience));
        }
        if (!(heaviness > 1)) {
            throw new IllegalArgumentException("heaviness (%s) must be above 1".formatted(heaviness));
        }
    }

    @Override
    public Decision decide(SimView view) {
        for (; journalRead < view.journalSize(); journalRead++) {
            int job = view.journalJob(journalRead);
            switch (view.journalKind(journalRead)) {
                case ARRIVE -> {
                    long deadline =
                            view.job(job).submitNanos() + HeavyJobs.nanos(patience * view.predictedSeconds(job));
                    double rank = HeavyJobs.predictedGpuSeconds(view, job);
                    queue.admit(job, rank, heavyJobs.contains(view.job(job)), deadline);
                    queue.add(view, job);
                }
                case START -> queue.remove(job);
                case PREEMPT, KILL -> queue.add(view, job);
                case FINISH, FORWARD, RESIZE, DOWN, UP -> {}
            }
        }
        Decision decision = queue.decide(view);
        long until = queue.nextDeadlineNanos();
        return decision instanceof Decision.Wait && until < Long.MAX_VALUE ? Decision.waitUntil(until) : decision;
    }
}
