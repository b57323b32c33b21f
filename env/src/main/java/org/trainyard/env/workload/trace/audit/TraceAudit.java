package org.trainyard.env.workload.trace.audit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.trainyard.env.workload.trace.BadLine;
import org.trainyard.env.workload.trace.LoggedRun;
import org.trainyard.env.workload.trace.TraceJob;

/**
 * An audit of a log as its publisher would want it, in memory that does not grow with it: span, gaps, load over time, ties, ids that appear twice, waits by width, the share of recurring jobs,
 * and how it compares with public traces. Quantiles are within 3 %.
 *
 * <p>The figures of public traces: Philly as derived for ElasticFlow (82,247 jobs that passed), two virtual clusters of Helios' Venus (1,867 jobs), openb's default list (8,152 pods).
 */
public final class TraceAudit implements Consumer<TraceJob> {
    private static final int PARTS = 12;
    private static final int MOST_GROUPS = 200_000;
    private static final int MOST_STATES = 30;
    private static final int BLOOM_BITS = 1 << 27;

    private static final List<String> PUBLIC = List.of(
            "Philly: median 1,144 s, mean 13,136 s, 93 % on one GPU",
            "Helios (Venus): median 93 s, mean 5,651 s, 4 % on one GPU", "openb: median 616 s, 86 % on one GPU");

    private final LoadOverTime load = new LoadOverTime();
    private final LogHistogram durations = new LogHistogram();
    private final LogHistogram limits = new LogHistogram();
    private final TreeMap<Integer, LogHistogram> waits = new TreeMap<>();
    /** Jobs by the binary logarithm of their width. */
    private final long[] widths = new long[Integer.SIZE];

    private final Map<String, Integer> groups = new HashMap<>();
    private final Map<String, Long> states = new HashMap<>();
    private final long[] bloom = new long[BLOOM_BITS / 64];
    private long jobs;
    private long repeatedIds;
    private long ties;
    private long withGroup;
    private long single;
    private double gpuHours;
    private long lastSubmit = Long.MIN_VALUE;

    @Override
    public void accept(TraceJob job) {
        jobs++;
        LoggedRun past = job.past();
        long start = past == null ? job.submitNanos() : past.startNanos();
        double gpus = job.gpus() * job.demand().gpuMilli() / 1000.0;
        load.add(job.submitNanos(), start, start + job.durationNanos(), gpus);
        durations.add(job.durationNanos() / 1e9);
        gpuHours += job.gpuHours();
        int width = Math.max(1, Integer.highestOneBit(Math.max(1, job.gpus())));
        widths[Integer.numberOfTrailingZeros(width)]++;
        single += job.gpus() == 1 ? 1 : 0;
        if (past != null) {
            waits.computeIfAbsent(width, key -> new LogHistogram()).add((start - job.submitNanos()) / 1e9);
            String state = past.facts().state();
            if (state != null && (states.size() < MOST_STATES || states.containsKey(state))) {
                states.merge(state, 1L, Long::sum);
            }
        }
        if (job.terms().limitNanos() > 0) {
            limits.add((double) job.durationNanos() / job.terms().limitNanos());
        }
        ties += job.submitNanos() == lastSubmit ? 1 : 0;
        lastSubmit = job.submitNanos();
        repeatedIds += seenBefore(job.id()) ? 1 : 0;
        if (job.group() != null) {
            withGroup++;
            String group = job.user() + "/" + job.group();
            if (groups.size() < MOST_GROUPS || groups.containsKey(group)) {
                groups.merge(group, 1, Integer::sum);
            }
        }
    }

