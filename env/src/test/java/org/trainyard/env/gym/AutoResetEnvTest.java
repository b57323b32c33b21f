package org.trainyard.env.gym;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.reward.JctReward;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Workload;

class AutoResetEnvTest {
    private static final Topology TOPOLOGY = Topologies.small();
    private static final Workload EMPTY = new Workload(List.of(), new double[0]);

    private static AutoResetEnv env(EpisodeSource episodes) {
        ClusterScenario world = TestScenarios.known(TOPOLOGY);
        return new AutoResetEnv(new ClusterEnv(
                world,
                new ClusterEnv.Settings(Domains.racks(TOPOLOGY), 16, 2, false, Double.POSITIVE_INFINITY, 0.5, 0),
                episodes,
                new JctReward()));
    }

    private static AutoResetEnv env() {
        return env(episode -> RandomWorkloads.of(episode, 40, TOPOLOGY.gpus()));
    }

    private static int[] legalActions(AutoResetEnv env, RandomGenerator random) {
        int[] actions = new int[env.agents()];
        float[] row = new float[env.spec().size()];
        for (int agent = 0; agent < actions.length; agent++) {
            env.observe(agent, row, 0);
            do {
                actions[agent] = random.nextInt(env.spec().actions().size());
            } while (row[env.spec().maskAt() + actions[agent]] == 0);
        }
        return actions;
    }

    private static float[] observations(AutoResetEnv env) {
        float[] rows = new float[env.agents() * env.spec().size()];
        for (int agent = 0; agent < env.agents(); agent++) {
            env.observe(agent, rows, agent * env.spec().size());
        }
        return rows;
    }

    @Test
    void a_restored_environment_goes_on_exactly_where_it_was_saved() throws Exception {
        AutoResetEnv original = env();
        original.reset(100);
        RandomGenerator random = RandomStreams.stream(5, "test/actions");
        int ends = 0;
        for (int i = 0; i < 700; i++) {
            ends += original.step(legalActions(original, random), 0).done() ? 1 : 0;
        }
        assertThat(ends).isPositive();
        ByteArrayOutputStream saved = new ByteArrayOutputStream();
        original.save(new DataOutputStream(saved));
        AutoResetEnv restored = env();
        restored.restore(new DataInputStream(new ByteArrayInputStream(saved.toByteArray())));
        for (int i = 0; i < 700; i++) {
            int[] actions = legalActions(original, random);
            StepResult expected = original.step(actions, 0);
            StepResult found = restored.step(actions, 0);
            assertThat(found.elapsedHours()).isEqualTo(expected.elapsedHours());
            assertThat(found.reward(0)).isEqualTo(expected.reward(0));
            assertThat(found.reward(1)).isEqualTo(expected.reward(1));
            assertThat(Double.valueOf(restored.finishedMeanJctSeconds()))
                    .isEqualTo(Double.valueOf(original.finishedMeanJctSeconds()));
        }
        assertThat(observations(restored)).isEqualTo(observations(original));
    }

    @Test
    void episodes_in_which_no_agent_has_a_choice_are_passed_over() {
        AutoResetEnv env = env(episode -> episode % 3 == 0 ? RandomWorkloads.of(episode, 2, TOPOLOGY.gpus()) : EMPTY);
        env.reset(1);
        RandomGenerator random = RandomStreams.stream(1, "test/actions");
        for (int ends = 0; ends < 3; ) {
            ends += env.step(legalActions(env, random), 0).done() ? 1 : 0;
            assertThat(env.isActive(0) || env.isActive(1)).isTrue();
        }
    }

    @Test
    void episodes_that_all_lack_a_choice_are_an_error() {
        AutoResetEnv env = env(episode -> EMPTY);

        assertThatThrownBy(() -> env.reset(7))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("episodes from (7) on");
    }
}
