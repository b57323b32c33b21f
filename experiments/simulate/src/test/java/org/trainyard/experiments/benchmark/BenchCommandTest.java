package org.trainyard.experiments.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.experiments.Shell;

class BenchCommandTest {
    @TempDir
    private Path folder;

    private Path file(String scheduler) {
        return folder.resolve("calm-v1").resolve(scheduler + ".json");
    }

    @Test
    void without_options_it_lists_the_tasks_with_what_they_ask() {
        Shell shell = Shell.command("bench");

        assertThat(shell.code()).isZero();
        assertThat(BenchmarkTask.names())
                .hasSize(8)
                .allSatisfy(task -> assertThat(shell.out())
                        .containsPattern("(?m)^%s: \\d+ episodes of .*\\n +\\S.*\\?".formatted(task)));
    }

    @Test
    void a_task_alone_shows_its_reference_scores_the_best_first() {
        Shell shell = Shell.command("bench --task calm-v1");

        String best = ReferenceScores.of("calm-v1").ranked().get(0).scheduler();
        assertThat(shell.code()).isZero();
        assertThat(shell.out()).containsPattern("calm-v1 +%s .* 1 of \\d+ ".formatted(best));
    }

    @Test
    void a_scheduler_plays_and_its_file_is_verified_by_replay() throws IOException {
        Shell played = Shell.command("bench --task calm-v1 --scheduler sjf --out %s", folder);

        assertThat(played.code()).as(played.err()).isZero();
        assertThat(played.out()).containsPattern("calm-v1 +sjf +textbook +[\\d,.]+ .* \\d+ of \\d+ .*as stored");
        String kind = "  \"kind\" : \"textbook\",\n";
        assertThat(Files.readString(file("sjf"))).contains(kind);
        // Stored results are older than the kind.
        assertThat(Files.readString(file("sjf")).replace(kind, ""))
                .isEqualTo(Files.readString(ReferenceScores.folder().resolve("calm-v1/sjf.json")));
        assertThat(Shell.command("inspect %s", file("sjf")).out()).contains("task_sha256");
        Shell verified = Shell.command("bench verify %s", file("sjf"));
        assertThat(verified.code()).isZero();
        assertThat(verified.out()).contains("sjf.json: equal, 10 episodes");
    }

    @Test
    void a_result_with_another_hash_is_found_out() throws IOException {
        String text = Files.readString(ReferenceScores.folder().resolve("calm-v1/fifo.json"));
        Files.createDirectories(folder.resolve("calm-v1"));
        Files.writeString(file("fifo"), text.replaceFirst("(event_log_sha256\" : \")[0-9a-f]{4}", "$10000"));
        Shell shell = Shell.command("bench verify %s", file("fifo"));

        assertThat(shell.code()).isEqualTo(1);
        assertThat(shell.out())
                .contains("fifo.json: differs: episode 0 has event log 0000")
                .hasLineCount(1);
    }

    @ParameterizedTest
    @CsvSource({"task_sha256,task_sha256", "event_log_sha256,episodes[0].event_log_sha256"})
    void a_result_whose_hash_has_another_letter_than_hexadecimal_ones_is_refused(String key, String place)
            throws IOException {
        String text = Files.readString(ReferenceScores.folder().resolve("calm-v1/fifo.json"));
        Path file = Files.writeString(
                folder.resolve("fifo.json"), text.replaceFirst("(" + key + "\" : \")[0-9a-f]", "$1g"));
        Shell shell = Shell.command("bench verify %s", file);

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err())
                .contains(place, "expected a SHA-256 in hexadecimal")
                .hasLineCount(1);
    }

    @Test
    void a_result_with_another_score_than_its_episodes_is_refused() throws IOException {
        String text = Files.readString(ReferenceScores.folder().resolve("calm-v1/fifo.json"));
        Path file = Files.writeString(folder.resolve("fifo.json"), text.replaceFirst("(\"mean\" : )[0-9]+", "$11"));
        Shell shell = Shell.command("bench verify %s", file);

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err())
                .contains("jct_s, mean", "the mean of its episodes")
                .hasLineCount(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--task calm | --task: 'calm' is not valid: expected one of calm-v1,",
                "--task clam-v1 --scheduler sjf | did you mean 'calm-v1'?",
                "--task calm-v1 --scheduler sfj | did you mean 'sjf'?",
                "--task calm-v1 --scheduler helios-fifo | helios-fifo cannot play calm-v1: it replays a published simulator",
                "--task elastic-v1 --scheduler patient | patient cannot play elastic-v1: it places a fixed number of whole GPUs only",
                "--task calm-v1 --checkpoint no-such-folder | --checkpoint: 'no-such-folder' is not valid",
                "verify no-such-file.json | no-such-file.json: no such file"
            })
    void wrong_names_are_refused_in_a_line(String options, String message) {
        Shell shell = Shell.run(("bench " + options).split(" +"));

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).contains(message).hasLineCount(1);
        assertThat(shell.out()).isEmpty();
    }
}
