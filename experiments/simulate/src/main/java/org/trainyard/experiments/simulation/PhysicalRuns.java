package org.trainyard.experiments.simulation;

import static org.trainyard.experiments.io.CellFormat.number;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.AnswerTable;
import org.trainyard.experiments.io.InputFiles;

/**
 * Published runs of the same jobs on a physical cluster and in its authors' simulator.
 *
 * <p>The file is a JSON array of runs with {@code policy}, {@code kind} (physical or simulation), {@code makespan},
 * {@code jct_list} (by job, seconds) and {@code pickle}. A simulated run belongs to the physical run whose pickle is in
 * the same folder.
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
                    Counted.of(run.jct().size(), "job"),
                    Counted.say("the JCTs of %d jobs and a makespan, as in the trace", jobs));
        }
    }

    /** {@code shockwave-max-min-fairness/at-once} runs the policy {@code max_min_fairness}. */
    private static String policy(String scheduler) {
        return scheduler.replaceFirst("^shockwave-", "").replaceFirst("/.*", "").replace('-', '_');
    }

    private record Row(
            String name, Run physical, Run ours, @Nullable Run authors) {
        String error(@Nullable Run run, ToDoubleFunction<Run> figure) {
            return run == null
                    ? "-"
                    : number("%+.1f %%", 100 * (figure.applyAsDouble(run) / figure.applyAsDouble(physical) - 1));
        }

        String jobByJob(@Nullable Run run) {
            return run == null ? "-" : number("%.1f %%", 100 * run.jobByJob(physical));
        }
    }

    /** The errors of our runs and of the authors' simulator against the physical runs. */
    public Answer answer(Evaluation evaluation) {
        List<Row> rows = evaluation.runs().stream()
                .map(runs -> {
                    Pair pair = Objects.requireNonNull(byPolicy.get(policy(runs.name())));
                    return new Row(
                            runs.name(), pair.physical(), Run.of(runs.episodes().get(0)), pair.simulated());
                })
                .toList();
        return new Answer()
                .gap()
                .table(AnswerTable.of(rows)
                        .text("against physical runs", Row::name)
                        .count("makespan, s", row -> row.physical.makespan())
                        .text("ours", row -> row.error(row.ours, Run::makespan))
                        .text("authors'", row -> row.error(row.authors, Run::makespan))
                        .count("mean JCT, s", row -> row.physical.meanJct())
                        .text("ours", row -> row.error(row.ours, Run::meanJct))
                        .text("authors'", row -> row.error(row.authors, Run::meanJct))
                        .text("job by job, ours", row -> row.jobByJob(row.ours))
                        .text("authors'", row -> row.jobByJob(row.authors)));
    }
}
