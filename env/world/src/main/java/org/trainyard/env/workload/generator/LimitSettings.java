package org.trainyard.env.workload.generator;

import static org.trainyard.env.InvalidFieldException.within;

import org.trainyard.env.InvalidFieldException;

/**
 * The time limits that users give with their jobs, and the accounts that pay ({@link LimitedJobs}).
 *
 * @param killed part of the jobs whose limit is shorter than their run, 0..1
 * @param accounts how many accounts the users share; 0 for none
 */
public record LimitSettings(double killed, int accounts) {
    /** A few per cent of jobs that reach their limits, as in the logs of clusters with limits; eight accounts. */
    public static final LimitSettings DEFAULT = new LimitSettings(0.03, 8);

    public LimitSettings {
        within(0, 1, "killed", killed);
        if (accounts < 0 || accounts > 1_000_000) {
            throw new InvalidFieldException("accounts", accounts, "0 to 1000000");
        }
    }
}
