package org.trainyard.experiments.config;

import static org.trainyard.env.InvalidFieldException.within;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.binding.OptionalKey;

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

    /**
     * A random forest of iterations, refitted as jobs finish.
     *
     * @param growth finished jobs over those of the last forest from which a forest is grown anew; null for the default
     */
    record Forest(@OptionalKey @Nullable Double growth) implements RuntimeConfig {
        public Forest {
            if (growth != null) {
                within(1, 100, "growth", growth);
            }
        }

        /** A forest with the default growth. */
        public Forest() {
            this(null);
        }
    }
}