    /** Whether an id was seen before, as three of its bits say; one in ten thousand of some million ids seems to be and is not. */
    private boolean seenBefore(String id) {
        long hash = 1_125_899_906_842_597L;
        for (int i = 0; i < id.length(); i++) {
            hash = (hash ^ id.charAt(i)) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 29;
        }
        boolean all = true;
        for (int i = 0; i < 3; i++) {
            int bit = (int) (hash >>> (i * 19)) & (BLOOM_BITS - 1);
            all &= (bloom[bit >>> 6] >>> (bit & 63) & 1) == 1;
            bloom[bit >>> 6] |= 1L << (bit & 63);
        }
        return all;
    }

    /** The part of the jobs whose user ran their group more than once, 0 to 1. */
    private double recurring() {
        long again = groups.values().stream()
                .mapToLong(count -> count > 1 ? count : 0)
                .sum();
        return jobs == 0 ? 0 : (double) again / jobs;
    }

    public long jobs() {
        return jobs;
    }

    public double gpuHours() {
        return gpuHours;
    }

    /** GPUs held on average in twelve equal parts of the log. */
    public double[] gpusOverTime() {
        return load.gpus(PARTS);
    }

    /** The audit as aligned text. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        line(
                lines,
                "span",
                "%s with runs; longest time without a submission %s",
                TraceStatistics.span(load.spanSeconds()),
                TraceStatistics.span(load.longestGapSeconds()));
        StringBuilder held = new StringBuilder();
        for (double gpus : gpusOverTime()) {
            held.append(String.format(Locale.ROOT, " %,.1f", gpus));
        }
        line(lines, "GPUs held", "over twelve equal parts:%s; at most %,.0f", held, load.mostGpus());
        line(
                lines,
                "run time",
                "median %,.0f s, p99 %,.0f s, mean %,.0f s; %.0f %% on one GPU",
                durations.quantile(0.5),
                durations.quantile(0.99),
                durations.mean(),
                percent(single));
        PUBLIC.forEach(trace -> line(lines, "", "%s", trace));
        waits.forEach((width, wait) -> line(
                lines,
                "wait, %d+ GPUs".formatted(width),
                "median %,.0f s   p95 %,.0f s   mean %,.0f s   of %,d jobs",
                wait.quantile(0.5),
                wait.quantile(0.95),
                wait.mean(),
                wait.count()));
        line(lines, "ties", "%,d jobs are submitted at the instant of the one before", ties);
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
                        lines, "state", "%-16s %,10d jobs  %5.1f %%", BadLine.printable(state), count, percent(count)));
        return lines;
    }

    private double percent(long part) {
        return jobs == 0 ? 0 : 100.0 * part / jobs;
    }

    private static void line(List<String> lines, String name, String format, Object... arguments) {
        lines.add("%-14s %s".formatted(name, String.format(Locale.ROOT, format, arguments)));
    }

    /** Jobs by the power of two that their width has at least. */
    private Map<Integer, Long> jobsByWidth() {
        Map<Integer, Long> byWidth = new TreeMap<>();
        for (int i = 0; i < widths.length - 1; i++) {
            if (widths[i] > 0) {
                byWidth.put(1 << i, widths[i]);
            }
        }
        return byWidth;
    }

    /** The audit for machines; times in seconds. */
    public Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("span", load.spanSeconds());
        json.put("longest_gap", load.longestGapSeconds());
        json.put("gpus_held", gpusOverTime());
        json.put("most_gpus_held", load.mostGpus());
        json.put("ties", ties);
        json.put("repeated_ids", repeatedIds);
        json.put("recurring_share", recurring());
        json.put("grouped_jobs", withGroup);
        json.put("widths", jobsByWidth());
        Map<String, Object> byWidth = new LinkedHashMap<>();
        waits.forEach((width, wait) -> byWidth.put(
                Integer.toString(width),
                Map.of(
                        "jobs",
                        wait.count(),
                        "mean",
                        wait.mean(),
                        "median",
                        wait.quantile(0.5),
                        "p95",
                        wait.quantile(0.95))));
        json.put("wait_by_width", byWidth);
        json.put("states", new TreeMap<>(states));
        return json;
    }
}
