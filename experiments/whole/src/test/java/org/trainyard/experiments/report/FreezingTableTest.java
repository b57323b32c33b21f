package org.trainyard.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.Shell;

/** Accuracy penalties in the tables and files of a simulation, where jobs allow frozen layers. */
class FreezingTableTest {
    @TempDir
    private Path folder;

    private Shell simulate(String trace, String... more) throws Exception {
        Path file = Files.writeString(folder.resolve("t.csv"), trace);
        List<String> arguments = new ArrayList<>(Shell.words(
                "simulate --trace %s --cluster 1x8 --scheduler freeze=epochs:fifo,fifo --verbose --out %s",
                file, folder.resolve("run")));
        arguments.addAll(List.of(more));
        return Shell.run(arguments.toArray(String[]::new));
    }

    private static final String FREEZING = """
            job,submit_s,gpus,duration_s,model,freezing
            a,0,1,9000,vgg16,0.03:1.0
            b,5,1,9000,vgg16,
            """;

    @Test
    void the_penalty_stands_beside_the_jct_in_the_table_and_in_files() throws Exception {
        Shell shell =
                simulate(FREEZING, "--events", folder.resolve("events.jsonl").toString());

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out())
                .contains("accuracy penalty")
                .containsPattern("\nfreeze=epochs:fifo +2 h .* [0-9.]+ % +[0-9.]+ % +100\\.0 % +1\n")
                .containsPattern("\nfifo +2 h .* 0\\.000 % +0\\.000 % +0\\.0 % +1\n");
        assertThat(Files.readString(folder.resolve("run/summary.json")))
                .containsPattern("\"accuracy_penalty_mean\" *: *0\\.0[1-9]");
        List<String> jobs = Files.readAllLines(folder.resolve("run/jobs.csv"));
        assertThat(jobs.get(0)).endsWith(",placement,accuracy_penalty");
        assertThat(jobs).filteredOn(row -> row.startsWith("fifo,0,a")).allMatch(row -> row.endsWith(",0.0"));
        assertThat(jobs).filteredOn(row -> row.contains(",0,b,")).allMatch(row -> row.endsWith(","));
        assertThat(Files.readString(folder.resolve("events.jsonl")))
                .contains("\"event\":\"FREEZE\",\"job\":\"a\",\"layers\":")
                .doesNotContain("\"event\":\"FREEZE\",\"job\":\"b\"");
    }

    @Test
    void the_log_of_a_run_with_freezes_is_hashed_from_its_file_as_in_the_run() throws Exception {
        Path events = folder.resolve("events.jsonl");
        Shell shell = simulate(FREEZING, "--events", events.toString());
        Shell inspected = Shell.command("inspect %s", events);

        assertThat(inspected.out()).contains("FREEZE");
        String hash = shell.out()
                .lines()
                .filter(line -> line.matches("freeze=epochs:fifo +[0-9a-f]{64}"))
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .findFirst()
                .orElseThrow();
        assertThat(inspected.out()).contains(hash);
    }

    @Test
    void a_run_without_such_jobs_has_neither_table_nor_column() throws Exception {
        Shell shell = simulate("job,submit_s,gpus,duration_s\na,0,1,9000\n");

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out()).doesNotContain("accuracy");
        assertThat(Files.readString(folder.resolve("run/summary.json"))).doesNotContain("freezing");
        assertThat(Files.readAllLines(folder.resolve("run/jobs.csv")).get(0)).endsWith(",placement");
    }

    @Test
    void a_share_of_generated_jobs_can_allow_frozen_layers_and_another_share_is_refused() throws Exception {
        Shell shell = Shell.command("simulate --trace generated --jobs 60 --cluster 2x8 --scheduler "
                + "icefrog,freeze=egeria:srtf --freezing 0.5");
        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out()).contains("accuracy penalty");

        Shell refused = Shell.command("simulate --trace generated --cluster 2x8 --scheduler fifo --freezing 1.5");
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("--freezing", "1.5", "0..1");
    }
}
