package org.trainyard.experiments.simulation;

import static org.trainyard.experiments.io.TextTable.number;

import java.io.PrintWriter;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.SchedulerScore;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.io.TextTable;
import org.trainyard.experiments.metrics.Distribution;

/** The tables of {@code simulate}: schedulers by mean JCT, then the hash of each event log. */
final class SimulationTables {
    private SimulationTables() {}

    static void print(Evaluation evaluation, WallTimes walls, PrintWriter out) {
        TextTable times =
                new TextTable("scheduler", "jobs", "mean JCT, s", "median", "p95", "p99", "queueing", "makespan");
        TextTable rest = new TextTable(
                "scheduler", "mean JCT", "GPUs used", "slowdown", "preemptions", "decisions", "wall time", "events/s");
        for (SchedulerScore score : evaluation.ranking()) {
            Distribution jct = score.jct();
            times.add(
                    score.name(),
                    number("%,d", score.jobs()),
                    number("%,.1f", jct.mean()),
                    number("%,.1f", jct.median()),
                    number("%,.1f", jct.p95()),
                    number("%,.1f", jct.p99()),
                    number("%,.1f", score.queueingDelayMean()),
                    number("%,.1f", score.makespan()));
            WallTimes.Wall wall = walls.of(score.name());
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
        evaluation.scores().forEach(score -> hashes.add(score.name(), score.eventLogSha256()));
        hashes.print(out);
    }
}
