package org.trainyard.experiments.inspection;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.trace.BadLine;
import org.trainyard.env.workload.trace.Trace;
import org.trainyard.env.workload.trace.audit.TraceStatistics;

/** Statistics, oddities and bad lines of a trace. */
public final class TraceReport implements Report {
    private final Trace trace;
    private final TraceStatistics statistics;
    private final @Nullable Topology topology;

    public TraceReport(Trace trace, @Nullable Topology topology) {
        this.trace = trace;
        this.topology = topology;
        statistics = TraceStatistics.of(trace);
    }

    @Override
    public void print(PrintWriter out) {
        out.println("%s, format %s".formatted(trace.name(), trace.format().label()));
        statistics.lines(topology).forEach(out::println);
        out.println("bad lines      %,d".formatted(trace.badLineCount()));
        trace.badLines().forEach(line -> out.println("  " + line));
        if (trace.badLineCount() > trace.badLines().size()) {
            out.println("  and %,d more"
                    .formatted(trace.badLineCount() - trace.badLines().size()));
        }
    }

    @Override
    public Map<String, Object> json() {
        TraceStatistics.Quantiles duration = statistics.duration();
        Map<String, Object> durations = new LinkedHashMap<>();
        durations.put("min", duration.min());
        durations.put("median", duration.p50());
        durations.put("p90", duration.p90());
        durations.put("p99", duration.p99());
        durations.put("max", duration.max());
        durations.put("mean", duration.mean());
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", trace.name());
        json.put("format", trace.format().label());
        json.put("jobs", statistics.jobs());
        json.put("span", statistics.spanSeconds());
        json.put("duration", durations);
        json.put("gpu_hours", statistics.gpuHours());
        json.put("gpu_demand", statistics.gpuDemand());
        json.put("virtual_clusters", statistics.virtualClusters());
        json.put("users", statistics.users().size());
        json.put("groups", statistics.groups().size());
        json.put("model_share", statistics.modelShare());
        if (topology != null) {
            json.put("offered_load", load(statistics.offeredLoad(topology)));
            json.put("offered_load_fitting", load(statistics.fittingLoad(topology)));
            json.put("wider_than_cluster", statistics.widerThan(topology));
        }
        json.put("oddities", statistics.oddities());
        json.put("bad_line_count", trace.badLineCount());
        List<String> bad = trace.badLines().stream().map(BadLine::toString).toList();
        json.put("bad_lines", bad);
        return json;
    }

    /** JSON has no number for an undefined load. */
    private static Object load(double load) {
        return Double.isFinite(load) ? (Object) load : "undefined";
    }
}
