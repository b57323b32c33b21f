package org.trainyard.agents.heuristic.asrpt;

import java.util.Arrays;
import org.trainyard.env.scheduling.placement.BestFit;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;

/**
 * A-SRPT: a job may start once a virtual machine as wide as the cluster, which always works on the job with the least predicted work
 * left, is done with it; a job that suffers from being spread then waits a while for few servers. Not preemptive.
 *
 * <p>Source: Z. Luo, J. Liu, M. Lee, N. B. Shroff: Prediction-assisted online distributed deep learning workload scheduling in GPU
 * clusters, INFOCOM 2025, of which we had the abstract alone. The paper's, by its abstract: jobs as graphs of stages and replicas
 * assigned so that servers exchange little, predicted iterations, the virtual machine under preemptive SRPT as a guide to a schedule
 * without preemption. Our inference: everything numeric, that is the formulas of {@link
 * org.trainyard.agents.heuristic.asrpt.IterationTime} and {@link org.trainyard.agents.heuristic.asrpt.HeavyEdge}, the virtual work
 * {@code predicted seconds on the best placement x GPUs / (efficiency x the cluster's GPUs)}, the head of the queue that blocks, the
 * delay and its defaults. Our deviations: (1) predicted seconds on the best placement are the simulator's, at the job's ideal rate,
 * where the paper has iterations times its own best time of one; (2) {@link BestFit} places jobs that suffer, so racks count too; (3)
 * a virtual cluster that has used up its quota blocks nobody else; (4) a job that an outage or another scheduler has stopped goes
 * back to its place in the queue, without more virtual work. In {@link Settings#TUNED}, ours altogether: a slower virtual machine, more
 * patience, jobs that do not fit are passed over, and nobody is scattered over fragments.
 */
public final class ASrpt implements Scheduler {
    /**
     * @param efficiency eta, above 0: the part of the cluster's speed that the virtual machine has; less holds jobs longer
     * @param skips whether a job that does not fit lets others pass
     * @param patience delta: how long a heavy job waits for few servers, in its predicted run times on its best placement
     * @param heaviness how much slower a job must be with all its GPUs apart than on its best placement to be heavy, above 1
     * @param scatters whether jobs that are not heavy use up fragments; otherwise they are placed like heavy ones, without the wait
     */
    public record Settings(double efficiency, boolean skips, double patience, double heaviness, boolean scatters) {
        /** As we read the paper. Its abstract names no numbers: patience and heaviness are our choice. */
        public static final Settings PAPER = new Settings(1, false, 0.5, 1.5, true);

        /** Ours, by measurement (see the module's README). */
        public static final Settings TUNED = new Settings(0.8, true, 2, 1.5, false);

        public Settings {
            if (!(efficiency > 0) || !(efficiency <= 1000)) {
                throw new IllegalArgumentException("efficiency (%s) must be above 0, to 1000".formatted(efficiency));
            }
            SpwfWithDelay.checkPatience(patience, heaviness);
        }
    }

    private final Settings settings;
    private final HeavyJobs heavyJobs;
    private final DelaySchedulingQueue queue;
    private final VirtualMachine machine = new VirtualMachine();
    private boolean[] isReleased = new boolean[64];
    private int released;
    private int journalRead;

    /** For jobs that are parallel by data alone. */
    public ASrpt(Topology topology, Settings settings) {
        this(topology, settings, HeavyJobs.dataParallel(topology));
    }

    /** @param shapes how jobs are parallel */
    public ASrpt(Topology topology, Settings settings, StagedJob.Source shapes) {
        this.settings = settings;
        heavyJobs = new HeavyJobs(topology, settings.heaviness(), shapes);
        queue = new DelaySchedulingQueue(
                settings.skips(), new BestFit(), settings.scatters() ? new FragmentsFirst() : new BestFit());
    }

    @Override
    public Decision decide(SimView view) {
        update(view);
        Decision decision = queue.decide(view);
        if (decision instanceof Decision.Wait) {
            long until = Math.min(machine.nextCompletionNanos(), queue.nextDeadlineNanos());
            return until == Long.MAX_VALUE ? Decision.WAIT : Decision.waitUntil(until);
        }
        return decision;
    }

    private void update(SimView view) {
        VirtualMachine.Completion release = (job, atNanos) -> release(view, job, atNanos);
        for (; journalRead < view.journalSize(); journalRead++) {
            int job = view.journalJob(journalRead);
            switch (view.journalKind(journalRead)) {
                case ARRIVE -> submit(view, job, release);
                case START -> queue.remove(job);
                case PREEMPT, KILL -> {
                    if (isReleased[job]) {
                        queue.add(view, job);
                    }
                }
                case FINISH, FORWARD, RESIZE, DOWN, UP -> {}
            }
        }
        machine.advance(view.nowNanos(), release);
    }

    private void submit(SimView view, int job, VirtualMachine.Completion release) {
        if (job >= isReleased.length) {
            isReleased = Arrays.copyOf(isReleased, Math.max(2 * isReleased.length, job + 1));
        }
        double seconds = HeavyJobs.predictedGpuSeconds(view, job)
                / (settings.efficiency() * Math.max(1, view.topology().gpus()));
        machine.submit(job, HeavyJobs.nanos(seconds), view.job(job).submitNanos(), release);
    }

    /** The virtual machine is done with the job; somebody else may have started it before. */
    private void release(SimView view, int job, long atNanos) {
        isReleased[job] = true;
        long patience = HeavyJobs.nanos(settings.patience() * view.predictedSeconds(job));
        queue.admit(job, released++, heavyJobs.contains(view.job(job)), atNanos + patience);
        if (view.state(job) == JobState.WAITING) {
            queue.add(view, job);
        }
    }
}
