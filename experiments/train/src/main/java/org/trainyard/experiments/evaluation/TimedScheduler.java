package org.trainyard.experiments.evaluation;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.function.LongSupplier;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;

/**
 * Wraps a scheduler to count and time its calls.
 *
 * <p>The latency of a job is the time of all calls that made a decision about it. Calls that were answered with a wait
 * count towards the next decision, because the scheduler searched in them, too; waits after the last decision belong to
 * no job.
 */
public final class TimedScheduler implements Scheduler {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final Scheduler scheduler;
    private final LongSupplier clock;
    private long nanos;
    private long calls;
    private long waitedNanos;
    private long[] deciding = new long[1024];
    private int decisions;
    private long[] byJob = new long[1024];
    private int jobs;

    /** One run's result and its processor time. */
    public record Run(RunResult result, DecisionCost cost) {}

    /** @param clock processor time so far, nanoseconds */
    TimedScheduler(Scheduler scheduler, LongSupplier clock) {
        this.scheduler = scheduler;
        this.clock = clock;
    }

    /** Runs a simulator to its end and measures the processor time of the current thread. */
    public static Run run(String name, Simulator simulator, Scheduler scheduler) {
        TimedScheduler timed = new TimedScheduler(scheduler, THREADS::getCurrentThreadCpuTime);
        long start = THREADS.getCurrentThreadCpuTime();
        RunResult result = simulator.run(timed);
        double seconds = (THREADS.getCurrentThreadCpuTime() - start) / 1e9;
        return new Run(
                result,
                new DecisionCost(
                        name,
                        seconds,
                        timed.nanos() / 1e9,
                        timed.calls(),
                        result.submitted().size(),
                        timed.decidingCalls(),
                        timed.perJob()));
    }

    @Override
    public Decision decide(SimView view) {
        long start = clock.getAsLong();
        Decision decision = scheduler.decide(view);
        long took = clock.getAsLong() - start;
        nanos += took;
        calls++;
        if (decision instanceof Decision.Wait) {
            waitedNanos += took;
        } else {
            count(decision.job(), took);
        }
        return decision;
    }

    private void count(int job, long took) {
        if (decisions == deciding.length) {
            deciding = Arrays.copyOf(deciding, 2 * decisions);
        }
        deciding[decisions++] = took;
        if (job >= byJob.length) {
            byJob = Arrays.copyOf(byJob, Math.max(job + 1, 2 * byJob.length));
        }
        byJob[job] += took + waitedNanos;
        jobs = Math.max(jobs, job + 1);
        waitedNanos = 0;
    }

    /** Time of all calls, nanoseconds. */
    long nanos() {
        return nanos;
    }

    /** Number of calls, also those answered with a wait. */
    long calls() {
        return calls;
    }

    /** Latencies of calls that made a decision. */
    Latencies decidingCalls() {
        return Latencies.of(Arrays.copyOf(deciding, decisions));
    }

    /** Latencies of jobs by id, up to the last job with a decision. */
    Latencies perJob() {
        return Latencies.of(Arrays.copyOf(byJob, jobs));
    }
}
