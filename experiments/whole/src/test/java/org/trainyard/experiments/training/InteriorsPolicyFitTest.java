package org.trainyard.experiments.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.PhysicsConfig;
import org.trainyard.experiments.config.topology.Clusters;

/** The policy that ships for servers whose links differ, where a wing estimates bandwidths. */
class InteriorsPolicyFitTest {
    private static final Path CONFIG = Path.of(System.getProperty("trainyard.root", ".."))
            .resolve("experiments/configs/auction/scratch-preemption.yaml");
    private static final Topology SMALL = Clusters.resolve("small");
    private static final Topology MIXED = Clusters.resolve("mixed-interiors");

    private static PhysicsConfig world(String... values) {
        return ConfigReader.read(CONFIG, List.of(values)).physics();
    }

    @Test
    void where_the_links_inside_servers_differ_the_policy_of_a_belief_about_them_is_taken() {
        Checkpoint chosen = PolicyFit.open("test", PolicyFit.LEARNED, world(), MIXED);

        assertThat(chosen.folder()).endsWith(Path.of("checkpoints", "graph"));
        assertThat(PolicyFit.note(PolicyFit.LEARNED, chosen, world()))
                .endsWith("graph, which was trained where the links inside servers differ");
        assertThat(PolicyFit.open("test", PolicyFit.LEARNED, world(), SMALL).folder())
                .endsWith(Path.of("checkpoints", "default"));
        PhysicsConfig forbidden = world("physics.preemption={type: Forbidden}");
        assertThat(PolicyFit.open("test", PolicyFit.LEARNED, forbidden, MIXED).folder())
                .as("the rules of preemption go before the links")
                .endsWith(Path.of("checkpoints", "no-preemption"));
    }
}
