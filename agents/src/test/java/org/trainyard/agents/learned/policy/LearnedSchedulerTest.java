package org.trainyard.agents.learned.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.agents.learned.LearnedWorlds;
import org.trainyard.env.gym.ClusterEnv;
import org.trainyard.env.gym.action.ActionSpace;
import org.trainyard.env.gym.observation.ObservationSpace;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Workload;

class LearnedSchedulerTest {
    private static final Topology TOPOLOGY = Topologies.small();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void it_does_what_the_same_policy_does_in_the_gym(long seed) {
        Workload workload = LearnedWorlds.random(seed, 40);
        try (PolicyNetwork policy = new PolicyNetwork(LearnedWorlds.NETWORK, seed)) {
            ClusterEnv env = LearnedWorlds.env(TOPOLOGY, Double.POSITIVE_INFINITY, episode -> workload);
            ObservationSpace spec = env.spec();
            env.reset(0);
            float[] rows = new float[env.agents() * spec.size()];
            boolean done = false;
            while (!done) {
                for (int agent = 0; agent < env.agents(); agent++) {
                    env.observe(agent, rows, agent * spec.size());
                }
                int[] actions = policy.greedy(rows, env.agents(), spec);
                for (int agent = 0; agent < env.agents(); agent++) {
                    actions[agent] = env.isActive(agent) ? actions[agent] : ActionSpace.WAIT;
                }
                done = env.step(actions, 0).done();
            }
            assertThat(LearnedWorlds.run(policy, TOPOLOGY, workload).eventLogSha256())
                    .isEqualTo(env.simulator().eventLog().sha256());
        }
    }

    @Test
    void one_policy_serves_clusters_of_any_size() {
        try (PolicyNetwork policy = new PolicyNetwork(LearnedWorlds.NETWORK, 1)) {
            assertThat(LearnedWorlds.run(policy, TOPOLOGY, LearnedWorlds.random(1, 20))
                            .jobs())
                    .hasSize(20);
            assertThat(LearnedWorlds.run(policy, Topologies.medium(), LearnedWorlds.random(1, 20))
                            .jobs())
                    .hasSize(20);
        }
    }

    @Test
    void a_policy_read_back_from_its_file_decides_alike() {
        Workload workload = LearnedWorlds.random(9, 30);
        Path file = folder.resolve("policy");
        try (PolicyNetwork policy = new PolicyNetwork(LearnedWorlds.NETWORK, 5)) {
            policy.save(file);
            try (PolicyNetwork loaded = PolicyNetwork.load(file)) {
                assertThat(loaded.settings()).isEqualTo(policy.settings());
                assertThat(LearnedWorlds.run(loaded, TOPOLOGY, workload).eventLogSha256())
                        .isEqualTo(LearnedWorlds.run(policy, TOPOLOGY, workload).eventLogSha256());
            }
        }
    }
}
