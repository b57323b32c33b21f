package org.trainyard.experiments.run;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;

/** A scheduler that decides as another does, and whose calls are counted and timed by the processor's clock. */
final class TimedScheduler implements Scheduler {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final Scheduler scheduler;
    private long nanos;
    private long calls;

    TimedScheduler(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** Processor time of the current thread so far, nanoseconds. */
    static long processorNanos() {
        return THREADS.getCurrentThreadCpuTime();
    }

    @Override
    public Decision decide(SimView view) {
        long start = processorNanos();
        Decision decision = scheduler.decide(view);
        nanos += processorNanos() - start;
        calls++;
        return decision;
    }

    /** Processor time of all calls so far, nanoseconds. */
    long nanos() {
        return nanos;
    }

    /** How often it has been asked, waits counted. */
    long calls() {
        return calls;
    }
}
