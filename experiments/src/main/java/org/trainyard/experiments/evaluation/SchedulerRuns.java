package org.trainyard.experiments.evaluation;

import java.util.List;
import org.trainyard.env.simulation.RunResult;

/**
 * What a scheduler did, episode by episode.
 *
 * @param name as in the reports, unique among those compared
 * @param role what it is compared as
 * @param episodes one result per episode; all schedulers compared ran the same episodes in the same order
 */
public record SchedulerRuns(String name, Role role, List<RunResult> episodes) {
    /** What a scheduler is compared as. */
    public enum Role {
        /** A published or classic scheduler: the best of these is the reference. */
        HEURISTIC,
        /** A trained policy. */
        LEARNED,
        /** A lower bound on sense, such as random: compared, never the reference. */
        FLOOR
    }

    public SchedulerRuns {
        episodes = List.copyOf(episodes);
        if (episodes.isEmpty()) {
            throw new IllegalArgumentException("scheduler %s ran no episode".formatted(name));
        }
        for (int i = 0; i < episodes.size(); i++) {
            if (episodes.get(i).jobs().isEmpty()) {
                throw new IllegalArgumentException("episode (%d) of scheduler %s has no jobs".formatted(i, name));
            }
        }
    }

    /** Mean JCT of each episode, seconds. */
    public double[] meanJctSeconds() {
        return episodes.stream().mapToDouble(RunResult::meanJctSeconds).toArray();
    }
}
