package org.trainyard.experiments.advice;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.io.Durations;

/**
 * A replay that ends at its limits: of processor time, of simulated time, and where jobs hold GPUs without progress, as
 * when a scheduler preempts again during restarts. Cost: O(jobs) for each part of 1/{@value #PARTS} of the work.
 */
final class ReplayWatch implements BooleanSupplier {
    /**
     * Times the log's work, on all GPUs, that a replay may take; it ends where progress is so much slower than time.
     */
    static final int PATIENCE = 20;

    private static final int PARTS = 20;
    /** Restarts of all GPUs, one after another, without progress that say nothing. */
    private static final int RESTARTS = 20;
    /** Events between two looks at the clock. */
    private static final int EVENTS = 64;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final Simulator simulator;
    private final Workload workload;
    private final ReplayProgress progress;
    private final double seconds;
    private final long untilNanos;
    private final long endNanos;
    private final double part;
    private double held;
    private double done;
    private long events;
    private int said;
    private @Nullable String reason;

    /** @param seconds of processor time */
    ReplayWatch(
            Simulator simulator, Workload workload, double seconds, double restartSeconds, ReplayProgress progress) {
        this.simulator = simulator;
        this.workload = workload;
        this.progress = progress;
        this.seconds = seconds;
        untilNanos = THREADS.getCurrentThreadCpuTime() + (long) (seconds * 1e9);
        int gpus = simulator.view().topology().gpus();
        double work = workload.gpuSeconds();
        double end = workload.job(workload.size() - 1).submitNanos()
                + 1e9 * PATIENCE * (work / gpus + workload.longestSeconds());
        endNanos = (long) Math.min(Long.MAX_VALUE / 2.0, end);
        part = Math.max(work / PARTS, RESTARTS * restartSeconds * gpus);
    }

    /** Whether the replay ends within the limits. */
    boolean runs(Scheduler scheduler) {
        boolean isDone = false;
        try {
            isDone = simulator.runWhile(scheduler, this);
        } catch (IllegalStateException still) {
            if (!simulator.isStuck()) {
                throw still;
            }
            SimView view = simulator.view();
            JobSpec first = view.submitted(view.firstWaiting());
            reason = "it stands still on an idle cluster, where %s %s, such as %s of %s"
                    .formatted(
                            Counted.of(view.waitingCount(), "job"),
                            Counted.verb(view.waitingCount(), "wait"),
                            first.name(),
                            Counted.of(first.gpus(), "GPU"));
        }
        progress.end(workload.size() - said);
        return isDone;
    }

    /** Why a replay did not end, half a sentence. */
    String reason() {
        return reason == null
                ? "it takes more than %s of processor time (--limit)".formatted(Durations.human(seconds))
                : reason;
    }

    @Override
    public boolean getAsBoolean() {
        if (++events % EVENTS != 0) {
            return true;
        }
        int ended = simulator.jobsDone();
        progress.add(ended - said);
        said = ended;
        if (simulator.view().nowNanos() > endNanos) {
            reason = "no end is in sight after %s"
                    .formatted(Durations.human(simulator.view().nowNanos() / 1e9));
        } else if (simulator.busyGpuSeconds() - held > part) {
            double now = worked();
            if (now - done < (simulator.busyGpuSeconds() - held) / PATIENCE) {
                reason = "its jobs make no progress, for it preempts them again during their restarts";
            }
            held = simulator.busyGpuSeconds();
            done = now;
        }
        return reason == null && THREADS.getCurrentThreadCpuTime() <= untilNanos;
    }

    /** Work that is done, GPU-seconds. */
    private double worked() {
        SimView view = simulator.view();
        double sum = 0;
        for (int job = 0; job < view.arrived(); job++) {
            sum += workload.job(job).demand().gpuAmount() * view.progressSeconds(job);
        }
        return sum;
    }
}
