package org.trainyard.experiments.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.InputException;
import org.trainyard.experiments.io.RunDirectory.OtherRun;

class RunDirectoryTest {
    @TempDir
    Path folder;

    /** A folder whose lock is given up. */
    private RunDirectory created(String config, OtherRun otherRun) {
        RunDirectory run = RunDirectory.create(folder, config, otherRun);
        run.close();
        return run;
    }

    @Test
    void a_folder_has_one_writer_and_a_refused_one_touches_nothing() {
        RunDirectory first = RunDirectory.create(folder, "seed: 1\n", OtherRun.REFUSE);
        AtomicFiles.write(first.summary(), "{}");

        for (OtherRun choice : OtherRun.values()) {
            assertThatThrownBy(() -> RunDirectory.create(folder, "seed: 2\n", choice))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining(
                            "process %d is writing to it",
                            ProcessHandle.current().pid());
        }
        assertThat(first.summary()).exists();

        first.close();
        created("seed: 2\n", OtherRun.REPLACE);
        assertThat(folder.resolve(FolderLock.FILE)).doesNotExist();
    }

    @Test
    void a_refused_claim_gives_the_lock_up() {
        created("seed: 1\n", OtherRun.REFUSE);
        assertThatThrownBy(() -> created("seed: 2\n", OtherRun.REFUSE)).hasMessageContaining("another configuration");
        assertThat(created("seed: 1\n", OtherRun.REFUSE).config()).exists();
    }

    @Test
    void another_configuration_is_refused_with_the_first_key_that_differs_and_both_values() {
        created("name: a\nlearner: {type: Ppo, updates: 10, start: null}\nseed: 1\n", OtherRun.REFUSE);

        assertRefused(
                "name: a\nlearner: {type: Ppo, updates: 20, start: null}\nseed: 2\n",
                "learner.updates: 10 there, 20 here");
        assertRefused(
                "name: a\nlearner: {type: Ppo, updates: 10, start: {from: b}}\nseed: 1\n",
                "learner.start: null there, a mapping here");
        assertRefused("name: a\nlearner: {type: Ppo, updates: 10, start: null}\n", "seed: 1 there, none here");
        assertRefused(
                "name: a\nlearner: {type: Ppo, updates: 10, start: null}\nseed: 1\nworlds: [c]\n",
                "worlds: none there, a list here");
    }

    @Test
    void a_list_differs_in_its_first_other_item_and_a_configuration_of_json_is_read_alike() {
        assertThat(ConfigDifference.first("worlds: [a, b]", "worlds: [a, c, d]"))
                .isEqualTo(new ConfigDifference("worlds.1", "b", "c"));
        assertThat(ConfigDifference.first("worlds: [a]", "worlds: [a, d]"))
                .isEqualTo(new ConfigDifference("worlds.1", "none", "d"));
        assertThat(ConfigDifference.first("{\"minutes\": 1.5}", "{\"minutes\": 2}"))
                .isEqualTo(new ConfigDifference("minutes", "1.5", "2"));
        assertThat(ConfigDifference.first("a: {b: 1, c: []}", "a: {c: [], b: 1}"))
                .isNull();
    }

