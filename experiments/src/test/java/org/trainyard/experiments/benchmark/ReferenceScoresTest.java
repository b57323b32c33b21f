package org.trainyard.experiments.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The reference scores are frozen: the stored results belong to the tasks as they are, and replays give the same event logs. */
class ReferenceScoresTest {
    private static final String FROZEN =
            "a change that moves a reference score must bump the version of the task (%s): a new file NAME-vVERSION.yaml with a new test seed, and new results";
    /** An order, a rule that preempts, and one that waits for places and preempts. */
    private static final List<String> SAMPLE = List.of("sjf", "tiresias-gittins", "dally");

    static List<String> tasks() {
        return BenchmarkTask.names();
    }

    private static List<BenchmarkResult> stored(String task) {
        ReferenceScores scores = ReferenceScores.of(task);
        return Stream.concat(scores.ranked().stream(), scores.rejecting().stream())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("tasks")
    void every_stored_result_is_one_of_the_task_as_it_is(String name) {
        BenchmarkTask task = BenchmarkTask.named("task", name);
        assertThat(stored(name)).isNotEmpty().allSatisfy(result -> {
            assertThat(result.task()).isEqualTo(name);
            assertThat(result.taskSha256()).as(FROZEN, name).isEqualTo(task.sha256());
            assertThat(result.episodes()).hasSize(task.config().episodes().test());
        });
    }

    @ParameterizedTest
    @MethodSource("tasks")
    void the_first_episode_replays_to_the_stored_event_log(String name) {
        try (TaskPlayer player = new TaskPlayer(BenchmarkTask.named("task", name), 1)) {
            int replayed = 0;
            for (String scheduler : SAMPLE) {
                if (player.obstacle(scheduler) == null) {
                    BenchmarkResult reference =
                            ReferenceScores.of(name).find(scheduler).orElseThrow();
                    assertThat(player.play(scheduler).episodes())
                            .as(scheduler + ": " + FROZEN, name)
                            .isEqualTo(reference.episodes().subList(0, 1));
                    replayed++;
                }
            }
            assertThat(replayed).isGreaterThan(1);
        }
    }

    @Test
    void the_page_is_what_the_result_files_say() throws IOException {
        Path page = BenchmarkTask.folder().resolveSibling("docs").resolve("benchmark.md");

        assertThat(withResults(Files.readString(page)))
                .as("./trainyard bench --table > experiments/docs/benchmark.md makes the page")
                .isEqualTo(withResults(BenchmarkPage.markdown()));
    }

    /** A page without the lines of schedulers that have no result, to which every new scheduler adds. */
    private static List<String> withResults(String page) {
        return page.lines()
                .filter(line -> !line.startsWith(BenchmarkPage.NOT_YET) && !line.startsWith(BenchmarkPage.CANNOT))
                .toList();
    }
}
