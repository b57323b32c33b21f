package org.trainyard.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.Shell;

/** Decisions about cores and memory in the files of a simulation. */
class ProvisionEventsTest {
    private static final String TRACE = """
            job,submit_s,gpus,duration_s,model,cpu_milli,memory_mib,plan
            a,0,4,9000,,24000,0,gnn:papers100m:random
            b,5,1,9000,,2000,0,gnn:papers100m:bgl
            """;

    @TempDir
    private Path folder;

    @Test
    void the_log_of_a_run_that_provisions_jobs_is_hashed_from_its_file_as_in_the_run() throws Exception {
        Path events = folder.resolve("events.jsonl");
        Shell shell = Shell.command(
                "simulate --trace %s --cluster limited-hosts --scheduler cores=tune:fifo --verbose --events %s --out %s",
                Files.writeString(folder.resolve("t.csv"), TRACE), events, folder.resolve("run"));
        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(Files.readString(events))
                .contains("\"event\":\"HOST_CPU\",\"job\":\"b\",\"cpu_milli\":6000")
                .contains("\"event\":\"HOST_MEMORY\",\"job\":\"a\",\"memory_mib\":32768");

        String hash = shell.out()
                .lines()
                .filter(line -> line.matches("cores=tune:fifo +[0-9a-f]{64}"))
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .findFirst()
                .orElseThrow();
        assertThat(Shell.command("inspect %s", events).out())
                .contains("HOST_CPU", "HOST_MEMORY")
                .contains(hash);
    }
}
