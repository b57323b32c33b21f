package org.trainyard.env.performance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.performance.ring.RingPerformance;

/**
 * The form of {@link RingPerformance} against step times measured on T4s for Pollux (A. Qiao et al., OSDI 2021):
 * compute as measured on one GPU, and a ring with three constants per model (seconds per gradient inside a node and
 * across nodes, and per step across nodes), fitted to every other placement and tried on the rest.
 */
class PlacementSensitivityTest {
    private record Row(String placement, int batch, double seconds) {
        int gpus() {
            return placement.chars().map(digit -> digit - '0').sum();
        }

        boolean spans() {
            return placement.length() > 1;
        }

        double rounds() {
            return 2.0 * (gpus() - 1) / gpus();
        }

        double steps() {
            return 2.0 * (gpus() - 1);
        }
    }

    private record Constants(double inside, double across, double step) {
        double seconds(Row row) {
            return row.spans() ? across * row.rounds() + step * row.steps() : inside * row.rounds();
        }
    }

    private static List<Row> rows(String model) throws IOException {
        Path pack = Path.of(System.getProperty("trainyard.root", "."), "..", "shared", "data", "pollux");
        Path archive = pack.resolve("throughput_traces_T4.tar.xz");
        assumeTrue(Files.exists(archive), () -> "skipped: the data pack has no " + archive);
        Path tar = Path.of("/usr/bin/tar");
        assumeTrue(Files.isExecutable(tar), () -> "skipped: there is no " + tar + " to unpack with");
        String member = "pollux/pollux_simulator/traces/%s/placements.csv".formatted(model);
        Process process = new ProcessBuilder(tar.toString(), "-xJOf", archive.toString(), member)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<Row> rows = new ArrayList<>();
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            reader.lines()
                    .skip(1)
                    .map(line -> line.split(",", -1))
                    .forEach(cells ->
                            rows.add(new Row(cells[0], Integer.parseInt(cells[1]), Double.parseDouble(cells[2]))));
        }
        assertThat(rows).as(member).isNotEmpty();
        return rows;
    }

    /** Least squares of the relative error, over constants of 0 or more. */
    private static Constants fit(List<Row> rows, Map<Integer, Double> compute) {
        double[] inside = new double[2];
        double[][] sums = new double[2][3];
        for (Row row : rows) {
            double target = 1 - compute.getOrDefault(row.batch(), Double.NaN) / row.seconds();
            double bytes = row.rounds() / row.seconds();
            double steps = row.steps() / row.seconds();
            if (!row.spans()) {
                inside[0] += bytes * target;
                inside[1] += bytes * bytes;
                continue;
            }
            sums[0][0] += bytes * bytes;
            sums[0][1] += bytes * steps;
            sums[0][2] += bytes * target;
            sums[1][1] += steps * steps;
            sums[1][2] += steps * target;
        }
        double determinant = sums[0][0] * sums[1][1] - sums[0][1] * sums[0][1];
        double across = (sums[0][2] * sums[1][1] - sums[1][2] * sums[0][1]) / determinant;
        double step = (sums[1][2] * sums[0][0] - sums[0][2] * sums[0][1]) / determinant;
        if (step < 0) {
            step = 0;
            across = sums[0][2] / sums[0][0];
        }
        return new Constants(Math.max(0, inside[0] / inside[1]), across, step);
    }

    @ParameterizedTest
    @CsvSource({"bert, 0.10", "cifar10, 0.11", "deepspeech2, 0.08", "imagenet, 0.12", "ncf, 0.10", "yolov3, 0.08"})
    void step_times_on_placements_never_seen_are_met(String model, double bound) throws IOException {
        List<Row> rows = rows(model);
        Map<Integer, Double> compute = new HashMap<>();
        rows.stream().filter(row -> row.gpus() == 1).forEach(row -> compute.put(row.batch(), row.seconds()));
        List<String> placements = rows.stream()
                .map(Row::placement)
                .distinct()
                .sorted(Comparator.comparing(String::length).thenComparing(Comparator.naturalOrder()))
                .toList();
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < placements.size(); i += 2) {
            seen.add(placements.get(i));
        }
        List<Row> usable = rows.stream()
                .filter(row -> row.gpus() > 1 && compute.containsKey(row.batch()))
                .toList();
        Constants constants = fit(
                usable.stream().filter(row -> seen.contains(row.placement())).toList(), compute);
        double[] errors = usable.stream()
                .filter(row -> !seen.contains(row.placement()))
                .mapToDouble(row ->
                        Math.abs(compute.getOrDefault(row.batch(), Double.NaN) + constants.seconds(row) - row.seconds())
                                / row.seconds())
                .sorted()
                .toArray();
        double mean = java.util.Arrays.stream(errors).average().orElseThrow();
        System.out.printf(
                "%-12s held out %4d  mean error %.3f  worst %.2f  inside %.5f s  across %.5f s  step %.6f s%n",
                model,
                errors.length,
                mean,
                errors[errors.length - 1],
                constants.inside(),
                constants.across(),
                constants.step());
        assertThat(mean).isLessThan(bound).isLessThan(0.15);
    }
}
