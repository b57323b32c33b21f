package org.trainyard.experiments.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.InputException;
import org.trainyard.env.binding.ConfigWriter;
import org.trainyard.experiments.distributed.Fleet;
import org.trainyard.experiments.distributed.FleetTask;
import org.trainyard.experiments.io.RunDirectory;

class SweepTest {
    private static final Path SMOKE =
            Path.of(System.getProperty("trainyard.root", ".."), "experiments", "configs", "sweeps", "smoke.yaml");
    private static final List<String> EVALUATE = List.of(
            "name=tiny",
            "train=false",
            "set=[episodes.jobs=40, episodes.test=1]",
            "keys=[{type: Values, key: workload.generator.offered_load, values: [0.5, 1.5]}, {type: Values, key:"
                    + " schedulers, values: ['[sjf, las]', '[fifo]']}]");

    @TempDir
    private Path folder;

    private static SweepConfig read(String... overrides) {
        return SweepConfig.read(SMOKE, List.of(overrides));
    }

    private Sweep sweep(SweepConfig config, String name) {
        RunDirectory directory =
                RunDirectory.create(folder.resolve(name), ConfigWriter.yaml(config), RunDirectory.OtherRun.REFUSE);
        directory.close();
        return new Sweep(config, config.points(), directory);
    }

    private String csv(String name) throws IOException {
        return Files.readString(folder.resolve(name).resolve("results.csv"));
    }

    @Test
    void a_grid_has_every_combination_with_the_last_key_fastest() {
        assertThat(read().points())
                .containsExactly(
                        List.of("2.0e-3", "1"), List.of("2.0e-3", "2"), List.of("6.0e-3", "1"), List.of("6.0e-3", "2"));
        assertThat(read().overrides(List.of("6.0e-3", "2")))
                .startsWith("learner.updates=4")
                .endsWith("learner.learning_rate=6.0e-3", "seed=2");
    }

    @Test
    void a_random_search_draws_the_same_values_for_the_same_seed_and_stays_in_the_range() {
        String[] random = {
            "search={type: Random, samples: 30, seed: 7}",
            "keys=[{type: Range, key: learner.learning_rate, from: 1.0e-4, to: 1.0e-2, log: true}, {type: Values, key:"
                    + " seed, values: [1, 2]}]"
        };
        List<List<String>> points = read(random).points();

        assertThat(points).hasSize(30).isEqualTo(read(random).points());
        List<Double> rates =
                points.stream().map(point -> Double.parseDouble(point.get(0))).toList();
        assertThat(rates).allMatch(rate -> rate >= 1e-4 && rate <= 1e-2).doesNotHaveDuplicates();
        // Half of the logarithms lie below the middle, 1e-3.
        assertThat(rates.stream().filter(rate -> rate < 1e-3).count()).isBetween(7L, 23L);
    }

    @Test
    void runs_on_one_thread_and_on_three_write_the_same_bytes_and_both_tables() throws IOException, SQLException {
        SweepConfig config = SweepConfig.read(SMOKE, EVALUATE);
        SweepReport one = run(sweep(config, "one"), 1);
        run(sweep(config, "three"), 3);

        assertThat(csv("three")).isEqualTo(csv("one"));
        assertThat(csv("one").lines()).hasSize(1 + 6);
        assertThat(Files.readString(folder.resolve("three/report.html")))
                .isEqualTo(Files.readString(folder.resolve("one/report.html")))
                .contains("parallelCoordinates");
        assertThat(one.runs()).hasSize(6).isSortedAccordingTo((a, b) -> Double.compare(a.score(), b.score()));
        assertThat(one.command())
                .contains("evaluate", "--set workload.generator.offered_load=1.5", "--set 'schedulers=[");
        String query = "SELECT count(*), min(mean_jct_s) FROM %s";
        Path results = folder.resolve("one");
        try (Connection database = DriverManager.getConnection("jdbc:duckdb:" + results.resolve("results.duckdb"))) {
            for (String table : List.of("results", "'%s'".formatted(results.resolve("results.parquet")))) {
                try (ResultSet row = database.createStatement().executeQuery(query.formatted(table))) {
                    row.next();
                    assertThat(row.getInt(1)).isEqualTo(6);
                    assertThat(row.getDouble(2)).isEqualTo(one.runs().get(0).score());
                }
            }
        }
    }

    private static SweepReport run(Sweep sweep, int threads) {
        try (Fleet fleet = new ThreadFleet(threads)) {
            return sweep.run(fleet);
        }
    }

    /** Runs some tasks and then fails, as a machine does that is switched off. */
    private record Failing(int tasks) implements Fleet {
        @Override
        public void run(FleetTask task, byte[] broadcast, List<byte[]> inputs, Gather gather) {
            for (int number = 0; number < tasks; number++) {
                gather.take(number, task.run(broadcast, inputs.get(number)));
            }
            throw new IllegalStateException("switched off");
        }

