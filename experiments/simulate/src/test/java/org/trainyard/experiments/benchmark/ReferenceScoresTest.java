package org.trainyard.experiments.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The reference scores are frozen: the stored results belong to the tasks as they are, and replays give the same event
 * logs.
 */
class ReferenceScoresTest {
    private static final String FROZEN =
            "a change that moves a reference score must bump the version of the task (%s): a new file"
                    + " NAME-vVERSION.yaml with a new test seed, and new results";
    /** What takes longest in each of these tasks is left to the thorough build, which replays all. */
    private static final Map<String, Set<String>> QUICK = Map.of(
            "contended-v1", Set.of("ff-plan", "rand-plan", "sjf-bco-plan"),
            "elastic-v1", Set.of("icefrog", "pollux"),
            "failing-v1", Set.of("esw", "ff-plan", "ls-plan", "sjf-bco-plan"),
            "generations-v1", Set.of());

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
    @ValueSource(strings = {"contended-v1", "elastic-v1", "failing-v1", "generations-v1"})
    void the_first_episode_replays_to_the_stored_event_log(String task) {
        assertReplays(task, QUICK.getOrDefault(task, Set.of()), 40);
    }

    @Test
    void the_quick_replays_hold_every_scheduler_that_has_results_in_two_tasks() {
        Map<String, Long> replays = QUICK.entrySet().stream()
                .flatMap(task -> replayed(task.getKey(), task.getValue()))
                .collect(Collectors.groupingBy(BenchmarkResult::scheduler, Collectors.counting()));

        assertThat(tasks().stream().flatMap(task -> replayed(task, Set.of())))
                .extracting(BenchmarkResult::scheduler)
                .allSatisfy(scheduler -> assertThat(replays.get(scheduler)).isGreaterThanOrEqualTo(2));
    }

    @Tag("thorough")
    @ParameterizedTest
    @MethodSource("tasks")
    void the_first_episode_of_every_stored_result_replays(String task) {
        assertReplays(task, Set.of(), 40);
    }

    private static Stream<BenchmarkResult> replayed(String task, Set<String> slow) {
        return stored(task).stream()
                .filter(result -> result.policySha256() == null)
                .filter(result -> !slow.contains(result.scheduler()));
    }

    private static void assertReplays(String task, Set<String> slow, int atLeast) {
        try (TaskPlayer player = new TaskPlayer(BenchmarkTask.named("task", task), 1)) {
            List<BenchmarkResult> results = replayed(task, slow).toList();
            assertThat(results).hasSizeGreaterThan(atLeast);
            assertThat(results)
                    .as(FROZEN, task)
                    .filteredOn(result -> !player.play(result.scheduler())
                            .episodes()
                            .equals(result.episodes().subList(0, 1)))
                    .extracting(BenchmarkResult::scheduler)
                    .isEmpty();
        }
    }

    @Test
    void the_table_is_what_the_result_files_say() throws IOException {
        Path table = BenchmarkTask.folder().resolveSibling("docs").resolve("science/benchmark.csv");

        assertThat(withResults(Files.readString(table)))
                .as("./trainyard bench table > experiments/docs/science/benchmark.csv makes the table")
                .isEqualTo(withResults(ScoreTable.csv()));
    }

    /** A table without the lines of schedulers that have no result, to which every new scheduler adds. */
    private static List<String> withResults(String table) {
        return table.lines()
                .filter(line -> !line.contains(ScoreTable.NOT_YET) && !line.contains(ScoreTable.CANNOT))
                .toList();
    }
}
