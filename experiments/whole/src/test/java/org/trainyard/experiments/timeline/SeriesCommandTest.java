package org.trainyard.experiments.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.Shell;

/** The series of {@code simulate --out}, against its {@code summary.json} and {@code jobs.csv}. */
class SeriesCommandTest {
    @TempDir
    Path folder;

    @Test
    void the_series_integrate_to_the_gpu_time_and_the_waits_of_all_jobs() throws IOException {
        Path out = folder.resolve("run");
        Shell shell = Shell.command(
                "simulate --trace generated --jobs 300 --cluster 2x2x4 --scheduler srtf,fifo --out %s", out);
        assertThat(shell.code()).as(shell.err()).isZero();

        List<String[]> rows = Files.readAllLines(out.resolve("series.csv")).stream()
                .map(line -> line.split(",", -1))
                .toList();
        assertThat(rows.get(0))
                .startsWith("scheduler", "episode", "from_s", "to_s", "queue_length", "pending_gpus")
                .endsWith("gpus_held_rack_1", "gpus_held_rack_2");
        double waits = Files.readAllLines(out.resolve("jobs.csv")).stream()
                .filter(line -> line.startsWith("srtf,"))
                .mapToDouble(line -> Double.parseDouble(line.split(",", -1)[7]))
                .sum();
        assertThat(integral(rows, "srtf", 4) / waits).isBetween(1 - 1e-6, 1 + 1e-6);
        double held = integral(rows, "srtf", 7);
        double byRack = integral(rows, "srtf", 9) + integral(rows, "srtf", 10);
        assertThat(byRack / held).isBetween(1 - 1e-6, 1 + 1e-6);
        assertThat(out.resolve("report.html")).content().contains("The cluster over time");
    }

    private static double integral(List<String[]> rows, String scheduler, int column) {
        return rows.stream()
                .filter(row -> row[0].equals(scheduler))
                .mapToDouble(row -> {
                    double[] numbers = Arrays.stream(row)
                            .skip(1)
                            .mapToDouble(Double::parseDouble)
                            .toArray();
                    return (numbers[2] - numbers[1]) * numbers[column - 1];
                })
                .sum();
    }
}
