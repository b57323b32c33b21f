package org.trainyard.experiments.stress;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.trainyard.env.Counted;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.trace.TraceWriter;
import org.trainyard.experiments.distributed.ThreadWorkerPool;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.AnswerTable;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.CellFormat;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.io.Progress;
import org.trainyard.experiments.io.RunDirectory;

/**
 * One search with its files: after every generation the state, after every better one the hardest workload, and at the
 * end the pool and the metrics. Stopped at any moment it keeps the best so far, and goes on from there.
 *
 * @param directory folder of the search
 */
public record StressRun(StressSearch search, RunDirectory directory) {
    private static final String STATE = "search.bin";
    private static final CellFormat PERCENT = CellFormat.percent(0);

    /**
     * How long a search goes on.
     *
     * @param seconds of wall-clock time
     * @param evaluations workloads tried, over all sessions
     */
    public record Budget(double seconds, int evaluations) {
        private boolean isCounted() {
            return evaluations < Integer.MAX_VALUE;
        }

        /** Steps of the progress: workloads of whole generations, where their number is given, else seconds. */
        private long steps() {
            return isCounted()
                    ? evaluations - (evaluations - StressSearch.RANDOM) % StressSearch.CHILDREN
                    : Math.round(seconds);
        }

        private long step(int tried, double elapsedSeconds) {
            return isCounted() ? tried : Math.min(steps(), (long) elapsedSeconds);
        }
    }

    /** Whether a folder holds a search to go on with. */
    public static boolean isResumable(RunDirectory directory) {
        return Files.isRegularFile(directory.lastCheckpoint().resolve(STATE));
    }

    /** Searches until the budget is spent, and writes the result. The first generation is always made. */
    public void run(Budget budget, boolean resume, JsonNode config, PrintWriter out) {
        if (!resume) {
            directory.clear();
        }
        directory.makeCheckpoints();
        Path state = directory.lastCheckpoint().resolve(STATE);
        if (resume) {
            search.restore(StressState.load(state));
        }
        Thread hint = new Thread(() ->
                System.err.println("\ninterrupted; %s is the hardest so far, the same command with --resume continues"
                        .formatted(directory.hardest())));
        Runtime.getRuntime().addShutdownHook(hint);
        long start = System.nanoTime();
        long processor = processorNanos();
        try (ThreadWorkerPool workers = new ThreadWorkerPool()) {
            search(budget, workers, state);
        } finally {
            Runtime.getRuntime().removeShutdownHook(hint);
        }
        Timing timing = new Timing((System.nanoTime() - start) / 1e9, (processorNanos() - processor) / 1e9);
        AtomicFiles.write(directory.timing(), JsonText.pretty(timing));
        directory.unfinish();
        writePool();
        StressTrial.Outcome hardest = search.trial().outcome(search.pool().get(0));
        AtomicFiles.write(directory.summary(), JsonText.pretty(summary(config, hardest)));
        answer(hardest).print(out);
        out.flush();
    }

    private void search(Budget budget, ThreadWorkerPool workers, Path state) {
        long start = System.nanoTime();
        double best = search.hardness().isEmpty() ? 0 : search.hardness().get(0);
        double elapsed = 0;
        try (Progress progress = Progress.resume(
                "stress " + search.trial().name(), budget.step(search.evaluations(), 0), budget.steps())) {
            while (search.evaluations() == 0 || goesOn(budget, elapsed)) {
                search.advance(workers);
                if (search.hardness().get(0) > best) {
                    best = search.hardness().get(0);
                    TraceWriter.write(search.pool().get(0), directory.hardest());
                }
                search.state().save(state);
                elapsed = (System.nanoTime() - start) / 1e9;
                progress.to(
                        budget.step(search.evaluations(), elapsed),
                        Counted.say(
                                "%,d workloads, hardest %.3f times the %s, random ones %.3f",
                                search.evaluations(), best, relativeTo(), search.randomMean()));
            }
        }
    }

    private boolean goesOn(Budget budget, double elapsed) {
        return elapsed < budget.seconds() && search.evaluations() <= budget.evaluations() - StressSearch.CHILDREN;
    }

