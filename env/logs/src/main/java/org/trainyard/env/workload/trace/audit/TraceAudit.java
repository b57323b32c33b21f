package org.trainyard.env.workload.trace.audit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.trainyard.env.Counted;
import org.trainyard.env.workload.BadLine;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.Trace;

/**
 * An audit of a log as its publisher would want it, made while its jobs go past, in memory that does not grow with it:
 * span, gaps, load over time, ties, ids that appear twice, waits by width, the share of recurring jobs, and how it
 * compares with public traces. Quantiles of more than a million run times, and of more than some ten thousand waits,
 * are within 3 %.
 */
public final class TraceAudit implements Consumer<TraceJob> {
    private static final int TEXT_PARTS = 12;
    private static final int CHART_PARTS = 240;
    private static final int QUANTILES = 41;
    private static final int MOST_KEPT = 1 << 15;
    private static final int MOST_GROUPS = 200_000;
    private static final int MOST_STATES = 30;

    private final JobTally tally = new JobTally();
    private final LoadOverTime load = new LoadOverTime();
    private final LogHistogram limits = new LogHistogram(MOST_KEPT);
    private final TreeMap<Integer, LogHistogram> waits = new TreeMap<>();
    /** Jobs by user, or null, and group. */
    private final Map<String, Map<String, int[]>> groups = new HashMap<>();

    private final Map<String, long[]> states = new HashMap<>();
    private final SeenIds ids = new SeenIds();
    private int groupsKept;
    private long repeatedIds;
    private long withGroup;
    private long single;

    @Override
    public void accept(TraceJob job) {
        tally.accept(job);
        LoggedRun past = job.past();
        long start = past == null ? job.submitNanos() : past.startNanos();
        double gpus = job.gpus() * job.demand().gpuMilli() / 1000.0;
        load.add(job.submitNanos(), start, start + job.durationNanos(), gpus);
        single += job.gpus() == 1 ? 1 : 0;
        if (past != null) {
            int width = Integer.highestOneBit(Math.max(1, job.gpus()));
            waits.computeIfAbsent(width, key -> new LogHistogram(MOST_KEPT)).add((start - job.submitNanos()) / 1e9);
            String state = past.facts().state();
            long[] count = state == null ? null : states.get(state);
            if (count != null) {
                count[0]++;
            } else if (state != null && states.size() < MOST_STATES) {
                states.put(state, new long[] {1});
            }
        }
        if (job.terms().limitNanos() > 0) {
            limits.add((double) job.durationNanos() / job.terms().limitNanos());
        }
        repeatedIds += ids.add(job.id()) ? 0 : 1;
        if (job.group() != null) {
            withGroup++;
            count(String.valueOf(job.user()), job.group());
        }
    }

    private void count(String user, String group) {
        Map<String, int[]> ofUser = groups.computeIfAbsent(user, key -> new HashMap<>());
        int[] count = ofUser.get(group);
        if (count != null) {
            count[0]++;
        } else if (groupsKept < MOST_GROUPS) {
            groupsKept++;
            ofUser.put(group, new int[] {1});
        }
    }

    /** The part of the jobs whose user ran their group more than once, 0 to 1. */
    private double recurring() {
        long again = groups.values().stream()
                .flatMap(ofUser -> ofUser.values().stream())
                .mapToLong(count -> count[0] > 1 ? count[0] : 0)
                .sum();
        return tally.jobs() == 0 ? 0 : (double) again / tally.jobs();
    }

    public long jobs() {
        return tally.jobs();
    }

    public double gpuHours() {
        return tally.gpuHours();
    }

    /** The statistics of the jobs that went past, with the oddities of their file. */
    public TraceStatistics statistics(Trace trace) {
        return tally.statistics(trace);
    }

    /** GPUs held on average in twelve equal parts of the log. */
    public double[] gpusOverTime() {
        return load.gpus(TEXT_PARTS);
    }

    private double longestGapSeconds() {
        return tally.submissions().longestGapNanos() / 1e9;
    }

