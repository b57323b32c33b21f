package org.trainyard.env.workload.trace.audit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.Invalid;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.Trace;

/** Counts the jobs of a trace as they go past, for {@link TraceStatistics} and {@link TraceOddities}. */
final class JobTally implements Consumer<TraceJob> {
    private static final int MOST_NAMES = 200_000;
    private static final int MOST_KEPT = 1 << 20;

    /** The jobs of one width. */
    static final class Width {
        private int jobs;
        private double gpuHours;
    }

    private final SortedMap<Integer, Width> widths = new TreeMap<>();
    private final LogHistogram durations = new LogHistogram(MOST_KEPT);
    private final Submissions submissions = new Submissions();
    private final Map<String, int[]> users = new HashMap<>();
    private final Map<String, int[]> groups = new HashMap<>();
    private final Map<String, int[]> virtualClusters = new HashMap<>();
    private int jobs;
    private long models;
    private double gpuHours;
    private @Nullable Width width;
    private int gpus = -1;

    @Override
    public void accept(TraceJob job) {
        jobs++;
        double hours = job.gpuHours();
        gpuHours += hours;
        Width same = width;
        if (same == null || gpus != job.gpus()) {
            gpus = job.gpus();
            same = widths.computeIfAbsent(gpus, key -> new Width());
            width = same;
        }
        same.jobs++;
        same.gpuHours += hours;
        durations.add(job.durationNanos() / 1e9);
        submissions.add(job.submitNanos());
        models += job.model() == null ? 0 : 1;
        count(job.user(), users);
        count(job.group(), groups);
        count(job.virtualCluster(), virtualClusters);
    }

    private static void count(@Nullable String name, Map<String, int[]> counts) {
        if (name != null) {
            int[] count = counts.get(name);
            if (count != null) {
                count[0]++;
            } else if (counts.size() < MOST_NAMES) {
                counts.put(name, new int[] {1});
            }
        }
    }

    private static SortedMap<String, Integer> plain(Map<String, int[]> counts) {
        SortedMap<String, Integer> plain = new TreeMap<>();
        counts.forEach((name, count) -> plain.put(name, count[0]));
        return plain;
    }

    int jobs() {
        return jobs;
    }

    double gpuHours() {
        return gpuHours;
    }

    LogHistogram durations() {
        return durations;
    }

    /** Statistics of the times of submission, worked out. */
    Submissions submissions() {
        submissions.finish();
        return submissions;
    }

    SortedMap<Integer, Width> widths() {
        return widths;
    }

    /** How many jobs name a model. */
    long models() {
        return models;
    }

    boolean namesUsers() {
        return !users.isEmpty();
    }

    boolean namesGroups() {
        return !groups.isEmpty();
    }

    /** Jobs of the user with most of them, when there are two users or more; else 0. */
    int ofBusiestUser() {
        return users.size() < 2
                ? 0
                : users.values().stream().mapToInt(count -> count[0]).max().orElse(0);
    }

    /** The statistics of these jobs, one at least, with the oddities of the file that they are from. */
    TraceStatistics statistics(Trace trace) {
        List<String> notes = new ArrayList<>();
        if (trace.badLineCount() > 0) {
            notes.add(Counted.of(trace.badLineCount(), "bad line") + "; left out.");
        }
        notes.addAll(trace.oddities());
        notes.addAll(TraceOddities.of(this));
        return statistics(notes);
    }

    /**
     * The statistics of these jobs, one at least.
     *
     * @param notes on their file
     */
    TraceStatistics statistics(List<String> notes) {
        Invalid.when(jobs == 0, "a trace without jobs (0) has no statistics");
        SortedMap<Integer, Integer> demand = new TreeMap<>();
        SortedMap<Integer, Double> hours = new TreeMap<>();
        widths.forEach((wide, of) -> {
            demand.put(wide, of.jobs);
            hours.put(wide, of.gpuHours);
        });
        return new TraceStatistics(
                jobs,
                submissions.spanNanos() / 1e9,
                demand,
                new TraceStatistics.Quantiles(
                        durations.min(),
                        durations.quantile(0.5),
                        durations.quantile(0.9),
                        durations.quantile(0.99),
                        durations.max(),
                        durations.mean()),
                gpuHours,
                hours,
                plain(virtualClusters),
                plain(users),
                plain(groups),
                (double) models / jobs,
                notes);
    }
}
