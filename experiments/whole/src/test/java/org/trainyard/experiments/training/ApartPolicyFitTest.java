package org.trainyard.experiments.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.config.topology.Clusters;

class ApartPolicyFitTest {
    @Test
    void where_agents_decide_apart_and_preempt_nobody_the_one_that_was_trained_so_is_taken() {
        Path marl = Path.of(System.getProperty("trainyard.root", ".."), "experiments/configs/papers/marl-shared.yaml");
        ExperimentConfig apart = ConfigReader.read(marl, List.of());

        Checkpoint chosen = PolicyFit.open("test", PolicyFit.LEARNED, apart, Clusters.resolve("small"));
        assertThat(chosen.folder()).endsWith(Path.of("checkpoints/marl"));
        assertThat(PolicyFit.note(PolicyFit.LEARNED, chosen, apart.physics()))
                .endsWith("which was trained with agents that decide apart");
        ExperimentConfig owned = ConfigReader.read(marl, List.of("environment.jobs=Home"));
        assertThat(PolicyFit.open("test", PolicyFit.LEARNED, owned, Clusters.resolve("small"))
                        .folder())
                .endsWith(Path.of("checkpoints/no-preemption"));
        ExperimentConfig together =
                ConfigReader.read(marl, List.of("environment.view=null", "environment.jobs=Shared"));
        assertThat(PolicyFit.open("test", PolicyFit.LEARNED, together, Clusters.resolve("small"))
                        .folder())
                .endsWith(Path.of("checkpoints/no-preemption"));
        ExperimentConfig preempting =
                ConfigReader.read(marl, List.of("environment.preemption=true", "physics.preemption=null"));
        assertThat(PolicyFit.open("test", PolicyFit.LEARNED, preempting, Clusters.resolve("small"))
                        .folder())
                .endsWith(Path.of("checkpoints/default"));
    }
}
