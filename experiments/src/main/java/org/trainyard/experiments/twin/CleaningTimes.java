package org.trainyard.experiments.twin;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How long the nodes of each ended job were completing, as far as a log tells: longer than until a cycle that planned a job
 * on them for the next second, shorter than until a start on them. Between these, and elsewhere, the time that the fewest
 * of a log's starts and plans contradict.
 */
final class CleaningTimes {
    static final long PREEMPTED_MILLIS = 250;
    private static final long LONGEST = 400;
    private static final long STEP = 10;

    private static final class Bounds {
        private long least;
        private long most = LONGEST;
    }

    private final Map<String, Bounds> bounds = new HashMap<>();
    private final List<Long> preempted = new ArrayList<>();
    private long typical;

    private CleaningTimes() {}

    /** @param heldBack runs of the main scheduler that show that a node was not clean */
    static CleaningTimes of(ControllerLog log, List<PerCycle.HeldBack> heldBack) {
        CleaningTimes times = new CleaningTimes();
        Map<Long, PerCycle.HeldBack> held = new HashMap<>();
        heldBack.forEach(each -> held.putIfAbsent(each.millis(), each));
        Map<String, LogEvent> where = new HashMap<>();
        Map<String, Map<String, Long>> ended = new HashMap<>();
        Map<String, Long> gaveWay = new HashMap<>();
        long cycle = 0;
        for (LogEvent event : log.events()) {
            switch (event.kind()) {
                case MAIN, MAIN_FULL, BACKFILL -> {
                    cycle = event.millis();
                    PerCycle.HeldBack back = held.get(cycle);
                    if (back != null && event.kind() != LogEvent.Kind.BACKFILL) {
                        times.completing(back.nodes(), ended, cycle);
                    }
                }
                case START -> {
                    where.put(event.job(), event);
                    long asOf = log.hasMainCycles() || event.number() == 1 ? cycle : event.millis();
                    for (String node : event.names()) {
                        times.clean(ended.remove(node), asOf);
                    }
                }
                case END, TIMEOUT -> {
                    LogEvent start = where.remove(event.job());
                    if (start != null) {
                        times.bounds.put(event.job(), new Bounds());
                        for (String node : start.names()) {
                            ended.computeIfAbsent(node, any -> new HashMap<>()).put(event.job(), event.millis());
                        }
                    }
                }
                case PLAN -> {
                    if (event.number() == Math.floorDiv(cycle, 1000) + 1) {
                        times.completing(event.names(), ended, cycle);
                    }
                }
                case PREEMPTED -> gaveWay.put(event.job(), event.millis());
                case CLEANED -> {
                    Long from = gaveWay.remove(event.job());
                    if (from != null) {
                        times.preempted.add(event.millis() - from);
                    }
                }
                default -> {
                    // says nothing of nodes
                }
            }
        }
        times.typical = times.leastContradicted();
        return times;
    }

    private void clean(@Nullable Map<String, Long> ended, long millis) {
        if (ended != null) {
            ended.forEach((job, end) -> {
                Bounds of = bounds.get(job);
                if (of != null && millis >= end) {
                    of.most = Math.min(of.most, millis - end);
                }
            });
        }
    }

    /** A job was planned for the next second on nodes, because one of them was not clean: the last whose job ended. */
    private void completing(List<String> nodes, Map<String, Map<String, Long>> ended, long millis) {
        String latest = null;
        long end = millis - LONGEST;
        for (String node : nodes) {
            for (Map.Entry<String, Long> each :
                    ended.getOrDefault(node, Map.of()).entrySet()) {
                if (each.getValue() > end && each.getValue() <= millis) {
                    end = each.getValue();
                    latest = each.getKey();
                }
            }
        }
        Bounds of = latest == null ? null : bounds.get(latest);
        if (of != null) {
            of.least = Math.max(of.least, millis - end);
        }
    }

    /** The middle of the times that the fewest bounds contradict. */
    private long leastContradicted() {
        long best = 0;
        long last = 0;
        long fewest = Long.MAX_VALUE;
        for (long candidate = 0; candidate <= 100; candidate += STEP) {
            long count = 0;
            for (Bounds of : bounds.values()) {
                count += (candidate <= of.least && of.least > 0) || candidate > of.most ? 1 : 0;
            }
            if (count < fewest) {
                fewest = count;
                best = candidate;
            }
            last = count == fewest ? candidate : last;
        }
        return (best + last) / 2;
    }

    long millis(String job) {
        Bounds of = bounds.get(job);
        return of == null ? typical : Math.max(of.least == 0 ? 0 : of.least + 1, Math.min(typical, of.most));
    }

    /** Of a job that gave way: the median of the log. */
    long preemptedMillis() {
        if (preempted.isEmpty()) {
            return PREEMPTED_MILLIS;
        }
        return preempted.stream()
                .sorted()
                .skip(preempted.size() / 2)
                .findFirst()
                .orElse(PREEMPTED_MILLIS);
    }
}
