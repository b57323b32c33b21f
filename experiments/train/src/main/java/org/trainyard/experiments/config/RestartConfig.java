package org.trainyard.experiments.config;

import static org.trainyard.env.InvalidFieldException.above;
import static org.trainyard.env.InvalidFieldException.atLeast;
import static org.trainyard.env.InvalidFieldException.within;

import org.trainyard.env.simulation.RestartCost;

/** The restart cost of a job after a preemption, migration, resize or outage. */
public sealed interface RestartConfig {
    /** The restart cost of the simulator. */
    RestartCost cost();

    /** In words. */
    String describe();

    /** A restart cost that is equal for every job, in seconds. */
    record Fixed(double seconds) implements RestartConfig {
        public Fixed {
            within(0, 1e9, "seconds", seconds);
        }

        @Override
        public RestartCost cost() {
            return new RestartCost.Fixed(Math.round(seconds * 1e9));
        }

        @Override
        public String describe() {
            return "a restart costs %s s".formatted(seconds);
        }
    }

    /** A cost that grows with the model: start-up plus the time to read a checkpoint, up to a limit. */
    record BySize(double startSeconds, double mostSeconds, double megabytesPerSecond) implements RestartConfig {
        public BySize {
            within(0, 1e9, "startSeconds", startSeconds);
            within(0, 1e9, "mostSeconds", mostSeconds);
            atLeast(startSeconds, "mostSeconds", mostSeconds);
            above(0, "megabytesPerSecond", megabytesPerSecond);
        }

        @Override
        public RestartCost cost() {
            return new RestartCost.BySize(
                    Math.round(startSeconds * 1e9), Math.round(mostSeconds * 1e9), megabytesPerSecond * 1e6);
        }

        @Override
        public String describe() {
            return "a restart costs %s to %s s by model size".formatted(startSeconds, mostSeconds);
        }
    }
}
