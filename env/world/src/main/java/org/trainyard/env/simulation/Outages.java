package org.trainyard.env.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.topology.Topology;

/**
 * Failures and repairs of servers and GPUs. A pure function of the unit: servers are units {@code 0 .. servers-1}, GPUs
 * follow.
 */
public sealed interface Outages {
    /** Nothing ever fails. */
    Outages NONE = new None();

    /** The outages that are planned, which schedulers know beforehand. */
    static List<MaintenanceWindow> maintenanceOf(Outages outages) {
        return outages instanceof Maintained maintained ? maintained.windows() : List.of();
    }

    /** The next outage of a unit, given its number of past outages and the end of the last; null when there is none. */
    @Nullable Outage next(Topology topology, int unit, int over, long afterNanos);

    /** Failures and repairs are reported when they happen, as those of a live cluster are; none is known before. */
    record Reported() implements Outages {
        @Override
        public @Nullable Outage next(Topology topology, int unit, int over, long afterNanos) {
            return null;
        }
    }

    /** Nothing ever fails. */
    record None() implements Outages {
        @Override
        public @Nullable Outage next(Topology topology, int unit, int over, long afterNanos) {
            return null;
        }
    }

    /**
     * Independent exponential times to failure and to repair.
     *
     * @param serverHours mean time to failure of one server, hours; infinite for never
     * @param gpuHours the same of one GPU
     * @param repairHours mean time to repair, hours
     */
    record Exponential(double serverHours, double gpuHours, double repairHours, long seed) implements Outages {
        private static final double HOUR_NANOS = 3600e9;
        /** Ten thousand years, so that sums of times stay within a long. */
        private static final double LONGEST_NANOS = 3e18;

        public Exponential {
            if (!(serverHours > 0) || !(gpuHours > 0) || !(repairHours > 0) || Double.isInfinite(repairHours)) {
                throw new IllegalArgumentException(
                        "mean hours to failure of servers (%s) and GPUs (%s) and to repair (%s) must be above zero, the last finite"
                                .formatted(serverHours, gpuHours, repairHours));
            }
        }

        @Override
        public @Nullable Outage next(Topology topology, int unit, int over, long afterNanos) {
            double mean = unit < topology.servers() ? serverHours : gpuHours;
            if (Double.isInfinite(mean)) {
                return null;
            }
            RandomGenerator random = RandomStreams.stream(seed, "outage %d of unit %d".formatted(over, unit));
            double from = afterNanos + 1 + random.nextExponential() * mean * HOUR_NANOS;
            double until = from + 1 + random.nextExponential() * repairHours * HOUR_NANOS;
            return from > LONGEST_NANOS ? null : new Outage((long) from, (long) Math.min(until, 2 * LONGEST_NANOS));
        }
    }

    /**
     * Failures, and planned maintenance beside them.
     *
     * @param windows in any order; they may overlap
     */
    record Maintained(Outages failures, List<MaintenanceWindow> windows) implements Outages {
        public Maintained {
            if (failures instanceof Reported || failures instanceof Maintained) {
                throw new IllegalArgumentException(
                        "maintenance stands beside failures alone, not (%s)".formatted(failures));
            }
            windows = List.copyOf(windows);
        }

        /** Makes one outage of failures and windows that meet. O(outages of the unit so far). */
        @Override
        public @Nullable Outage next(Topology topology, int unit, int over, long afterNanos) {
            Outage[] planned = unit < topology.servers() ? apart(of(windows, unit)) : new Outage[0];
            int window = 0;
            int failed = 0;
            Outage failure = failures.next(topology, unit, 0, 0);
            Outage merged = null;
            for (int count = -1; count < over; count++) {
                merged = null;
                while (true) {
                    boolean isPlanned = window < planned.length
                            && (failure == null || planned[window].fromNanos() <= failure.fromNanos());
                    Outage first = isPlanned ? planned[window] : failure;
                    if (first == null || (merged != null && first.fromNanos() > merged.untilNanos())) {
                        break;
                    }
                    merged = merged == null ? first : union(merged, first);
                    if (isPlanned) {
                        window++;
                    } else {
                        failure = failures.next(topology, unit, ++failed, first.untilNanos());
                    }
                }
            }
            return merged;
        }

        private static Outage union(Outage a, Outage b) {
            return new Outage(a.fromNanos(), Math.max(a.untilNanos(), b.untilNanos()));
        }

        /** The spans of a server. */
        static Stream<Outage> of(List<MaintenanceWindow> windows, int server) {
            return windows.stream()
                    .filter(window -> Collections.binarySearch(window.servers(), server) >= 0)
                    .map(MaintenanceWindow::span);
        }

        /** Returns the time that the spans cover as spans that do not meet, in order. */
        static Outage[] apart(Stream<Outage> spans) {
            ArrayDeque<Outage> apart = new ArrayDeque<>();
            spans.sorted(Comparator.comparingLong(Outage::fromNanos)).forEach(span -> {
                boolean meets =
                        !apart.isEmpty() && span.fromNanos() <= apart.getLast().untilNanos();
                apart.addLast(meets ? union(apart.removeLast(), span) : span);
            });
            return apart.toArray(new Outage[0]);
        }
    }

    /**
     * Outages from a log.
     *
     * @param entries in any order; those of one unit must not overlap
     */
    record Recorded(List<Entry> entries) implements Outages {
        /** One line of the log; see {@link Outages} for units. */
        public record Entry(int unit, Outage outage) {}

        public Recorded {
            List<Entry> sorted = new ArrayList<>(entries);
            sorted.sort(Comparator.comparingInt(Entry::unit)
                    .thenComparingLong(entry -> entry.outage().fromNanos()));
            for (int i = 1; i < sorted.size(); i++) {
                Entry before = sorted.get(i - 1);
                Entry entry = sorted.get(i);
                if (entry.unit() == before.unit()
                        && entry.outage().fromNanos() <= before.outage().untilNanos()) {
                    throw new IllegalArgumentException(
                            "outages of unit (%d) overlap: one from (%d ns), one until (%d ns)"
                                    .formatted(
                                            entry.unit(),
                                            entry.outage().fromNanos(),
                                            before.outage().untilNanos()));
                }
            }
            entries = List.copyOf(sorted);
        }

        @Override
        public @Nullable Outage next(Topology topology, int unit, int over, long afterNanos) {
            int low = 0;
            int high = entries.size();
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (entries.get(middle).unit() < unit) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            int at = low + over;
            return at < entries.size() && entries.get(at).unit() == unit
                    ? entries.get(at).outage()
                    : null;
        }
    }
}
