package org.trainyard.experiments.config;

import static org.trainyard.env.InvalidFieldException.within;

/** The source of run-time predictions for schedulers. */
public sealed interface RuntimeConfig {
    /** True run times: an upper reference, and the assumption of published simulators. */
    record Oracle() implements RuntimeConfig {}

    /**
     * True run times multiplied by a log-normal error.
     *
     * @param sigma standard deviation of the error's natural logarithm, 0..10
     */
    record Lognormal(double sigma) implements RuntimeConfig {
        public Lognormal {
            within(0, 10, "sigma", sigma);
        }
    }

    /** Run times of finished jobs of the same group or user. */
    record History() implements RuntimeConfig {}

    /** A random forest of iterations, refitted as jobs finish. */
    record Forest() implements RuntimeConfig {}
}
