package org.trainyard.env.gym.registry;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A family of schedulers and placement policies, which every command then knows by name. The project's own families
 * come in through this door, as those of others do.
 *
 * <p>A jar offers a family by a public class with a public constructor without arguments, whose name stands in its file
 * {@code META-INF/services/org.trainyard.env.gym.registry.SchedulerPlugin}. Names of schedulers from outside the
 * project are lower-case words joined by hyphens, and no name of the registry may be taken twice.
 */
public interface SchedulerPlugin {
    /** Schedulers of the family, in the order in which to list them; see {@link SchedulerRegistry.Entry#plugin}. */
    default List<SchedulerRegistry.Entry> schedulers() {
        return List.of();
    }

    /** Scheduler of a name that is not listed, or null. */
    default SchedulerRegistry.@Nullable Entry unlisted(String name) {
        return null;
    }

    /** Schedulers that are listed apart from the others, by names that {@link #prefixes} or rows have. */
    default List<SchedulerRegistry.Entry> members() {
        return List.of();
    }

    /** The schedulers whose names begin with a text of this family. */
    default List<SchedulerPrefix> prefixes() {
        return List.of();
    }

    /** Second names of its rows, which papers use: the row of each. */
    default Map<String, String> aliases() {
        return Map.of();
    }

    /**
     * Placement policies, each of which every order over jobs can use: {@code sjf/NAME}, {@code las/NAME} and so on.
     */
    default List<PlacementPolicies.Entry> placers() {
        return List.of();
    }

    /** Rules that can stand beside any scheduler. */
    default List<AuxiliaryPolicy.Family> rules() {
        return List.of();
    }

    /** Space of hyperparameters to search, or null. */
    default @Nullable SearchSpace searchSpace() {
        return null;
    }
}
