package org.trainyard.experiments.simulation;

import java.util.LinkedHashMap;
import java.util.List;
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
    record Timing(List<Row> schedulers) {
        private record Row(String name, double wallSeconds, long events, double eventsPerSecond) {}
    }

    Timing timing() {
        return new Timing(walls.entrySet().stream()
                .map(one -> new Timing.Row(
                        one.getKey(),
                        one.getValue().seconds(),
                        one.getValue().events(),
                        one.getValue().eventsPerSecond()))
                .toList());
    }
}
