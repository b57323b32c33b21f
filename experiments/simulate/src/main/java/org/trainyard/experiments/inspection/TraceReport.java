package org.trainyard.experiments.inspection;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.FitReason;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.BadLine;
import org.trainyard.env.workload.LeftOut;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.trace.audit.ReplayCheck;
import org.trainyard.env.workload.trace.audit.TraceAudit;
import org.trainyard.env.workload.trace.audit.TraceStatistics;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.report.HtmlReport;

/** Statistics, audit, oddities and bad lines of a trace, and what was left out of it. */
public final class TraceReport implements Report {
    private final Trace trace;
    private final TraceAudit audit;
    private final TraceStatistics statistics;
    private final List<LeftOut> unfit;
    /** Reasons why it cannot be replayed as it stands. */
    private final List<String> obstacles;

    private final @Nullable ReplayCheck check;
    private final @Nullable Topology topology;

    private TraceReport(
            Trace trace,
            TraceAudit audit,
            List<LeftOut> unfit,
            @Nullable ReplayCheck check,
            @Nullable Topology topology) {
        this.trace = trace;
        this.audit = audit;
        this.unfit = unfit;
        this.check = check;
        obstacles = check == null ? List.of() : check.sentences();
        this.topology = topology;
        statistics = audit.statistics(trace);
    }

    /**
     * Audits a trace while it is read; its jobs are not kept.
     *
     * @param read hands out the jobs, and says what else was found
     * @param topology that they are to fit on, or null
     */
    public static TraceReport of(Function<Consumer<TraceJob>, Trace> read, @Nullable Topology topology) {
        TraceAudit audit = new TraceAudit();
        if (topology == null) {
            return new TraceReport(read.apply(audit), audit, List.of(), null, null);
        }
        FitReason.Tally fit = new FitReason.Tally(new FitReason(topology));
        ReplayCheck check = new ReplayCheck(topology);
        Trace trace = read.apply(audit.andThen(fit).andThen(check));
        return new TraceReport(trace, audit, fit.leftOut(), check, topology);
    }

    @Override
    public Answer answer() {
        Answer answer = new Answer()
                .say("%s, format %s".formatted(trace.name(), trace.format().label()));
        trace.leftOut()
                .forEach(left -> answer.tell(
                        left.reason().startsWith(LeftOut.WAITING)
                                ? "left out       %,d jobs %s"
                                : "left out       %,d jobs %s: %,.1f GPU-hours, %.1f %% of the load",
                        left.jobs(),
                        left.reason(),
                        left.gpuHours(),
                        percent(left)));
        unfit.forEach(left -> answer.tell("note           %,d jobs %s.", left.jobs(), left.reason()));
        answer.say(statistics.lines(topology, trace.format().tenant()));
        loads().forEach((type, load) -> answer.tell(
                "%-14s %.3f of the %,d GPUs%s",
                type.isEmpty() ? "load, any type" : "load, " + type,
                load,
                check == null ? 0 : check.gpusOf(type),
                type.isEmpty() ? ", by jobs that ask for no type" : " of type " + type));
        obstacles.forEach(obstacle -> answer.say("replay         " + obstacle));
        answer.say(audit.lines());
        answer.tell("bad lines      %,d", trace.badLineCount());
        trace.badLines().forEach(line -> answer.say("  " + line));
        long others = trace.badLineCount() - trace.badLines().size();
        return others == 0 ? answer : answer.tell("  and %,d more", others);
    }

    private record Page(String title, Object log) {}

    /** The audit as an HTML page with charts; the same bytes for the same audit. */
    public String html() {
        return HtmlReport.page(
                new Page(trace.name() + ", a log of format " + trace.format().label(), json()));
    }

    private Map<String, Double> loads() {
        return check == null ? Map.of() : check.loadByType(statistics.spanSeconds());
    }

    /** GPU-hours left out, in per cent of all GPU-hours that the log knows of. */
    private double percent(LeftOut left) {
        double all = audit.gpuHours()
                + trace.leftOut().stream().mapToDouble(LeftOut::gpuHours).sum();
        return all == 0 ? 0 : 100 * left.gpuHours() / all;
    }

    @Override
    public Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", trace.name());
        json.put("format", trace.format().label());
        json.put("jobs", audit.jobs());
        put(statistics, json);
        json.put("audit", audit.json());
        json.put("left_out", parts(trace.leftOut()));
        if (topology != null) {
            json.put("does_not_fit", parts(unfit));
            json.put("obstacles", obstacles);
        }
        json.put("bad_line_count", trace.badLineCount());
        json.put("bad_lines", trace.badLines().stream().map(BadLine::toString).toList());
        return json;
    }

    /** @param percentOfLoad its part of all GPU-hours that the log knows of */
    private record Part(@JsonUnwrapped LeftOut left, double percentOfLoad) {}

    private List<Part> parts(List<LeftOut> all) {
        return all.stream().map(left -> new Part(left, percent(left))).toList();
    }

    private void put(TraceStatistics figures, Map<String, Object> json) {
        json.put("span", figures.spanSeconds());
        json.put("duration", figures.duration());
        json.put("gpu_hours", figures.gpuHours());
        json.put("gpu_demand", figures.gpuDemand());
        json.put("gpu_hours_by_demand", figures.gpuHoursByDemand());
        json.put("virtual_clusters", figures.virtualClusters());
        json.put("users", figures.users().size());
        json.put("groups", figures.groups().size());
        json.put("model_share", figures.modelShare());
        if (topology != null) {
            json.put("offered_load", load(figures.offeredLoad(topology)));
            json.put("offered_load_fitting", load(figures.fittingLoad(topology)));
            json.put("offered_load_by_type", loads());
            json.put("wider_than_cluster", figures.widerThan(topology));
        }
        json.put("oddities", figures.oddities());
    }

    /** JSON has no number for an undefined load. */
    private static Object load(double load) {
        return Double.isFinite(load) ? (Object) load : "undefined";
    }
}
