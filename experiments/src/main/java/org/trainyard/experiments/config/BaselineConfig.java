package org.trainyard.experiments.config;

import static org.trainyard.env.InvalidFieldException.atLeast;

/** What a return is compared with to tell whether a decision was good. */
public sealed interface BaselineConfig {
    /** Environments that play the same episodes. */
    int environmentsPerEpisode();

    /** What the critic expected of that state. */
    record Critic() implements BaselineConfig {
        @Override
        public int environmentsPerEpisode() {
            return 1;
        }
    }

    /**
     * That, and how much better or worse than the critic expected others fared from the same moment of the same episode on.
     *
     * @param group environments that play the same episodes, side by side
     */
    record CommonEpisodes(int group) implements BaselineConfig {
        public CommonEpisodes {
            atLeast(2, "group", group);
        }

        @Override
        public int environmentsPerEpisode() {
            return group;
        }
    }
}
