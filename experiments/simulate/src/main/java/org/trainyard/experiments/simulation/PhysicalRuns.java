package org.trainyard.experiments.simulation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.SchedulerRuns;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.TextTable;

/**
 * Published runs of the same jobs on a physical cluster and in its authors' simulator.
 *
 * <p>The file is a JSON array of runs with {@code policy}, {@code kind} (physical or simulation), {@code makespan},
 * {@code jct_list} (by job, seconds) and {@code pickle}. A simulated run belongs to the physical run whose pickle
 * is in the same folder.
 */
public final class PhysicalRuns {
    private static final String EXPECTED = "an array of runs, some of kind physical";

    /** Makespan and JCT of each job in order of submission, seconds. */
    private record Run(double makespan, List<Double> jct) {
        double meanJct() {
            return jct.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
        }

        static Run of(RunResult result) {
            return new Run(
                    result.makespanSeconds(),
                    result.jobs().stream().map(job -> job.jctNanos() / 1e9).toList());
        }

        /** Mean absolute difference of a job's JCT from another run, over the mean JCT of that run. */
        double jobByJob(Run other) {
            double sum = IntStream.range(0, jct.size())
                    .mapToDouble(i -> Math.abs(jct.get(i) - other.jct.get(i)))
                    .sum();
            return sum / jct.size() / other.meanJct();
        }
    }

    private record Pair(Run physical, @Nullable Run simulated) {}

    private final Path file;
    private final Map<String, Pair> byPolicy;

    private PhysicalRuns(Path file, Map<String, Pair> byPolicy) {
        this.file = file;
        this.byPolicy = byPolicy;
    }

    /** Reads a file in which every scheduler must have a physical run of so many jobs. */
    public static PhysicalRuns read(Path file, List<String> schedulers, int jobs) {
        Map<String, Run> runs = new HashMap<>();
        Map<String, String> physical = new HashMap<>();
        for (JsonNode node : tree(file)) {
            String policy = node.path("policy").asText("");
            String kind = node.path("kind").asText("");
            String folder = node.path("pickle").asText("").replaceFirst("[^/]*$", "");
            List<Double> jct = new ArrayList<>();
            node.path("jct_list").forEach(value -> jct.add(value.asDouble(Double.NaN)));
            runs.put(
                    policy + " " + kind + " " + folder,
                    new Run(node.path("makespan").asDouble(Double.NaN), jct));
            if (kind.equals("physical")) {
                physical.put(policy, folder);
            }
        }
        Map<String, Pair> pairs = new HashMap<>();
        physical.forEach((policy, folder) -> pairs.put(
                policy,
                new Pair(
                        Objects.requireNonNull(runs.get(policy + " physical " + folder)),
                        runs.get(policy + " simulation " + folder))));
        PhysicalRuns read = new PhysicalRuns(file, pairs);
        schedulers.forEach(scheduler -> read.check(scheduler, jobs));
        return read;
    }

    private static JsonNode tree(Path file) {
        JsonNode root;
        try {
            root = new ObjectMapper().readTree(InputFiles.readable(file).toFile());
        } catch (JsonProcessingException e) {
            throw new InputException("%s: is not valid JSON: expected %s".formatted(file, EXPECTED));
        } catch (IOException e) {
            throw new InputException("%s: cannot be read (%s): expected %s".formatted(file, e.getMessage(), EXPECTED));
        }
        if (!root.isArray()) {
            throw new InputException("%s: is no array: expected %s".formatted(file, EXPECTED));
        }
        return root;
    }

    private void check(String scheduler, int jobs) {
        Pair pair = byPolicy.get(policy(scheduler));
        if (pair == null) {
            throw InputException.at(
                    file + ", policy",
                    policy(scheduler),
                    "a physical run for each scheduler; there are runs of "
                            + byPolicy.keySet().stream().sorted().toList());
        }
        check(scheduler, pair.physical(), jobs);
        if (pair.simulated() != null) {
            check(scheduler, pair.simulated(), jobs);
        }
    }

    private void check(String scheduler, Run run, int jobs) {
        boolean isNumber = Double.isFinite(run.makespan()) && Double.isFinite(run.meanJct());
        if (!isNumber || run.jct().size() != jobs) {
            throw InputException.at(
                    "%s, %s, jct_list".formatted(file, policy(scheduler)),
                    "%d jobs".formatted(run.jct().size()),
                    "the JCTs of %d jobs and a makespan, as in the trace".formatted(jobs));
        }
    }

    /** {@code shockwave-max-min-fairness/at-once} runs the policy {@code max_min_fairness}. */
    private static String policy(String scheduler) {
        return scheduler.replaceFirst("^shockwave-", "").replaceFirst("/.*", "").replace('-', '_');
    }

    /** Prints the errors of our runs and of the authors' simulator against the physical runs. */
    public void print(Evaluation evaluation, PrintWriter out) {
        TextTable table = new TextTable(
                "against physical runs",
                "makespan, s",
                "ours",
                "authors'",
                "mean JCT, s",
                "ours",
                "authors'",
                "job by job, ours",
                "authors'");
        for (SchedulerRuns runs : evaluation.runs()) {
            Pair pair = Objects.requireNonNull(byPolicy.get(policy(runs.name())));
            Run physical = pair.physical();
            Run ours = Run.of(runs.episodes().get(0));
            Run authors = pair.simulated();
            table.add(
                    runs.name(),
                    String.format(Locale.ROOT, "%,.0f", physical.makespan()),
                    error(ours.makespan(), physical.makespan()),
                    authors == null ? "-" : error(authors.makespan(), physical.makespan()),
                    String.format(Locale.ROOT, "%,.0f", physical.meanJct()),
                    error(ours.meanJct(), physical.meanJct()),
                    authors == null ? "-" : error(authors.meanJct(), physical.meanJct()),
                    String.format(Locale.ROOT, "%.1f %%", 100 * ours.jobByJob(physical)),
                    authors == null ? "-" : String.format(Locale.ROOT, "%.1f %%", 100 * authors.jobByJob(physical)));
        }
        out.println();
        table.print(out);
    }

    private static String error(double value, double truth) {
        return String.format(Locale.ROOT, "%+.1f %%", 100 * (value / truth - 1));
    }
}
