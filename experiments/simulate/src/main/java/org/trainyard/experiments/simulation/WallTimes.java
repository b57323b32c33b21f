package org.trainyard.experiments.simulation;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** Wall-clock time of each scheduler's run. */
public final class WallTimes {
    /** @param events in the event log of the run */
    record Wall(long events, double seconds) {
        double eventsPerSecond() {
            return seconds > 0 ? events / seconds : 0;
        }
    }

    private final Map<String, Wall> walls = new LinkedHashMap<>();

    /** The result of a run, whose time is taken. */
    <R> R time(String scheduler, ToLongFunction<R> events, Supplier<R> run) {
        long start = System.nanoTime();
        R result = run.get();
        walls.put(scheduler, new Wall(events.applyAsLong(result), (System.nanoTime() - start) / 1e9));
        return result;
    }

    /** Adds the times of other runs of the same schedulers. */
    void add(WallTimes others) {
        others.walls.forEach((name, wall) -> walls.merge(
                name,
                wall,
                (before, more) -> new Wall(before.events() + more.events(), before.seconds() + more.seconds())));
    }

    Wall of(String scheduler) {
        return Objects.requireNonNull(walls.get(scheduler));
    }

    /** {@code timing.json}. */
    ObjectNode json() {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        ArrayNode schedulers = root.putArray("schedulers");
        walls.forEach((name, wall) -> schedulers
                .addObject()
                .put("name", name)
                .put("wall_seconds", wall.seconds())
                .put("events", wall.events())
                .put("events_per_second", wall.eventsPerSecond()));
        return root;
    }
}
