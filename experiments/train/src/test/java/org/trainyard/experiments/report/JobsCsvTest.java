package org.trainyard.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.Runs;

class JobsCsvTest {
    @TempDir
    Path folder;

    @Test
    void every_job_is_a_row_with_exact_seconds() {
        RunResult first = new RunResult(
                List.of(
                        Runs.job(0, 0, 1, 2_000_000_001L),
                        Runs.job(1, 500_000_000L, 2_000_000_001L, 3_600_000_000_000L)),
                List.of(),
                4,
                1,
                2,
                6,
                "x");
        Evaluation evaluation = Evaluation.of(List.of(Runs.heuristic("fifo, \"plain\"", first, Runs.episode(7))), 1);

        JobsCsv.write(folder.resolve("jobs.csv"), evaluation);

        assertThat(folder.resolve("jobs.csv")).hasContent("""
                        scheduler,episode,job,submit,first_start,end,gpus,queueing_delay,run_time,preemptions,user,group,virtual_cluster,model,servers,racks,undisturbed,restart,interference,placement
                        "fifo, ""plain""\",0,job-0,0,0.000000001,2.000000001,1,0.000000001,2,0,,,,resnet50,1,1,2,0,0,0
                        "fifo, ""plain""\",0,job-1,0.5,2.000000001,3600,1,1.500000001,3597.999999999,0,,,,resnet50,1,1,3597.999999999,0,0,0
                        "fifo, ""plain""\",1,job-0,0,0,7,1,0,7,0,,,,resnet50,1,1,7,0,0,0
                        """);
    }

    @Test
    void lines_end_the_same_on_every_system() throws IOException {
        JobsCsv.write(folder.resolve("jobs.csv"), Runs.example(2, 10));

        String text = Files.readString(folder.resolve("jobs.csv"));
        assertThat(text).doesNotContain("\r").endsWith("\n");
        assertThat(text.lines()).hasSize(1 + 6 * 2 * 10);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {"=HYPERLINK(1) |=HYPERLINK(1)", "+1 |+1", "@SUM(1) |@SUM(1)", "a\u001b[31m a?[31m", "a=b-c a=b-c"})
    void a_name_is_neither_a_formula_nor_a_command_of_a_terminal(String name, String written) throws IOException {
        RunResult one = new RunResult(List.of(Runs.job(0, name, 0, 1, 2)), List.of(), 4, 1, 2, 6, "x");

        JobsCsv.write(
                folder.resolve("jobs.csv"), Evaluation.of(List.of(Runs.heuristic("fifo", one, Runs.episode(7))), 1));

        assertThat(Files.readAllLines(folder.resolve("jobs.csv")).get(1))
                .startsWith("fifo,0," + written.replace('|', '\'') + ",");
    }
}
