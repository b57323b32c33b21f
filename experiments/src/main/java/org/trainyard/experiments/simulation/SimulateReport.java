package org.trainyard.experiments.simulation;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.SchedulerScore;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.io.TextTable;

/** What {@code simulate} prints: a table of schedulers, then the hash of each event log. */
public final class SimulateReport {
    private record Wall(long events, double seconds) {
        double eventsPerSecond() {
            return seconds > 0 ? events / seconds : 0;
        }
    }

    private final Map<String, Wall> walls = new LinkedHashMap<>();

    /** A scheduler's run took so many seconds of the wall clock. */
    public void took(String scheduler, long events, double seconds) {
        walls.put(scheduler, new Wall(events, seconds));
    }

    public void print(Evaluation evaluation, TraceSimulation simulation, PrintWriter out) {
        out.println(simulation.title());
        out.println("World: %s.".formatted(simulation.world().name()));
        out.println();
        TextTable times =
                new TextTable("scheduler", "jobs", "mean JCT, s", "median", "p95", "p99", "queueing", "makespan");
        TextTable rest = new TextTable(
                "scheduler", "mean JCT", "GPUs used", "slowdown", "preemptions", "decisions", "wall time", "events/s");
        for (SchedulerScore score : evaluation.ranking()) {
            SchedulerScore.Jct jct = score.jct();
            times.add(
                    score.name(),
                    number("%,d", score.jobs()),
                    number("%,.1f", jct.mean()),
                    number("%,.1f", jct.median()),
                    number("%,.1f", jct.p95()),
                    number("%,.1f", jct.p99()),
                    number("%,.1f", score.queueingDelayMean()),
                    number("%,.1f", score.makespan()));
            Wall wall = walls.getOrDefault(score.name(), new Wall(0, 0));
            rest.add(
                    score.name(),
                    Durations.human(jct.mean()),
                    number("%.1f %%", 100 * score.gpuUtilisation()),
                    number("%.3f", score.slowdownMean()),
                    number("%,d", score.preemptions()),
                    number("%,d", score.decisions()),
                    number("%.2f s", wall.seconds()),
                    number("%,.0f", wall.eventsPerSecond()));
        }
        times.print(out);
        out.println();
        rest.print(out);
        out.println();
        TextTable hashes = new TextTable("scheduler", "SHA-256 of the event log");
        evaluation
                .runs()
                .forEach(runs -> hashes.add(runs.name(), runs.episodes().get(0).eventLogSha256()));
        hashes.print(out);
        if (!simulation.remarks().isEmpty()) {
            out.println();
            simulation.remarks().forEach(remark -> out.println("Note: %s.".formatted(remark)));
        }
    }

    /** The wall clock's part, for {@code timing.json}. */
    public ObjectNode timing() {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        ArrayNode schedulers = root.putArray("schedulers");
        walls.forEach((name, wall) -> schedulers
                .addObject()
                .put("name", name)
                .put("wall_seconds", wall.seconds())
                .put("events", wall.events())
                .put("events_per_second", wall.eventsPerSecond()));
        return root;
    }

    private static String number(String format, Object value) {
        return String.format(Locale.ROOT, format, value);
    }
}
