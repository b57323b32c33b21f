package org.trainyard.agents.learned.training;

import static org.trainyard.env.InvalidFieldException.atLeast;

/** What a return is compared with to estimate an advantage. */
public sealed interface ReturnBaseline {
    /** Environments that play the same episodes. */
    int environmentsPerEpisode();

    /** The critic's value of the state. */
    record Critic() implements ReturnBaseline {
        @Override
        public int environmentsPerEpisode() {
            return 1;
        }
    }

    /**
     * The critic's value, and the mean advantage of the other environments that play the same episode.
     *
     * @param group environments that play the same episodes, side by side
     */
    record CommonEpisodes(int group) implements ReturnBaseline {
        public CommonEpisodes {
            atLeast(2, "group", group);
        }

        @Override
        public int environmentsPerEpisode() {
            return group;
        }
    }
}