    /** The audit as aligned text. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        line(
                lines,
                "span",
                "%s with runs; longest time without a submission %s",
                TraceStatistics.span(load.spanSeconds()),
                TraceStatistics.span(longestGapSeconds()));
        StringBuilder held = new StringBuilder();
        for (double gpus : gpusOverTime()) {
            held.append(String.format(Locale.ROOT, " %,.1f", gpus));
        }
        line(lines, "GPUs held", "over twelve equal parts:%s; at most %,.0f", held, load.mostGpus());
        LogHistogram durations = tally.durations();
        line(
                lines,
                "run time",
                "median %,.0f s, mean %,.0f s; %.0f %% on one GPU",
                durations.quantile(0.5),
                durations.mean(),
                percent(single));
        PublicTrace.ALL.forEach(trace -> line(lines, "", "%s", trace.line()));
        waits.forEach((width, wait) -> line(
                lines,
                width == 1 ? "wait, 1 GPU" : Counted.say("wait, %d-%d GPUs", width, 2 * width - 1),
                "median %s   p95 %s   mean %s   of %,d jobs",
                TraceStatistics.span(wait.quantile(0.5)),
                TraceStatistics.span(wait.quantile(0.95)),
                TraceStatistics.span(wait.mean()),
                wait.count()));
        line(
                lines,
                "ties",
                "%,d jobs are submitted at the instant of another",
                tally.submissions().ties());
        line(lines, "repeated ids", "%,d", repeatedIds);
        line(
                lines,
                "recurring",
                "%.0f %% of the jobs are of a group that their user ran before or again",
                100 * recurring());
        if (limits.count() > 0) {
            line(
                    lines,
                    "time limits",
                    "of %,d jobs; half of them use less than %.0f %%",
                    limits.count(),
                    100 * limits.quantile(0.5));
        }
        new TreeMap<>(states)
                .forEach((state, count) -> line(
                        lines,
                        "state",
                        "%-16s %,10d jobs  %5.1f %%",
                        BadLine.printable(state),
                        count[0],
                        percent(count[0])));
        return lines;
    }

    private double percent(long part) {
        return tally.jobs() == 0 ? 0 : 100.0 * part / tally.jobs();
    }

    private static void line(List<String> lines, String name, String format, Object... arguments) {
        lines.add("%-14s %s".formatted(name, Counted.say(format, arguments)));
    }

    /** Jobs by the power of two that their width has at least. */
    private Map<Integer, Integer> jobsByWidth() {
        Map<Integer, Integer> byWidth = new TreeMap<>();
        tally.statistics(List.of())
                .gpuDemand()
                .forEach((gpus, jobs) -> byWidth.merge(Integer.highestOneBit(Math.max(1, gpus)), jobs, Integer::sum));
        return byWidth;
    }

    /** The audit for machines; times in seconds. */
    public Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("span", load.spanSeconds());
        json.put("longest_gap", longestGapSeconds());
        json.put("gpus_held", gpusOverTime());
        json.put("most_gpus_held", load.mostGpus());
        json.put("over_time", overTime());
        json.put("ties", tally.submissions().ties());
        json.put("repeated_ids", repeatedIds);
        json.put("recurring_share", recurring());
        json.put("grouped_jobs", withGroup);
        json.put("widths", jobsByWidth());
        Map<String, Object> byWidth = new LinkedHashMap<>();
        waits.forEach((width, wait) -> byWidth.put(Integer.toString(width), json(wait)));
        json.put("wait_by_width", byWidth);
        json.put("run_time_quantiles", tally.durations().quantiles(QUANTILES));
        json.put("one_gpu_share", percent(single) / 100);
        if (limits.count() > 0) {
            json.put("limits_used", json(limits));
        }
        Map<String, Long> ended = new TreeMap<>();
        states.forEach((state, count) -> ended.put(state, count[0]));
        json.put("states", ended);
        json.put(
                "public_traces", PublicTrace.ALL.stream().map(PublicTrace::json).toList());
        return json;
    }

    private static Map<String, Object> json(LogHistogram values) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("jobs", values.count());
        json.put("mean", values.mean());
        json.put("median", values.quantile(0.5));
        json.put("p95", values.quantile(0.95));
        return json;
    }

    /** The series that charts show over time. */
    private Map<String, Object> overTime() {
        int parts = load.parts(CHART_PARTS);
        Map<String, Object> series = new LinkedHashMap<>();
        series.put("part_seconds", parts == 0 ? 0 : load.spanSeconds() / parts);
        series.put("gpus_held", load.gpus(parts));
        series.put("submissions", Arrays.stream(load.submissions(parts)).boxed().toList());
        return series;
    }
}
