package org.trainyard.experiments.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.benchmark.BenchmarkTask;
import org.trainyard.experiments.io.Sha256;
import org.trainyard.experiments.run.Experiment;

/**
 * Test episodes are frozen: every shipped config draws them from the seed of {@code test-seeds.yaml}, and a change of
 * that seed, or of the jobs that it gives, is no accident.
 */
class FrozenTestSeedsTest {
    private static final Path CONFIGS = Path.of("configs");
    private static final Path SEEDS = Path.of("test-seeds.yaml");
    private static final long FROZEN = 1043652180L;

    private static JsonNode seeds() throws IOException {
        return new YAMLMapper().readTree(SEEDS.toFile());
    }

    private static List<Path> configs() throws IOException {
        try (Stream<Path> own = Files.walk(CONFIGS);
                Stream<Path> shipped = Files.walk(Path.of("..", "checkpoints"))) {
            return Stream.concat(own, shipped)
                    .filter(file -> file.toString().endsWith(".yaml"))
                    // Their traces are not ours.
                    .filter(file -> !file.getFileName().toString().startsWith("itp-"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void the_seed_is_the_one_drawn_and_no_spent_one() throws IOException {
        assertThat(seeds().get("frozen").asLong()).isEqualTo(FROZEN);
        assertThat(seeds().get("spent"))
                .isNotEmpty()
                .allMatch(spent -> spent.get("seed").asLong() != FROZEN)
                .allMatch(spent -> !spent.get("used_for").asText().isBlank());
    }

    @Test
    void every_shipped_config_draws_its_test_episodes_from_it() throws IOException {
        int checked = 0;
        for (Path file : configs()) {
            JsonNode root = new YAMLMapper().readTree(file.toFile());
            if (root.has("base")) {
                assertThat(ConfigReader.read(file, List.of()).episodes().testSeed())
                        .as(file.toString())
                        .isEqualTo(FROZEN);
                checked++;
            } else if (root.path("episodes").has("jobs")) {
                assertThat(root.path("episodes").path("test_seed").asLong())
                        .as(file.toString())
                        .isEqualTo(FROZEN);
                checked++;
            }
        }
        assertThat(checked).isGreaterThan(12);
    }

    @Test
    void every_task_of_the_benchmark_has_a_seed_of_its_own() throws IOException {
        JsonNode listed = seeds().get("benchmark");
        Set<Long> others = new HashSet<>(Set.of(FROZEN));
        seeds().get("spent").forEach(spent -> others.add(spent.get("seed").asLong()));
        for (String task : BenchmarkTask.names()) {
            long seed = BenchmarkTask.named("task", task).config().episodes().testSeed();
            assertThat(seed).as(task).isEqualTo(listed.path(task).asLong());
            assertThat(others.add(seed)).as(task).isTrue();
        }
        assertThat(listed).hasSameSizeAs(BenchmarkTask.names());
    }

    @Test
    void the_jobs_of_the_test_episodes_are_pinned_and_do_not_depend_on_the_seed_of_training() {
        assertThat(fingerprint("seed=1")).isEqualTo(fingerprint("seed=2"));
        assertThat(fingerprint("seed=1")).isNotEqualTo(fingerprint("episodes.test_seed=1"));
        assertThat(fingerprint("seed=1")).isEqualTo("4e6dc74370c036f30645b8f5ae083fda64596f37b86d1f086e98c3367269ed07");
    }

    /** Submission, demand and work of every job of two test episodes. */
    private static String fingerprint(String value) {
        StringBuilder text = new StringBuilder();
        try (Experiment experiment = new Experiment(ConfigReader.read(
                CONFIGS.resolve("auction/scratch.yaml"), List.of(value, "episodes.test=2", "episodes.jobs=200")))) {
            for (Workload workload : experiment.test()) {
                for (int job = 0; job < workload.size(); job++) {
                    text.append("%d %d %.6g\n"
                            .formatted(
                                    workload.job(job).submitNanos(),
                                    workload.job(job).gpus(),
                                    workload.trueIterations(job)));
                }
            }
        }
        return Sha256.of(text.toString());
    }
}
