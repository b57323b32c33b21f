package org.trainyard.experiments.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.io.Durations;

/**
 * The part of the waits of jobs in which as many GPUs as they ask for, of their types, were free somewhere: what held
 * them then were CPUs, memory, limits, the way GPUs were spread, or jobs before them. It is counted from submissions,
 * starts and run times alone.
 *
 * @param waitSeconds of all jobs
 * @param freeSeconds of these, while enough GPUs were free
 * @param beyondSeconds of these, later after the submission than a job takes to start that finds room
 * @param delaySeconds that pass between the decision and the start: the median wait of the jobs for which GPUs were
 *     free when they were submitted and before which nobody waited; 0 where they are few, wait too differently, or for
 *     seconds
 */
public record FreeWait(double waitSeconds, double freeSeconds, double beyondSeconds, double delaySeconds) {
    private static final double NANOS = 1e9;
    /** Jobs that found room, from which on their median says something. */
    private static final int ENOUGH = 10;
    /** Longer waits of jobs that found room are no starts of servers or containers. */
    private static final double LONGEST_SECONDS = 600;

    /** Shorter ones are the cycles of a scheduler, which its replays have. */
    private static final double SHORTEST_SECONDS = 5;

    private static final double NARROW = 0.25;

    /** The past of jobs that all have one. */
    public static FreeWait of(Topology topology, List<TraceJob> jobs) {
        long[] starts = jobs.stream()
                .mapToLong(job -> Objects.requireNonNull(job.past()).startNanos())
                .toArray();
        Counts counts = new Counts(topology, jobs, starts, 0);
        double delay = counts.delaySeconds();
        double beyond = delay == 0
                ? counts.freeSeconds
                : new Counts(topology, jobs, starts, Math.round(delay * NANOS)).freeSeconds;
        return new FreeWait(counts.waitSeconds, counts.freeSeconds, beyond, delay);
    }

    /** The jobs with a past; the others count for nothing here. */
    public static FreeWait ofDated(Topology topology, List<TraceJob> jobs) {
        return of(
                topology,
                jobs.stream()
                        .filter(job -> job.past() != null && job.gpus() > 0)
                        .toList());
    }

    /** Seconds of the waits in a replay while enough GPUs are free, from {@code delaySeconds} after submissions on. */
    public static double freeSeconds(Topology topology, List<TraceJob> jobs, double[] waits, double delaySeconds) {
        long[] starts = IntStream.range(0, waits.length)
                .mapToLong(job -> jobs.get(job).submitNanos() + Math.round(waits[job] * NANOS))
                .toArray();
        return new Counts(topology, jobs, starts, Math.round(delaySeconds * NANOS)).freeSeconds;
    }

    /** The part of the wait, 0 to 1; 0 where nobody waited. */
    public double share() {
        return waitSeconds == 0 ? 0 : freeSeconds / waitSeconds;
    }

    /** The part of the wait beyond the usual delay that a replay with so many such seconds does not have, 0 to 1. */
    public double unexplained(double replayedSeconds) {
        return waitSeconds == 0 ? 0 : Math.max(0, beyondSeconds - replayedSeconds) / waitSeconds;
    }

    /** A sentence without its full stop. */
    public String words() {
        return "%.0f %% of the wait was while enough GPUs were free".formatted(100 * share());
    }

    /** A sentence without its full stop on the delay; empty where there is none. */
    public String delayWords() {
        return delaySeconds == 0 ? "" : "%s pass between decision and start".formatted(Durations.human(delaySeconds));
    }

    /** Free GPUs over time, and the waits during which they are enough. O(types x jobs log jobs). */
    private static final class Counts {
        private final List<TraceJob> jobs;
        private final long[] starts;
        private final long skipNanos;
        private final long[] times;
        private final boolean[] foundRoom;
        private double waitSeconds;
        private double freeSeconds;

        Counts(Topology topology, List<TraceJob> jobs, long[] starts, long skipNanos) {
            this.jobs = jobs;
            this.starts = starts;
            this.skipNanos = skipNanos;
            foundRoom = new boolean[starts.length];
            times = IntStream.range(0, starts.length)
                    .boxed()
                    .flatMapToLong(job -> LongStream.of(submit(job), from(job), starts[job], end(job)))
                    .sorted()
                    .distinct()
                    .toArray();
            Map<List<String>, List<Integer>> groups = new LinkedHashMap<>();
            for (int job = 0; job < starts.length; job++) {
                waitSeconds += (starts[job] - submit(job)) / NANOS;
                groups.computeIfAbsent(jobs.get(job).demand().gpuTypes(), any -> new ArrayList<>())
                        .add(job);
            }
            long[] all = free(topology, List.of());
            groups.forEach((types, members) -> {
                long[] free = all;
                if (!types.isEmpty()) {
                    long[] ofTypes = free(topology, types);
                    free = IntStream.range(0, all.length)
                            .mapToLong(i -> Math.min(all[i], ofTypes[i]))
                            .toArray();
                }
                count(free, members);
            });
        }

