package org.trainyard.experiments.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.binding.ConfigWriter;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.PhysicsConfig;
import org.trainyard.experiments.config.topology.Clusters;

class PolicyFitTest {
    private static final Path CONFIG = Path.of(System.getProperty("trainyard.root", ".."))
            .resolve("experiments/configs/auction/scratch-preemption.yaml");

    private static final String DEAR = "physics.restart={type: Fixed, seconds: 300.0}";
    private static final String BY_SIZE =
            "physics.restart={type: BySize, start_seconds: 15.0, most_seconds: 250.0, megabytes_per_second: 100.0}";

    private static final Topology SMALL = Clusters.resolve("small");

    @TempDir
    private Path folder;

    /** A folder that looks like a checkpoint of a policy which was trained with these values of a config. */
    private void ship(String name, String... values) throws IOException {
        Path policy = Files.createDirectories(folder.resolve(name));
        Files.writeString(policy.resolve("policy.bin"), "not read here");
        Files.writeString(policy.resolve("config.yaml"), ConfigWriter.yaml(ConfigReader.read(CONFIG, List.of(values))));
    }

    private static PhysicsConfig world(String... values) {
        return ConfigReader.read(CONFIG, List.of(values)).physics();
    }

    private String chosen(PhysicsConfig world) {
        return PolicyFit.open("test", PolicyFit.LEARNED, world, null, folder)
                .folder()
                .getFileName()
                .toString();
    }

    @Test
    void the_policy_that_was_trained_for_the_rules_is_chosen() throws IOException {
        ship("default");
        ship("no-preemption", "physics.preemption={type: Forbidden}");
        ship("restarts", DEAR);
        ship(
                "rules",
                "domain_randomisation={share: 1.0, restart_seconds: [0.0, 900.0], by_size: 0.3, checkpoint_minutes: [5.0, 60.0], saved: 0.5, lost: 0.1, forbidden: 0.0, limited: 0.2}");

        assertThat(chosen(world())).isEqualTo("default");
        assertThat(chosen(world("physics.preemption={type: Forbidden}"))).isEqualTo("no-preemption");
        assertThat(chosen(world(DEAR))).isEqualTo("restarts");
        assertThat(chosen(world(BY_SIZE))).isEqualTo("default");
        assertThat(chosen(world("physics.preemption={type: Lost, limit: 2}"))).isEqualTo("rules");
    }

    @Test
    void where_none_fits_the_default_is_taken_with_a_remark() throws IOException {
        ship("default");
        PhysicsConfig forbidden = world("physics.preemption={type: Forbidden}");
        Checkpoint only = PolicyFit.open("test", PolicyFit.LEARNED, forbidden, null, folder);

        assertThat(only.folder()).isEqualTo(folder.resolve("default"));
        assertThat(PolicyFit.remark(only, forbidden))
                .endsWith(
                        "was not trained for these rules of preemption: there a restart costs 30.0 s, here a restart costs 30.0 s, no preemption");
        assertThat(PolicyFit.remark(only, world())).isNull();
    }

    @Test
    void of_the_policies_that_ship_the_one_without_preemption_is_taken_where_no_job_may_be_preempted() {
        PhysicsConfig forbidden = world("physics.preemption={type: Forbidden}");
        Checkpoint chosen = PolicyFit.open("test", PolicyFit.LEARNED, forbidden, null);

        assertThat(chosen.folder()).endsWith(Path.of("checkpoints", "no-preemption"));
        assertThat(PolicyFit.note(PolicyFit.LEARNED, chosen, forbidden))
                .startsWith("learned is ")
                .endsWith("no-preemption, which was trained for such restarts and rules of preemption");
        assertThat(PolicyFit.note(chosen.folder().toString(), chosen, forbidden))
                .isNull();
    }

    @Test
    void a_policy_of_one_world_is_noted_where_racks_agents_or_types_of_gpus_are_others() throws IOException {
        ship("run", "cluster=small-generations");
        ship("worlds", "cluster=small-generations", "worlds=[experiments/configs/auction/contended.yaml]");
        Path run = folder.resolve("run");

        assertThat(elsewhere("run", "cluster=20x8"))
                .isEqualTo(
                        "%s was trained for another world: there 4 racks, 4 agents, GPUs A100 and P100, here 1 rack, 1 agent, GPUs V100",
                        run);
        assertThat(elsewhere("run", "cluster=small-generations", "environment.domains=2"))
                .isEqualTo(
                        "%s was trained for another world: there 4 racks, 4 agents, GPUs A100 and P100, here 4 racks, 2 agents, GPUs A100 and P100",
                        run);
        assertThat(elsewhere("run", "cluster=small-generations", "episodes.jobs=50"))
                .isNull();
        assertThat(elsewhere("worlds", "cluster=20x8")).isNull();
    }

    private @Nullable String elsewhere(String policy, String... values) {
        return PolicyFit.elsewhere(new Checkpoint(folder.resolve(policy)), ConfigReader.read(CONFIG, List.of(values)));
    }

    @Test
    void the_policy_without_preemption_is_not_taken_where_jobs_may_be_preempted() {
        for (String rules : List.of("null", "{type: Checkpointed, limit: 2}", "{type: Checkpoints, minutes: 30}")) {
            PhysicsConfig world = world("physics.preemption=" + rules);
            assertThat(PolicyFit.open("test", PolicyFit.LEARNED, world, SMALL).folder())
                    .as(rules)
                    .endsWith(Path.of("checkpoints", "default"));
        }
    }

    @Test
    void of_the_policies_that_ship_the_one_for_dear_restarts_is_taken_where_every_restart_takes_minutes() {
        for (String values : List.of(DEAR, "physics.restart={type: Fixed, seconds: 120.0}")) {
            assertThat(PolicyFit.open("test", PolicyFit.LEARNED, world(values), SMALL)
                            .folder())
                    .as(values)
                    .endsWith(Path.of("checkpoints", "restarts"));
        }
        for (String values : List.of(BY_SIZE, "physics.restart={type: Fixed, seconds: 60.0}")) {
            assertThat(PolicyFit.open("test", PolicyFit.LEARNED, world(values), SMALL)
                            .folder())
                    .as(values)
                    .endsWith(Path.of("checkpoints", "default"));
        }
    }
}
