package org.trainyard.experiments.twin;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How long the nodes of each ended job were completing, as far as a log tells: longer than until a cycle that planned a
 * job on them for the next second, shorter than until a start on them. Between these, and elsewhere, the time that the
 * fewest of a log's starts and plans contradict. Nodes of a job that is killed, or gives way, are clean when their
 * epilogs have ended; the scheduler runs at once when the last has.
 */
final class CleaningTimes {
    /** Milliseconds for a job that is killed, where a log tells of none. */
    static final long KILLED_MILLIS = 250;

    private static final long LONGEST = 400;
    /** Within so long after a kill a run of the main scheduler is that of its epilog, unless it is of the same look. */
    private static final long EPILOG_MILLIS = 1000;

    private static final long LOOK_MILLIS = 30;
    private static final long STEP = 10;

    private static final class Bounds {
        private long least;
        private long most = LONGEST;
    }

    /**
     * A job that gave way.
     *
     * @param nodes after how many milliseconds each of its nodes was clean, as far as the log tells
     * @param millis after how many all were
     */
    record Victim(Map<String, Long> nodes, long millis) {
        long millis(String node) {
            return Math.min(millis, nodes.getOrDefault(node, millis));
        }
    }

    private final Map<String, Bounds> bounds = new HashMap<>();
    private final Map<String, List<Victim>> victims = new HashMap<>();
    /** Jobs that were killed, and after how long a run of the scheduler showed that their nodes were clean. */
    private final Map<String, Long> killed = new LinkedHashMap<>();

    private final List<Long> tolls = new ArrayList<>();
    private long typical;

    private CleaningTimes() {}

    /** @param heldBack runs of the main scheduler that show that a node was not clean */
    static CleaningTimes of(ControllerLog log, List<PerCycle.HeldBack> heldBack) {
        CleaningTimes times = new CleaningTimes();
        Map<Long, PerCycle.HeldBack> held = new HashMap<>();
        heldBack.forEach(each -> held.putIfAbsent(each.millis(), each));
        Map<String, LogEvent> where = new HashMap<>();
        Map<String, Map<String, Long>> ended = new HashMap<>();
        Map<String, LogEvent> gaveWay = new LinkedHashMap<>();
        Map<String, Map<String, Long>> cleanNodes = new HashMap<>();
        Map<String, Long> dying = new LinkedHashMap<>();
        long requeue = 0;
        long cycle = 0;
        for (LogEvent event : log.events()) {
            switch (event.kind()) {
                case MAIN, MAIN_FULL, BACKFILL -> {
                    cycle = event.millis();
                    if (event.kind() == LogEvent.Kind.MAIN && cycle > requeue + 1) {
                        times.epilog(dying, cycle);
                    }
                    PerCycle.HeldBack back = held.get(cycle);
                    if (back != null && event.kind() != LogEvent.Kind.BACKFILL) {
                        times.completing(back.nodes(), ended, cycle);
                    }
                }
                case START -> {
                    where.put(event.job(), event);
                    boolean told = cycle > 0 && (log.hasMainCycles() || event.number() == 1);
                    long asOf = told ? cycle : event.millis();
                    for (String node : event.names()) {
                        times.clean(ended.remove(node), asOf);
                        gaveWay.forEach((job, from) -> cleanNodes
                                .computeIfAbsent(job, any -> new HashMap<>())
                                .putIfAbsent(node, Math.max(0, asOf - 1 - from.millis())));
                    }
                }
                case END, TIMEOUT, CANCELLED -> {
                    if (event.kind() != LogEvent.Kind.END && where.containsKey(event.job())) {
                        dying.put(event.job(), event.millis());
                        times.killed.put(event.job(), 0L);
                    }
                    LogEvent start = where.remove(event.job());
                    if (start != null) {
                        times.bounds.put(event.job(), new Bounds());
                        for (String node : start.names()) {
                            ended.computeIfAbsent(node, any -> new HashMap<>()).put(event.job(), event.millis());
                        }
                    }
                }
                case PLAN -> {
                    boolean preempted = gaveWay.keySet().stream()
                            .map(where::get)
                            .anyMatch(victim -> victim != null && !Collections.disjoint(victim.names(), event.names()));
                    if (event.number() == Math.floorDiv(cycle, 1000) + 1 && !preempted) {
                        times.completing(event.names(), ended, cycle);
                    }
                }
                case PREEMPTED -> gaveWay.put(event.job(), event);
                case CLEANED -> {
                    requeue = event.millis();
                    LogEvent from = gaveWay.remove(event.job());
                    Map<String, Long> nodes = cleanNodes.remove(event.job());
                    if (from != null) {
                        long toll = requeue - from.millis();
                        times.tolls.add(toll);
                        times.victims
                                .computeIfAbsent(event.job(), any -> new ArrayList<>())
                                .add(new Victim(nodes == null ? Map.of() : nodes, toll));
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

    private void epilog(Map<String, Long> dying, long millis) {
        dying.values().removeIf(end -> millis - end > EPILOG_MILLIS);
        for (Map.Entry<String, Long> each : dying.entrySet()) {
            if (millis - each.getValue() > LOOK_MILLIS) {
                killed.put(each.getKey(), millis - each.getValue());
                tolls.add(millis - each.getValue());
                dying.remove(each.getKey());
                return;
            }
        }
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
        if (of == null) {
            return typical;
        }
        Long killing = killed.get(job);
        if (killing != null && killing > 0) {
            return killing;
        }
        long usual = killing == null ? typical : killedMillis();
        return Math.max(of.least == 0 ? 0 : of.least + 1, Math.min(usual, of.most));
    }

    /**
     * Cleaning times after a job's next preemption, given the number before; without a record, the median of the log.
     */
    Victim victim(String job, int before) {
        List<Victim> times = victims.getOrDefault(job, List.of());
        return before < times.size() ? times.get(before) : new Victim(Map.of(), killedMillis());
    }

    /** Cleaning time of a killed or preempted job: the median of the log. */
    private long killedMillis() {
        return tolls.isEmpty()
                ? KILLED_MILLIS
                : tolls.stream().sorted().skip(tolls.size() / 2).findFirst().orElse(KILLED_MILLIS);
    }
}