    private static long processorNanos() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getProcessCpuTime()
                : 0;
    }

    private String relativeTo() {
        StressTrial trial = search.trial();
        return trial.againstReference() ? "mean JCT of " + trial.referenceName() : "lower bound";
    }

    private void writePool() {
        AtomicFiles.makeFolder(directory.pool());
        List<List<TraceJob>> pool = search.pool();
        TraceWriter.write(pool.get(0), directory.hardest());
        for (int i = 0; i < pool.size(); i++) {
            TraceWriter.write(pool.get(i), directory.pool().resolve(String.format(Locale.ROOT, "%02d.csv", i + 1)));
        }
    }

    private record Timing(double wallSeconds, double processorSeconds) {}

    /** {@code summary.json}. */
    private record Summary(
            JsonNode config,
            String scheduler,
            String relativeTo,
            int evaluations,
            Random random,
            Hardest hardest,
            List<Double> pool) {
        private record Random(int workloads, double mean, double worst, WorkloadShape shape) {}

        private record Hardest(
                double hardness,
                double moreThanRandomMean,
                Map<String, Double> jctS,
                double boundS,
                String reference,
                Map<String, Double> referenceJctS,
                WorkloadShape shapeBefore,
                WorkloadShape shape) {}
    }

    private Summary summary(JsonNode config, StressTrial.Outcome hardest) {
        StressTrial trial = search.trial();
        double hardness = search.hardness().get(0);
        return new Summary(
                config,
                trial.name(),
                trial.againstReference() ? trial.referenceName() : "bound",
                search.evaluations(),
                new Summary.Random(
                        search.random().size(),
                        search.randomMean(),
                        Collections.max(search.random()),
                        search.randomShape()),
                new Summary.Hardest(
                        hardness,
                        hardness / search.randomMean() - 1,
                        Map.of("mean", hardest.meanJctSeconds()),
                        hardest.boundSeconds(),
                        trial.referenceName(),
                        Map.of("mean", hardest.referenceSeconds()),
                        search.unshuffledShape(),
                        search.hardestShape()),
                search.hardness());
    }

    private Answer answer(StressTrial.Outcome hardest) {
        StressTrial trial = search.trial();
        double harder = search.hardness().get(0) / search.randomMean() - 1;
        Map<String, Double> seconds = new LinkedHashMap<>();
        seconds.put(trial.name(), hardest.meanJctSeconds());
        seconds.put("reference, " + trial.referenceName(), hardest.referenceSeconds());
        seconds.put("lower bound", hardest.boundSeconds());
        Map<String, WorkloadShape> shapes = new LinkedHashMap<>();
        shapes.put("hardest", search.hardestShape());
        shapes.put("as generated", search.unshuffledShape());
        shapes.put("random, mean", search.randomShape());
        return new Answer()
                .say(Counted.say(
                        "%s: of %,d workloads the hardest has a mean JCT of %.3f times the %s; %d random ones have %.3f on average, so it is %.0f %% worse",
                        trial.name(),
                        search.evaluations(),
                        search.hardness().get(0),
                        relativeTo(),
                        search.random().size(),
                        search.randomMean(),
                        100 * harder))
                .table(AnswerTable.of(seconds.entrySet())
                        .text("hardest workload", Map.Entry::getKey)
                        .number("seconds", "%,.1f", Map.Entry::getValue)
                        .duration("mean JCT", Map.Entry::getValue))
                .gap()
                .table(AnswerTable.of(shapes.entrySet())
                        .text("what arrives", Map.Entry::getKey)
                        .number("peak backlog, h", "%.1f", row -> row.getValue().peakBacklogHours())
                        .column(
                                "work in first half",
                                PERCENT,
                                row -> row.getValue().earlyWork())
                        .number("long first", "%+.2f", row -> row.getValue().longFirst())
                        .number("wide first", "%+.2f", row -> row.getValue().wideFirst())
                        .column(
                                "short behind long",
                                PERCENT,
                                row -> row.getValue().shortBehindLong()))
                .say("trace: %s".formatted(directory.hardest()));
    }
}
