package org.trainyard.experiments.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.ExperimentConfig;

class TrainedPoliciesTest {
    private static final Path SHIPPED = Path.of(System.getProperty("trainyard.root", ".."), "checkpoints", "default");

    @TempDir
    Path folder;

    @Test
    void of_several_policies_the_one_that_ships_is_marked() throws Exception {
        Checkpoint first = checkpoint("a", 1, "parameters of seed 1");
        Checkpoint second = checkpoint("b", 2, "parameters of seed 2");
        Files.createDirectories(folder.resolve("ships/default"));
        Files.copy(second.policyFile(), folder.resolve("ships/default").resolve(Checkpoint.POLICY));

        TrainedPolicies policies = new TrainedPolicies(List.of(first, second), folder.resolve("ships"));

        assertThat(policies.networks()).containsOnlyKeys("learned/1", "learned/2 (shipped)");
        assertThat(policies.shipped()).isEqualTo("learned/2 (shipped)");
    }

    @Test
    void no_policy_is_marked_when_none_ships_or_when_there_is_only_one() throws Exception {
        Checkpoint first = checkpoint("a", 1, "parameters of seed 1");
        Checkpoint second = checkpoint("b", 2, "parameters of seed 2");

        assertThat(new TrainedPolicies(List.of(first, second), folder.resolve("nowhere")).shipped())
                .isNull();
        assertThat(new TrainedPolicies(List.of(first, second), folder.resolve("a")).shipped())
                .isNull();
        assertThat(new TrainedPolicies(List.of(first), folder).networks()).containsOnlyKeys("learned");
    }

    @Test
    void policies_of_one_seed_are_rivals_by_the_names_of_their_folders() throws Exception {
        Checkpoint first = checkpoint("a/checkpoints/best", 1, "parameters");
        Checkpoint second = checkpoint("b", 1, "parameters");
        Checkpoint third = checkpoint("more/b", 2, "parameters");

        TrainedPolicies policies = new TrainedPolicies(List.of(first, second, third), folder);

        assertThat(policies.isPooled()).isFalse();
        assertThat(policies.networks()).containsOnlyKeys("learned/a", "learned/b", "learned/b-2");
        assertThat(policies.remarks()).anyMatch(remark -> remark.contains("each is a row of its own"));
        assertThatThrownBy(() -> new TrainedPolicies(List.of(first, first), folder))
                .hasMessageContaining("each checkpoint once");
    }

    @Test
    void policies_of_other_seeds_than_that_of_the_world_are_named_with_what_it_draws() throws Exception {
        Checkpoint first = checkpoint("a", 1, "parameters of seed 1");
        Checkpoint second = checkpoint("b", 2, "parameters of seed 2");
        Checkpoint third = checkpoint("c", 3, "parameters of seed 3");
        TrainedPolicies seeds = new TrainedPolicies(List.of(first, second, third), folder);
        TrainedPolicies alone = new TrainedPolicies(List.of(second), folder);

        assertThat(seeds.worldRemark(world("belief={type: Samples, share: 0.5, noise: 0.1}", "runtime={type: Forest}")))
                .isEqualTo("every row is judged in the world of seed 1 (test episodes, belief, run-time forest);"
                        + " learned/2, learned/3, trained with other seeds, may do otherwise in runs of their own");
        assertThat(seeds.worldRemark(world("belief=shipped", "runtime={type: History}")))
                .startsWith("every row is judged in the world of seed 1 (test episodes); learned/2, learned/3,");
        assertThat(alone.worldRemark(world("belief=shipped", "runtime={type: Lognormal, sigma: 0.5}")))
                .startsWith("every row is judged in the world of seed 1 (run-time errors); learned, trained");
        assertThat(alone.worldRemark(world("belief=shipped", "runtime={type: History}")))
                .isNull();
        assertThat(new TrainedPolicies(List.of(first), folder)
                        .worldRemark(world("belief={type: Samples, share: 0.5, noise: 0.1}", "runtime={type: Forest}")))
                .isNull();
    }

    private static ExperimentConfig world(String belief, String runtime) {
        return ConfigReader.read(SHIPPED.resolve(Checkpoint.CONFIG), List.of("seed=1", belief, runtime));
    }

    private Checkpoint checkpoint(String name, long seed, String parameters) throws IOException {
        Path made = Files.createDirectories(folder.resolve(name));
        String config = Files.readString(SHIPPED.resolve(Checkpoint.CONFIG));
        Files.writeString(made.resolve(Checkpoint.CONFIG), config.replaceAll("(?m)^seed: .*$", "seed: " + seed));
        Files.writeString(made.resolve(Checkpoint.POLICY), parameters);
        return new Checkpoint(made);
    }
}
