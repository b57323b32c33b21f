package org.trainyard.experiments.timeline;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.topology.Topology;

/**
 * The runs of first episodes over time, as the charts of {@code report.html} read them.
 *
 * @param runs empty when nothing was recorded; then the rest is left out
 * @param episodes that were recorded
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TimelineJson(
        List<Run> runs,
        @Nullable Integer episodes,
        @Nullable Cluster cluster) {
    private static final MathContext DIGITS = new MathContext(5);

    /** Server by server. */
    public record Cluster(List<String> servers, List<Integer> gpus, List<Integer> racks) {
        static Cluster of(Topology topology) {
            List<Integer> servers =
                    IntStream.range(0, topology.servers()).boxed().toList();
            return new Cluster(
                    servers.stream().map(topology::serverName).toList(),
                    servers.stream().map(topology::gpusOn).toList(),
                    servers.stream().map(topology::rackOf).toList());
        }
    }

    /**
     * One scheduler's run; times in seconds.
     *
     * @param from start of the first interval
     * @param to ends of the intervals
     * @param figures means over the intervals, by name
     * @param cut whether not all jobs were followed
     * @param jobs left out when nobody knows where they ran, as {@code cut}
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Run(
            String scheduler,
            double from,
            List<Double> to,
            Map<String, List<BigDecimal>> figures,
            @Nullable Boolean cut,
            @Nullable List<Job> jobs) {
        static Run of(RunTimeline timeline) {
            Series series = timeline.series();
            Map<String, List<BigDecimal>> figures = new LinkedHashMap<>();
            for (String name : series.names()) {
                figures.put(
                        name,
                        IntStream.range(0, series.size())
                                .mapToObj(i -> rounded(series.mean(name, i)))
                                .toList());
            }
            JobHistories histories = timeline.jobs();
            return new Run(
                    timeline.scheduler(),
                    series.fromNanos(0) / 1e9,
                    IntStream.range(0, series.size())
                            .mapToObj(i -> series.toNanos(i) / 1e9)
                            .toList(),
                    figures,
                    histories == null ? null : histories.isCut(),
                    histories == null
                            ? null
                            : histories.histories().stream().map(Job::of).toList());
        }
    }

    /** @param steps of each event the time, the kind, and servers with the GPUs held there, in pairs */
    public record Job(String job, int gpus, List<List<Object>> steps) {
        static Job of(JobHistories.History history) {
            List<List<Object>> steps = new ArrayList<>();
            for (JobHistories.Step step : history.steps()) {
                List<Object> one = new ArrayList<>(
                        List.of(step.timeNanos() / 1e9, step.kind().name()));
                one.addAll(step.servers());
                steps.add(one);
            }
            return new Job(history.job().name(), history.job().gpus(), steps);
        }
    }

    public static TimelineJson of(List<RunTimeline> timelines) {
        if (timelines.isEmpty()) {
            return new TimelineJson(List.of(), null, null);
        }
        return new TimelineJson(
                timelines.stream()
                        .filter(one -> one.episode() == 0)
                        .map(Run::of)
                        .toList(),
                timelines.stream().mapToInt(RunTimeline::episode).max().orElse(0) + 1,
                Cluster.of(timelines.get(0).topology()));
    }

    private static BigDecimal rounded(double mean) {
        BigDecimal rounded = new BigDecimal(mean).round(DIGITS);
        return rounded.signum() == 0 ? BigDecimal.ZERO : rounded.stripTrailingZeros();
    }
}
