package org.trainyard.experiments.gym;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code compare.py} says before it runs anything: one line and exit code 2. */
class ComparisonWithPeersTest {
    private static final Path COMPARE =
            Path.of(System.getProperty("trainyard.root", ".."), "experiments/examples/simulators/compare.py");

    @TempDir
    private Path folder;

    private String refused(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of("python3", COMPARE.toAbsolutePath().normalize().toString()));
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isEqualTo(2);
        assertThat(said.lines()).hasSize(1);
        return said.strip();
    }

    @Test
    void a_missing_trace_policy_program_or_module_is_one_line() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("jobs.csv"), "job_id,submit_time,num_gpu,duration\n");

        assertThat(refused("accasim", "-", "--trace", "none.csv", "--policy", "fifo"))
                .isEqualTo("compare.py: --trace (none.csv): no such file or folder");
        assertThat(refused("tiresias", ".", "--trace", "jobs.csv", "--policy", "best"))
                .startsWith("compare.py: --policy (best): expected one of fifo, fjf, ");
        assertThat(refused("accasim", "-", "--trace", "jobs.csv", "--policy", "fifo", "--python", "none/python"))
                .isEqualTo("compare.py: --python (none/python): no such program");
        assertThat(refused("cloudsim", ".", "--trace", "jobs.csv", "--policy", "fjf"))
                .contains("expected a folder with cloudsimplus-*.jar");
        assertThat(refused("tiresias", ".", "--trace", "jobs.csv", "--policy", "fifo"))
                .startsWith("compare.py: CHECKOUT/simulator/run_sim.py");
    }
}