    private void assertRefused(String config, String difference) {
        assertThatThrownBy(() -> created(config, OtherRun.REFUSE))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "%s holds a run of another configuration (%s): give --out another folder, or --replace",
                        folder, difference);
    }

    @Test
    void a_new_run_has_its_layout_and_its_configuration() {
        RunDirectory run = RunDirectory.create(folder.resolve("runs/a"), "seed: 1\n", OtherRun.REFUSE);

        assertThat(run.config()).hasContent("seed: 1\n");
        assertThat(run.tensorboard()).isDirectory();
        assertThat(run.checkpoints()).isDirectory();
        assertThat(run.lastCheckpoint()).isEqualTo(folder.resolve("runs/a/checkpoints/last"));
        assertThat(RunDirectory.open(run.root()).configText()).isEqualTo("seed: 1\n");
    }

    @Test
    void the_same_configuration_may_come_back() {
        RunDirectory first = created("seed: 1\n", OtherRun.REFUSE);
        AtomicFiles.write(first.summary(), "{}");

        RunDirectory again = created("seed: 1\n", OtherRun.REFUSE);

        assertThat(again.summary()).exists();
        assertThat(created("seed: 1\n", OtherRun.REPLACE).summary()).doesNotExist();
    }

    @Test
    void a_folder_below_a_file_is_refused() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");

        assertThatThrownBy(() -> RunDirectory.create(file.resolve("a/b"), "seed: 1\n", OtherRun.REFUSE))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("but %s is a file", file);
    }

    @Test
    void another_configuration_is_refused_and_nothing_is_touched() {
        RunDirectory first = created("seed: 1\n", OtherRun.REFUSE);
        AtomicFiles.write(first.summary(), "{}");

        assertThatThrownBy(() -> RunDirectory.create(folder, "seed: 2\n", OtherRun.REFUSE))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("another configuration");
        assertThat(first.config()).hasContent("seed: 1\n");
        assertThat(first.summary()).exists();
    }

    @Test
    void a_run_that_wrote_its_configuration_alone_can_give_the_folder_up() {
        created("seed: 1\n", OtherRun.REFUSE).releaseIfUnused();
        RunDirectory second = created("seed: 2\n", OtherRun.REFUSE);
        assertThat(second.config()).hasContent("seed: 2\n");

        AtomicFiles.write(second.tensorboard().resolve("events"), "an update");
        second.releaseIfUnused();
        assertThat(second.config()).exists();
        assertThat(second.tensorboard().resolve("events")).exists();
    }

    @Test
    void replacing_removes_the_old_run_and_leaves_what_is_not_ours() throws IOException {
        RunDirectory first = created("seed: 1\n", OtherRun.REFUSE);
        AtomicFiles.write(first.summary(), "{}");
        Files.createDirectories(first.bestCheckpoint());
        AtomicFiles.write(first.bestCheckpoint().resolve("policy.params"), "weights");
        Files.writeString(folder.resolve("notes.txt"), "mine");

        RunDirectory second = RunDirectory.create(folder, "seed: 2\n", OtherRun.REPLACE);

        assertThat(second.config()).hasContent("seed: 2\n");
        assertThat(second.summary()).doesNotExist();
        assertThat(second.bestCheckpoint()).doesNotExist();
        assertThat(folder.resolve("notes.txt")).hasContent("mine");
    }

    @Test
    void a_folder_of_something_else_is_never_taken() throws IOException {
        Files.writeString(folder.resolve("jobs.csv"), "mine");

        for (OtherRun choice : OtherRun.values()) {
            assertThatThrownBy(() -> RunDirectory.create(folder, "seed: 1\n", choice))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("holds no run");
        }
        assertThat(folder.resolve("jobs.csv")).hasContent("mine");
    }

    @Test
    void files_left_half_written_by_a_kill_are_cleared() throws IOException {
        Files.writeString(folder.resolve(".config.yaml.99-0.part"), "see");

        RunDirectory.create(folder, "seed: 1\n", OtherRun.REFUSE);

        assertThat(folder.resolve(".config.yaml.99-0.part")).doesNotExist();
    }

    @Test
    void half_written_files_of_a_run_below_the_folder_are_left_to_that_run() throws IOException {
        Path other = Files.createDirectories(folder.resolve("mine/a"));
        Path writing = Files.writeString(other.resolve(".summary.json.99-0.part"), "see");

        RunDirectory.create(folder.resolve("mine/b"), "seed: 1\n", OtherRun.REFUSE);
        assertThatThrownBy(() -> RunDirectory.create(folder.resolve("mine"), "seed: 1\n", OtherRun.REFUSE))
                .hasMessageContaining("holds no run");

        assertThat(writing).exists();
    }

    @Test
    void opening_what_is_no_run_is_refused() {
        assertThatThrownBy(() -> RunDirectory.open(folder))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("config.yaml");
    }

    @Test
    void a_file_in_the_place_of_the_folder_is_refused() throws IOException {
        Path file = Files.writeString(folder.resolve("out"), "x");

        assertThatThrownBy(() -> RunDirectory.create(file, "seed: 1\n", OtherRun.REPLACE))
                .isInstanceOf(InputException.class);
    }
}
