package org.trainyard.experiments.config;

import static org.trainyard.env.InvalidFieldException.above;
import static org.trainyard.env.InvalidFieldException.atLeast;
import static org.trainyard.env.InvalidFieldException.within;

import org.trainyard.env.simulation.RestartCost;

/** What a job pays when it goes on after it was preempted, stopped by an outage, or moved. */
public sealed interface RestartConfig {
    /** What the simulator is given. */
    RestartCost cost();

    /** The same for every job. */
    record Fixed(double seconds) implements RestartConfig {
        public Fixed {
            within(0, 1e9, "seconds", seconds);
        }

        @Override
        public RestartCost cost() {
            return new RestartCost.Fixed(Math.round(seconds * 1e9));
        }
    }

    /** More for larger models: starting up, and reading a checkpoint. */
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
    }
}
