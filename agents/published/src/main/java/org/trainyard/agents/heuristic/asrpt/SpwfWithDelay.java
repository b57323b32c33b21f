package org.trainyard.agents.heuristic.asrpt;

import org.trainyard.agents.heuristic.placing.BestFit;
import org.trainyard.env.Invalid;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;

/**
 * Smallest predicted work first, in GPU-seconds, with delay scheduling of communication-heavy jobs and backfilling. Not
 * preemptive.
 *
 * <p>Ours: {@link ASrpt} without its virtual machine, to separate the effect of the machine from the effect of the
 * delay.
 */
public final class SpwfWithDelay implements Scheduler {
    /** The longest wait of a heavy job, in its predicted run times; that of {@link ASrpt.Settings#TUNED}. */
    static final double DEFAULT_PATIENCE = 2;

    /** The ratio of iteration times from which a job is heavy; that of A-SRPT, by our choice. */
    static final double DEFAULT_HEAVINESS = 1.5;

    private final double patience;
    private final HeavyJobs heavyJobs;
    private final DelaySchedulingQueue queue = new DelaySchedulingQueue(true, new BestFit(), new BestFit());
    private int journalRead;

    /** SPWF with delay for data-parallel jobs and pipelines. */
    public SpwfWithDelay(Topology topology) {
        this(topology, DEFAULT_PATIENCE, DEFAULT_HEAVINESS, HeavyJobs.planned(topology));
    }

    /**
     * @param patience the longest wait of a heavy job for few servers, in its predicted run times on its best placement
     * @param heaviness ratio of iteration times, all GPUs on different servers to best placement, from which a job is
     *     heavy, above 1
     * @param shapes stages and replicas of the jobs
     */
    SpwfWithDelay(Topology topology, double patience, double heaviness, StagedJob.Source shapes) {
        checkPatience(patience, heaviness);
        this.patience = patience;
        heavyJobs = new HeavyJobs(topology, heaviness, shapes);
    }

    static void checkPatience(double patience, double heaviness) {
        if (!(patience >= 0) || Double.isInfinite(patience)) {
            throw new IllegalArgumentException("patience (%s) must be finite and not negative".formatted(patience));
        }
        Invalid.when(!(heaviness > 1), "heaviness (%s) must be above 1", heaviness);
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
                case FINISH, FORWARD, RESIZE, DOWN, UP, REJECT, FREEZE, HOST_CPU, HOST_MEMORY, HOLD, TIMEOUT -> {}
            }
        }
        Decision decision = queue.decide(view);
        long until = queue.nextDeadlineNanos();
        return decision instanceof Decision.Wait && until < Long.MAX_VALUE ? Decision.waitUntil(until) : decision;
    }
}
