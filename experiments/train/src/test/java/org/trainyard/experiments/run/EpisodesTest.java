package org.trainyard.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.config.topology.Clusters;

class EpisodesTest {
    private static final Path SMALL =
            Path.of(System.getProperty("trainyard.root", "..")).resolve("experiments/configs/auction/small.yaml");

    @Test
    void no_episodes_of_training_validation_and_test_are_one_even_with_one_seed_for_all() {
        List<Long> drawn = new ArrayList<>();
        Episodes episodes = Episodes.ofGenerator(
                seed -> {
                    drawn.add(seed);
                    return List.of();
                },
                1000,
                1000,
                1043652180L,
                1043652180L);
        for (int i = 0; i < 1000; i++) {
            episodes.train(i);
            episodes.validation(i);
            episodes.test(i);
        }

        assertThat(drawn).hasSize(3000).doesNotHaveDuplicates();
    }

    @Test
    void no_jobs_of_an_experiment_are_in_two_episodes_where_both_its_seeds_are_one() {
        ExperimentConfig config = config("seed=7", "episodes.test_seed=7", "episodes.jobs=5");
        Episodes episodes =
                new ConfiguredJobs(config, Clusters.resolve(config.cluster()), ModelCatalog.standard()).episodes();
        Set<List<TraceJob>> all = new HashSet<>();
        for (int i = 0; i < 4; i++) {
            all.add(episodes.train(i).jobs());
            all.add(episodes.validation(i).jobs());
            all.add(episodes.test(i).jobs());
        }

        assertThat(all).hasSize(12);
        assertThat(episodes.train(0).jobs()).isEqualTo(episodes.train(0).jobs());
    }

    @Test
    void a_test_seed_on_which_choices_were_made_is_noted() {
        try (Experiment spent = new Experiment(config("belief=none", "episodes.test_seed=1"));
                Experiment frozen = new Experiment(config("belief=none", "seed=1043652180"))) {
            assertThat(spent.remarks())
                    .contains(
                            "episodes.test_seed=1 is spent: choices were made on its test episodes (experiments/test-seeds.yaml)");
            assertThat(frozen.remarks()).noneMatch(remark -> remark.contains("test_seed"));
        }
    }

    private static ExperimentConfig config(String... values) {
        return ConfigReader.read(SMALL, List.of(values));
    }
}
