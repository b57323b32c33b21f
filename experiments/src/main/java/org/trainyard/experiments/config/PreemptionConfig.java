package org.trainyard.experiments.config;

import static org.trainyard.env.InvalidFieldException.above;

import org.trainyard.env.simulation.Simulator;

/** What a preempted job loses of the work of its run, beside the cost of its restart. */
sealed interface PreemptionConfig {
    /** Productive time between two checkpoints, as {@link Simulator.Options#savedEveryNanos} has it. */
    long savedEveryNanos();

    /** In words. */
    String describe();

    /** Nothing: it saves a checkpoint as it is preempted. */
    record Saved() implements PreemptionConfig {
        @Override
        public long savedEveryNanos() {
            return 0;
        }

        @Override
        public String describe() {
            return "a preempted job keeps its work";
        }
    }

    /** The work since its last checkpoint. */
    record Checkpoints(double minutes) implements PreemptionConfig {
        public Checkpoints {
            above(0, "minutes", minutes);
        }

        @Override
        public long savedEveryNanos() {
            return Math.max(1, Math.round(minutes * 60e9));
        }

        @Override
        public String describe() {
            return "a preempted job loses its work since the last of its checkpoints, one every %s min"
                    .formatted(minutes);
        }
    }

    /** All work of its run: it has no checkpoints. */
    record Lost() implements PreemptionConfig {
        @Override
        public long savedEveryNanos() {
            return Simulator.Options.SAVES_NOTHING;
        }

        @Override
        public String describe() {
            return "a preempted job loses all its work";
        }
    }
}
