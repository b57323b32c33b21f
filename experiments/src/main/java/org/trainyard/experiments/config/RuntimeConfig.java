package org.trainyard.experiments.config;

import static org.trainyard.env.InvalidFieldException.within;

/** Where schedulers get their guesses of run times from. */
public sealed interface RuntimeConfig {
    /** The truth: the upper reference, and what published simulators assume. */
    record Oracle() implements RuntimeConfig {}

    /**
     * The truth times a log-normal error.
     *
     * @param sigma standard deviation of the error's natural logarithm, 0..10
     */
    record Lognormal(double sigma) implements RuntimeConfig {
        public Lognormal {
            within(0, 10, "sigma", sigma);
        }
    }

    /** Finished jobs of the same group or user. */
    record History() implements RuntimeConfig {}

    /** A random forest, grown anew every 24 simulated hours or 1,000 finished jobs. */
    record Forest() implements RuntimeConfig {}
}
