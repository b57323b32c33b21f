package org.trainyard.agents.learned.dqn;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.modality.rl.LruReplayBuffer;
import ai.djl.modality.rl.agent.RlAgent;
import ai.djl.modality.rl.env.RlEnv;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.learned.LearnedWorlds;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.ClusterEnv;
import org.trainyard.env.topology.Topologies;

class DjlClusterEnvTest {
    /** Chooses among the actions on offer, and looks at every batch. */
    private static final class RandomAgent implements RlAgent {
        private final RandomGenerator random = RandomStreams.stream(1, "test/agent");
        private int batches;

        @Override
        public NDList chooseAction(RlEnv env, boolean training) {
            return env.getActionSpace().get(random.nextInt(env.getActionSpace().size()));
        }

        @Override
        public void trainBatch(RlEnv.Step[] batch) {
            for (RlEnv.Step step : batch) {
                assertThat(step.getReward().getFloat()).isNotPositive();
                assertThat(step.getPreObservation().get(0).size())
                        .isEqualTo(step.getPostObservation().get(0).size());
                assertThat(step.getPostObservation().get(1).getFloat()).isBetween(0f, 1f);
                step.close();
            }
            batches++;
        }
    }

    private static DjlClusterEnv env(NDManager manager) {
        ClusterEnv env = LearnedWorlds.env(
                Topologies.small(), Double.POSITIVE_INFINITY, episode -> LearnedWorlds.random(episode, 6));
        return new DjlClusterEnv(manager, env, new LruReplayBuffer(4, 16), 16, new DjlClusterEnv.RewardScale(1, 3), 0);
    }

    @Test
    void an_agent_of_djl_plays_whole_episodes_and_leaves_no_tensors_behind() {
        try (NDManager manager = NDManager.newBaseManager();
                DjlClusterEnv env = env(manager)) {
            RandomAgent agent = new RandomAgent();
            env.runEnvironment(agent, false);
            int after = 0;
            for (int episode = 0; episode < 5; episode++) {
                assertThat(env.runEnvironment(agent, false)).isNegative();
                assertThat(manager.getManagedArrays().size()).isLessThan(40);
                after++;
            }
            assertThat(after).isEqualTo(5);
        }
    }

    @Test
    void training_draws_batches_from_what_was_played() {
        try (NDManager manager = NDManager.newBaseManager();
                DjlClusterEnv env = env(manager)) {
            RandomAgent agent = new RandomAgent();
            env.runEnvironment(agent, true);
            assertThat(agent.batches).isPositive();
        }
    }
}
