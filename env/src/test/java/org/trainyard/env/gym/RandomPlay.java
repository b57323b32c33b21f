package org.trainyard.env.gym;

import java.util.random.RandomGenerator;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.reward.JctReward;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;

/** Plays random legal actions, for tests of what holds in every state. */
public final class RandomPlay {
    private RandomPlay() {}

    /** Called after every step. */
    public interface Check {
        void at(SimView view);
    }

    /** Plays one episode with preemption, and one agent per rack. */
    public static void play(long seed, Topology topology, Check check) {
        ClusterScenario world = TestScenarios.known(topology);
        ClusterEnv env = new ClusterEnv(
                world,
                new ClusterEnv.Settings(Domains.racks(topology), 16, 2, true, Double.POSITIVE_INFINITY, 0.5, 0),
                episode -> RandomWorkloads.ofFewModels(episode, 60, topology.gpus()),
                new JctReward());
        env.reset(seed);
        RandomGenerator random = RandomStreams.stream(seed, "test/actions");
        float[] row = new float[env.spec().size()];
        int[] actions = new int[env.agents()];
        StepResult step;
        do {
            for (int agent = 0; agent < env.agents(); agent++) {
                env.observe(agent, row, 0);
                do {
                    actions[agent] = random.nextInt(env.spec().actions().size());
                } while (row[env.spec().maskAt() + actions[agent]] == 0);
            }
            step = env.step(actions, 0);
            check.at(env.simulator().view());
        } while (!step.done());
    }
}
