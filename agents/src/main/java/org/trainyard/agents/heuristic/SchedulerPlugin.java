package org.trainyard.agents.heuristic;

import java.util.List;
import org.trainyard.agents.heuristic.packing.PlacementPolicies;

/**
 * Schedulers and placement policies from outside the project, which every command then knows by name.
 *
 * <p>A jar offers them by a public class with a public constructor without arguments, whose name stands in its file
 * {@code META-INF/services/org.trainyard.agents.heuristic.SchedulerPlugin}. Names are lower-case words joined by
 * hyphens, and no name of the registry may be taken twice.
 */
public interface SchedulerPlugin {
    /** Its schedulers; see {@link SchedulerRegistry.Entry#plugin}. */
    default List<SchedulerRegistry.Entry> schedulers() {
        return List.of();
    }

    /**
     * Its placement policies, each of which every order over jobs can use: {@code sjf/NAME}, {@code las/NAME} and
     * so on.
     */
    default List<PlacementPolicies.Entry> placers() {
        return List.of();
    }
}
