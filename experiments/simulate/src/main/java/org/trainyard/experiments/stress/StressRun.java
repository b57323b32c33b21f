package org.trainyard.experiments.stress;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.TraceWriter;
import org.trainyard.experiments.distributed.ThreadWorkerPool;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.io.Progress;
import org.trainyard.experiments.io.RunDirectory;
import org.trainyard.experiments.io.TextTable;

/**
 * One search with its files: after every generation the state, after every better one the hardest workload, and at
 * the end the pool and the metrics. Stopped at any moment it keeps the best so far, and goes on from there.
 *
 * @param directory folder of the search
 */
public record StressRun(StressSearch search, RunDirectory directory) {
    private static final String STATE = "search.bin";

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
        ObjectNode timing = JsonNodeFactory.instance.objectNode();
        timing.put("wall_seconds", (System.nanoTime() - start) / 1e9);
        timing.put("processor_seconds", (processorNanos() - processor) / 1e9);
        AtomicFiles.write(directory.timing(), JsonText.pretty(timing));
        directory.unfinish();
        writePool();
        StressTrial.Outcome hardest = search.trial().outcome(search.pool().get(0));
        AtomicFiles.write(directory.summary(), JsonText.pretty(summary(config, hardest)));
        print(hardest, out);
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
                        "%,d workloads, hardest %.3f times the %s, random ones %.3f"
                                .formatted(search.evaluations(), best, relativeTo(), search.randomMean()));
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

    private ObjectNode summary(JsonNode config, StressTrial.Outcome hardest) {
        ObjectNode summary = JsonNodeFactory.instance.objectNode();
        summary.set("config", config);
        summary.put("scheduler", search.trial().name());
        summary.put(
                "relative_to",
                search.trial().againstReference() ? search.trial().referenceName() : "bound");
        summary.put("evaluations", search.evaluations());
        ObjectNode random = summary.putObject("random");
        random.put("workloads", search.random().size());
        random.put("mean", search.randomMean());
        random.put(
                "worst",
                search.random().stream().mapToDouble(value -> value).max().orElseThrow());
        random.set("shape", search.randomShape().json());
        ObjectNode found = summary.putObject("hardest");
        found.put("hardness", search.hardness().get(0));
        found.put("more_than_random_mean", search.hardness().get(0) / search.randomMean() - 1);
        found.putObject("jct_s").put("mean", hardest.meanJctSeconds());
        found.put("bound_s", hardest.boundSeconds());
        found.put("reference", search.trial().referenceName());
        found.putObject("reference_jct_s").put("mean", hardest.referenceSeconds());
        found.set("shape_before", search.unshuffledShape().json());
        found.set("shape", search.hardestShape().json());
        ArrayNode pool = summary.putArray("pool");
        search.hardness().forEach(pool::add);
        return summary;
    }

    private void print(StressTrial.Outcome hardest, PrintWriter out) {
        StressTrial trial = search.trial();
        double harder = search.hardness().get(0) / search.randomMean() - 1;
        out.println(
                "%s: of %,d workloads the hardest has a mean JCT of %.3f times the %s; %d random ones have %.3f on average, so it is %.0f %% worse"
                        .formatted(
                                trial.name(),
                                search.evaluations(),
                                search.hardness().get(0),
                                relativeTo(),
                                search.random().size(),
                                search.randomMean(),
                                100 * harder));
        TextTable table = new TextTable("hardest workload", "seconds", "mean JCT");
        row(table, trial.name(), hardest.meanJctSeconds());
        row(table, "reference, " + trial.referenceName(), hardest.referenceSeconds());
        row(table, "lower bound", hardest.boundSeconds());
        table.print(out);
        out.println();
        TextTable shape = new TextTable(
                "what arrives",
                "peak backlog, h",
                "work in first half",
                "long first",
                "wide first",
                "short behind long");
        add(shape, "hardest", search.hardestShape());
        add(shape, "as generated", search.unshuffledShape());
        add(shape, "random, mean", search.randomShape());
        shape.print(out);
        out.println("trace: %s".formatted(directory.hardest()));
        out.flush();
    }

    private static void row(TextTable table, String name, double seconds) {
        table.add(name, TextTable.number("%,.1f", seconds), Durations.human(seconds));
    }

    private static void add(TextTable table, String name, WorkloadShape shape) {
        table.add(
                name,
                TextTable.number("%.1f", shape.peakBacklogHours()),
                TextTable.number("%.0f %%", 100 * shape.earlyWork()),
                TextTable.number("%+.2f", shape.longFirst()),
                TextTable.number("%+.2f", shape.wideFirst()),
                TextTable.number("%.0f %%", 100 * shape.shortBehindLong()));
    }
}