        @Override
        public void close() {}
    }

    @Test
    void a_sweep_that_stopped_goes_on_where_it_was() throws IOException {
        SweepConfig config = SweepConfig.read(SMOKE, EVALUATE);
        run(sweep(config, "whole"), 2);
        assertThatThrownBy(() -> sweep(config, "halves").run(new Failing(3))).hasMessage("switched off");
        assertThat(folder.resolve("halves/results.csv")).doesNotExist();
        Sweep rest = sweep(config, "halves");
        assertThat(rest.finished()).isEqualTo(3);
        List<byte[]> asked = new ArrayList<>();
        rest.run(new Fleet() {
            @Override
            public void run(FleetTask task, byte[] broadcast, List<byte[]> inputs, Gather gather) {
                asked.addAll(inputs);
                gather.take(0, task.run(broadcast, inputs.get(0)));
            }

            @Override
            public void close() {}
        });

        assertThat(asked).hasSize(1);
        assertThat(csv("halves")).isEqualTo(csv("whole"));
    }

    @Test
    void trainings_are_compared_by_their_validation_and_resumed() throws IOException {
        String[] one = {"keys=[{type: Values, key: seed, values: [1]}]"};
        SweepReport trained = run(sweep(read(one), "trained"), 1);

        assertThat(trained.runs()).hasSize(1);
        assertThat(trained.measure()).contains("validation");
        assertThat(Objects.requireNonNull(trained.means()).table(1).cells().get(0))
                .containsExactly("scheduler", "seeds", "mean_validation_jct_s", "mean_jct_s");
        assertThat(csv("trained").lines().filter(line -> line.contains(",learned,")))
                .singleElement()
                .asString()
                .matches(".*,[0-9.]+$");
        assertThat(folder.resolve("trained/runs/000001/checkpoints/best/policy.bin"))
                .exists();
        String before = csv("trained");
        Files.delete(folder.resolve("trained/runs/000001.json"));
        run(sweep(read(one), "trained"), 1);
        assertThat(csv("trained")).isEqualTo(before);
    }

    @Test
    void a_sweep_over_seeds_ranks_means_over_seeds_and_names_no_best_run() throws IOException {
        SweepConfig config = read(
                "name=seeds",
                "train=false",
                "set=[episodes.jobs=40, episodes.test=1, 'schedulers=[fifo]']",
                "keys=[{type: Values, key: workload.generator.offered_load, values: [1.5, 0.5]}, {type: Values, key:"
                        + " seed, values: [1, 2]}]");
        SweepReport outcome = run(sweep(config, "seeds"), 1);

        SeedMeans means = Objects.requireNonNull(outcome.means());
        assertThat(means.keys()).containsExactly("workload.generator.offered_load");
        assertThat(means.rows())
                .extracting(SeedMeans.Row::values, SeedMeans.Row::seeds)
                .containsExactlyInAnyOrder(tuple(List.of("0.5"), 2), tuple(List.of("1.5"), 2));
        assertThat(means.rows().get(0).test()).isLessThan(means.rows().get(1).test());
        String best = means.rows().get(0).values().get(0);
        double mean = outcome.runs().stream()
                .filter(one -> one.values().get(0).equals(best))
                .mapToDouble(SweepReport.Run::score)
                .average()
                .orElseThrow();
        assertThat(means.rows().get(0).test()).isCloseTo(mean, within(1e-6));
        assertThat(outcome.command()).isEmpty();
        assertThat(Files.readString(folder.resolve("seeds/means.csv")))
                .startsWith("workload.generator.offered_load,scheduler,seeds,mean_jct_s\n" + best + ",fifo,2,");
        assertThat(csv("seeds").lines().findFirst().orElseThrow()).contains(",slowdown,jct_slowdown,");
    }

    @Test
    void bad_sweeps_are_refused_before_any_run() {
        assertThatThrownBy(() -> read("keys=[]"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("at least one key");
        assertThatThrownBy(() -> read("config=nowhere.yaml"))
                .hasMessageContaining("nowhere.yaml")
                .hasMessageContaining("no such file");
        assertThatThrownBy(() -> read("keys=[{type: Values, key: learner.nonsense, values: [1]}]")
                        .points())
                .isInstanceOf(InputException.class)
                .hasMessageContaining("learner.nonsense=1")
                .hasMessageContaining("unknown key");
        assertThatThrownBy(() -> read("keys=[{type: Range, key: seed, from: 1, to: 2, log: false}]")
                        .points())
                .hasMessageContaining("seed")
                .hasMessageContaining("Random");
        assertThatThrownBy(() -> read("keys=[{type: Range, key: seed, from: 3, to: 2, log: false}]"))
                .hasMessageContaining("keys[0].to");
    }
}