        private long submit(int job) {
            return jobs.get(job).submitNanos();
        }

        private long from(int job) {
            return Math.min(starts[job], submit(job) + skipNanos);
        }

        private long end(int job) {
            return starts[job] + jobs.get(job).durationNanos();
        }

        private static long milli(Demand demand) {
            return (long) demand.gpus() * demand.gpuMilli();
        }

        private int at(long time) {
            return Arrays.binarySearch(times, time);
        }

        /** Free thousandths of GPUs of some types from each time on; of all for none. */
        private long[] free(Topology topology, List<String> types) {
            long capacity = 0;
            for (int server = 0; server < topology.servers(); server++) {
                ServerSpec spec = topology.server(server);
                boolean isIn = types.isEmpty() || types.contains(spec.gpuType().name());
                capacity += isIn ? (long) spec.gpus() * Demand.WHOLE : 0;
            }
            long[] free = new long[times.length];
            for (int job = 0; job < starts.length; job++) {
                Demand demand = jobs.get(job).demand();
                boolean isIn =
                        types.isEmpty() || (!demand.gpuTypes().isEmpty() && types.containsAll(demand.gpuTypes()));
                if (isIn) {
                    free[at(starts[job])] -= milli(demand);
                    free[at(end(job))] += milli(demand);
                }
            }
            for (int i = 0; i < free.length; i++) {
                free[i] += i == 0 ? capacity : free[i - 1];
            }
            return free;
        }

        /**
         * Counts spans of much free room first, so that each job finds those that are enough for it in a tree of sums.
         */
        private void count(long[] free, List<Integer> members) {
            Integer[] spans =
                    IntStream.range(0, Math.max(0, times.length - 1)).boxed().toArray(Integer[]::new);
            Arrays.sort(spans, Comparator.comparingLong(span -> -free[span]));
            List<Integer> wide = new ArrayList<>(members);
            wide.sort(Comparator.comparingLong(job -> -milli(jobs.get(job).demand())));
            double[] sums = new double[times.length + 1];
            int next = 0;
            for (int job : wide) {
                long needed = milli(jobs.get(job).demand());
                for (; next < spans.length && free[spans[next]] >= needed; next++) {
                    double length = (times[spans[next] + 1] - times[spans[next]]) / NANOS;
                    for (int i = spans[next] + 1; i < sums.length; i += i & -i) {
                        sums[i] += length;
                    }
                }
                freeSeconds += until(sums, at(starts[job])) - until(sums, at(from(job)));
                foundRoom[job] = free[at(submit(job))] + (starts[job] == submit(job) ? needed : 0) >= needed;
            }
        }

        private static double until(double[] sums, int span) {
            double sum = 0;
            for (int i = span; i > 0; i -= i & -i) {
                sum += sums[i];
            }
            return sum;
        }

        /** The median wait of the jobs that found room and nobody before them. */
        double delaySeconds() {
            long[] submits = IntStream.range(0, starts.length)
                    .mapToLong(this::submit)
                    .sorted()
                    .toArray();
            long[] started = Arrays.stream(starts).sorted().toArray();
            double[] waits = IntStream.range(0, starts.length)
                    .filter(job -> foundRoom[job] && waiting(submits, started, job) == 0)
                    .mapToDouble(job -> (starts[job] - submit(job)) / NANOS)
                    .sorted()
                    .toArray();
            if (waits.length < ENOUGH) {
                return 0;
            }
            double median = waits[(waits.length - 1) / 2];
            boolean isNarrow = median < 60 || waits[waits.length / 10] >= NARROW * median;
            return isNarrow && median >= SHORTEST_SECONDS && median <= LONGEST_SECONDS ? median : 0;
        }

        /** How many others wait when a job is submitted. */
        private int waiting(long[] submits, long[] started, int job) {
            long now = submit(job);
            return notAfter(submits, now) - notAfter(started, now) - (starts[job] > now ? 1 : 0);
        }

        /** How many of some sorted times are not after one. */
        private static int notAfter(long[] sorted, long time) {
            int low = 0;
            int high = sorted.length;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (sorted[middle] <= time) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low;
        }
    }
}
