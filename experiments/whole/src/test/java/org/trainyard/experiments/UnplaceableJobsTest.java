package org.trainyard.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Jobs that agents cannot place are refused before anything is trained or run, with one line that names the job and the
 * field.
 */
class UnplaceableJobsTest {
    private static final Path ROOT = Path.of(System.getProperty("trainyard.root", ".."));
    private static final int JOBS = 60;

    @TempDir
    private Path directory;

    /** A trace whose last job but one, in the part that tests, has this demand. */
    private Path trace(String demand) throws IOException {
        List<String> lines =
                new ArrayList<>(List.of("job,submit_s,gpus,duration_s,gpu_milli,min_gpus,max_gpus,one_server"));
        for (int i = 0; i < JOBS; i++) {
            lines.add("job%d,%d,%s".formatted(i, 60 * i, i == JOBS - 2 ? demand : "2,600,,,,"));
        }
        return Files.write(directory.resolve("trace.csv"), lines);
    }

    private void refuses(Shell shell, Path trace, String field) {
        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err().strip())
                .contains("%s, job job58: '%s' is not valid".formatted(trace, field))
                .contains("a fixed number of whole GPUs")
                .doesNotContain("\n");
        assertThat(directory.resolve("run")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "1,600,500,,,; gpu_milli 500",
                "2,600,,1,4,; min_gpus 1, max_gpus 4",
            })
    void training_refuses_them(String demand, String field) throws IOException {
        Path trace = trace(demand);

        refuses(
                Shell.command(
                        "train %s --set %s --set episodes.jobs=10 --out %s",
                        ROOT.resolve("experiments/configs/auction/small.yaml"),
                        "workload.trace=" + trace,
                        directory.resolve("run")),
                trace,
                field);
    }

    /** On a log of a mixed cluster, where jobs ask for a type of GPUs, for one server, and for CPUs. */
    @Test
    void training_takes_jobs_that_ask_for_types_of_gpus() throws IOException {
        List<String> lines =
                new ArrayList<>(List.of("job,submit_s,gpus,duration_s,gpu_types,one_server,cpu_milli,memory_mib"));
        List<String> types = List.of("A100", "H100", "A100|H100", "");
        for (int i = 0; i < JOBS; i++) {
            lines.add("job%d,%d,%d,900,%s,%d,%d,%d"
                    .formatted(i, 30 * i, 1 + i % 8, types.get(i % 4), i % 3 == 0 ? 1 : 0, i % 5 * 1000, i % 5 * 1024));
        }
        Path trace = Files.write(directory.resolve("typed.csv"), lines);

        Shell shell = Shell.command(
                "train %s --set %s --set cluster=2x8:A100+1x8:H100 --set episodes.jobs=10 --set episodes.validation=1"
                        + " --set episodes.test=1 --set learner.updates=1 --set schedulers=[fifo,patient] --out %s",
                ROOT.resolve("experiments/configs/auction/small.yaml"),
                "workload.trace=" + trace,
                directory.resolve("run"));

        assertThat(shell.err()).isEmpty();
        assertThat(shell.code()).isZero();
        assertThat(shell.out()).contains("learned").contains("patient");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {"1,600,500,,,; gpu_milli 500", "2,600,,1,4,; min_gpus 1, max_gpus 4"})
    void evaluation_of_a_policy_refuses_them_and_that_of_heuristics_does_not(String demand, String field)
            throws IOException {
        Path trace = trace(demand);
        List<String> args = Shell.words(
                "evaluate --schedulers fifo --set %s --set episodes.jobs=10 --set episodes.test=1 --set "
                        + "episodes.validation=1 --out %s",
                "workload.trace=" + trace, directory.resolve("run"));
        List<String> policy = new ArrayList<>(args);
        policy.addAll(
                List.of("--checkpoint", ROOT.resolve("checkpoints/default").toString()));
        refuses(Shell.run(policy), trace, field);
        List<String> heuristic = new ArrayList<>(args);
        heuristic.add(1, ROOT.resolve("experiments/configs/auction/small.yaml").toString());

        Shell shell = Shell.run(heuristic);

        assertThat(shell.err()).isEmpty();
        assertThat(shell.code()).isZero();
    }
}
