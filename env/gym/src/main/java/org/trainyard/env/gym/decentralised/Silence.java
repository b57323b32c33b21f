package org.trainyard.env.gym.decentralised;

import static org.trainyard.env.InvalidFieldException.atLeast;
import static org.trainyard.env.InvalidFieldException.within;

/**
 * A time in which an agent answers nothing: its jobs stay queued, what runs goes on, and the others see its last
 * summary.
 *
 * @param agent index of its domain
 * @param fromHours start, simulated hours
 * @param hours how long it lasts
 */
public record Silence(int agent, double fromHours, double hours) {
    private static final double MOST_HOURS = 1_000_000;

    public Silence {
        atLeast(0, "agent", agent);
        within(0, MOST_HOURS, "fromHours", fromHours);
        within(0, MOST_HOURS, "hours", hours);
    }

    /** Whether it lasts at this instant; it does not any more at its end. */
    boolean lastsAt(long nanos) {
        return nanos >= nanos(fromHours) && nanos < endNanos();
    }

    long endNanos() {
        return nanos(fromHours + hours);
    }

    private static long nanos(double hours) {
        return Math.round(3600e9 * hours);
    }
}
