package org.trainyard.env.workload.trace.audit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.BadLine;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.Trace;

/**
 * The contents of a trace in numbers. Pure data; the maps are sorted by key.
 *
 * @param jobs how many
 * @param spanSeconds from the first submission to the last
 * @param gpuDemand jobs by GPUs asked for
 * @param duration run times, seconds
 * @param gpuHours run time x GPUs over all jobs
 * @param gpuHoursByDemand the same by GPUs asked for
 * @param virtualClusters jobs by virtual cluster, where said
 * @param users jobs by user, where said
 * @param groups jobs by recurring group, where said
 * @param modelShare part of the jobs that name a model, 0..1
 * @param oddities what a careful reader would notice, as sentences
 */
public record TraceStatistics(
        int jobs,
        double spanSeconds,
        SortedMap<Integer, Integer> gpuDemand,
        Quantiles duration,
        double gpuHours,
        SortedMap<Integer, Double> gpuHoursByDemand,
        SortedMap<String, Integer> virtualClusters,
        SortedMap<String, Integer> users,
        SortedMap<String, Integer> groups,
        double modelShare,
        List<String> oddities) {

    /**
     * The shape of a distribution; a quantile is the smallest value with at least that part of the values at or below
     * it.
     */
    public record Quantiles(double min, double median, double p90, double p99, double max, double mean) {}

    public TraceStatistics {
        gpuDemand = Collections.unmodifiableSortedMap(new TreeMap<>(gpuDemand));
        gpuHoursByDemand = Collections.unmodifiableSortedMap(new TreeMap<>(gpuHoursByDemand));
        virtualClusters = Collections.unmodifiableSortedMap(new TreeMap<>(virtualClusters));
        users = Collections.unmodifiableSortedMap(new TreeMap<>(users));
        groups = Collections.unmodifiableSortedMap(new TreeMap<>(groups));
        oddities = List.copyOf(oddities);
    }

    /** The statistics of a trace as read, with the oddities of its file. */
    public static TraceStatistics of(Trace trace) {
        JobTally tally = new JobTally();
        trace.jobs().forEach(tally);
        return tally.statistics(trace);
    }

    /** The statistics of at least one job. */
    public static TraceStatistics of(List<TraceJob> jobs) {
        JobTally tally = new JobTally();
        jobs.forEach(tally);
        return tally.statistics(TraceOddities.of(tally));
    }

    /**
     * Work asked for as part of what the cluster could do between the first submission and the last; NaN when these are
     * one instant.
     */
    public double offeredLoad(Topology topology) {
        return spanSeconds == 0 ? Double.NaN : gpuHours * 3600 / (topology.gpus() * spanSeconds);
    }

    /** Offered load of the jobs that ask for no more GPUs than the cluster has. */
    public double fittingLoad(Topology topology) {
        double hours = gpuHoursByDemand.headMap(topology.gpus() + 1).values().stream()
                .mapToDouble(h -> h)
                .sum();
        return spanSeconds == 0 ? Double.NaN : hours * 3600 / (topology.gpus() * spanSeconds);
    }

    /** Jobs that ask for more GPUs than the cluster has. */
    public int widerThan(Topology topology) {
        return gpuDemand.tailMap(topology.gpus() + 1).values().stream()
                .mapToInt(Integer::intValue)
                .sum();
    }

    /**
     * Everything as aligned text, with the load of a cluster when one is given.
     *
     * @param tenant what its log calls a virtual cluster
     */
    public List<String> lines(@Nullable Topology topology, String tenant) {
        List<String> lines = new ArrayList<>();
        lines.add(line("jobs", "%,d over %s", jobs, span(spanSeconds)));
        lines.add(line(
                "duration, s",
                "min %,.0f   median %,.0f   p90 %,.0f   p99 %,.0f   max %,.0f   mean %,.0f",
                duration.min,
                duration.median,
                duration.p90,
                duration.p99,
                duration.max,
                duration.mean));
        lines.add(line("GPU-hours", "%,.0f", gpuHours));
        lines.add(line(
                "named",
                "%,d users, %,d groups, %.0f %% of jobs with a model",
                users.size(),
                groups.size(),
                100 * modelShare));
        gpuDemand.forEach((gpus, count) ->
                lines.add(line(Counted.of(gpus, "GPU"), "%,8d jobs  %5.1f %%", count, 100.0 * count / jobs)));
        virtualClusters.forEach(
                (name, count) -> lines.add(line(tenant + " " + BadLine.printable(name), "%,8d jobs", count)));
        if (topology != null) {
            lines.addAll(linesFor(topology));
        }
        oddities.forEach(oddity -> lines.add(line("note", "%s", oddity)));
        return List.copyOf(lines);
    }

    private List<String> linesFor(Topology topology) {
        List<String> lines = new ArrayList<>();
        lines.add(line(
                "offered load",
                "%s of the %,d GPUs of %s",
                load(offeredLoad(topology)),
                topology.gpus(),
                topology.name()));
        int wide = widerThan(topology);
        if (wide > 0) {
            lines.add(line("without wide", "%s by the jobs that fit", load(fittingLoad(topology))));
            lines.add(line("note", "%,d jobs are wider than %s (%,d GPUs).", wide, topology.name(), topology.gpus()));
        }
        return lines;
    }

    private static String load(double load) {
        return Double.isNaN(load) ? "undefined" : String.format(Locale.ROOT, "%.3f", load);
    }

    private static String line(String name, String format, Object... arguments) {
        return "%-14s %s".formatted(name, Counted.say(format, arguments));
    }

    /** A length of time for people. */
    public static String span(double seconds) {
        if (seconds < 86_400) {
            return seconds < 120
                    ? String.format(Locale.ROOT, "%,.0f s", seconds)
                    : seconds < 7200
                            ? String.format(Locale.ROOT, "%,.0f min", seconds / 60)
                            : String.format(Locale.ROOT, "%,.1f h", seconds / 3600);
        }
        return String.format(Locale.ROOT, "%,.1f days", seconds / 86_400);
    }
}
