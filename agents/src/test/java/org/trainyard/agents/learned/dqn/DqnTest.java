package org.trainyard.agents.learned.dqn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.djl.Model;
import ai.djl.modality.rl.LruReplayBuffer;
import ai.djl.modality.rl.agent.QAgent;
import ai.djl.modality.rl.env.RlEnv;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.Trainer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.agents.learned.LearnedWorlds;
import org.trainyard.agents.learned.policy.ActionSampler;
import org.trainyard.agents.learned.policy.PolicyNetwork;
import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.agents.learned.training.UpdateStatistics;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.ClusterEnv;
import org.trainyard.env.gym.observation.ObservationSpace;
import org.trainyard.env.topology.Topologies;

class DqnTest {
    private static final PolicyNetwork.Settings FLAT = new PolicyNetwork.Settings(PolicyNetwork.Encoder.FLAT, 8, 0);

    @TempDir
    private Path folder;

    private static ClusterEnv env() {
        return LearnedWorlds.env(
                Topologies.small(), Double.POSITIVE_INFINITY, episode -> LearnedWorlds.random(episode, 8));
    }

    private static Dqn dqn(int updates, long seed) {
        return new Dqn(
                new PolicyNetwork(FLAT, 1),
                env(),
                new LearnerSettings.Dqn(updates, 40, 60, 30, 4, 4, 3, 1e-2, 1, 0.1, 0.8, 2, 0.2, 1),
                seed);
    }

    private String hash(Dqn dqn, String name) {
        Path file = folder.resolve(name);
        dqn.policy().save(file);
        dqn.save(folder.resolve(name + ".run"));
        return PolicyNetwork.sha256(file) + PolicyNetwork.sha256(folder.resolve(name + ".run"));
    }

    @Test
    void a_run_saved_and_loaded_goes_on_to_the_same_bytes() {
        try (Dqn straight = dqn(4, 1);
                Dqn resumed = dqn(4, 1)) {
            while (!straight.isDone()) {
                straight.update();
                if (straight.updates() == 2) {
                    straight.save(folder.resolve("run"));
                }
            }
            resumed.update();
            resumed.load(folder.resolve("run"));
            assertThat(resumed.updates()).isEqualTo(2);
            while (!resumed.isDone()) {
                resumed.update();
            }
            assertThat(hash(resumed, "resumed")).isEqualTo(hash(straight, "straight"));
        }
    }

    @Test
    void another_seed_is_another_run_and_its_file_is_refused() {
        try (Dqn one = dqn(2, 1);
                Dqn other = dqn(2, 2)) {
            one.update();
            other.update();
            assertThat(hash(one, "one")).isNotEqualTo(hash(other, "other"));
            assertThatThrownBy(() -> other.load(folder.resolve("one.run")))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("seed (1)");
        }
    }

    @Test
    void learning_begins_after_the_warm_up_and_brings_what_was_done_closer_to_its_target() {
        try (Dqn dqn = dqn(16, 1)) {
            UpdateStatistics first = dqn.update();
            assertThat(first.minibatches()).isEqualTo(3);
            assertThat(first.episodes()).isPositive();
            assertThat(first.rewardPerHour()).isNegative();
            double early = dqn.update().valueLoss();
            while (dqn.updates() < 15) {
                dqn.update();
            }
            assertThat(dqn.update().valueLoss()).isLessThan(early);
        }
    }

    @Test
    void the_greedy_policy_takes_the_action_of_the_greatest_q_value() {
        try (Dqn dqn = dqn(3, 1);
                NDManager manager = NDManager.newBaseManager();
                Model model = Model.newInstance("q");
                PolicyNetwork loaded = learned(dqn);
                PolicyNetwork qValues = online(dqn);
                DjlClusterEnv env = new DjlClusterEnv(
                        manager,
                        env(),
                        new LruReplayBuffer(1, 1),
                        1,
                        new DjlClusterEnv.RewardScale(1, Double.POSITIVE_INFINITY),
                        100)) {
            ObservationSpace spec = env().spec();
            model.setBlock(new QNetworkBlock(qValues, qValues, spec));
            try (Trainer trainer = model.newTrainer(new DefaultTrainingConfig(new HuberLoss()))) {
                QAgent agent = new QAgent(trainer, 1, new QNetworkBlock.Rows());
                int[] actions = new int[1];
                env.reset();
                int decisions = 0;
                while (!env.isOver()) {
                    NDList best = agent.chooseAction(env, false);
                    float[] oneHot = best.singletonOrThrow().toFloatArray();
                    loaded.act(env.getObservation().get(0).toFloatArray(), 1, spec, actions);
                    assertThat(oneHot[actions[0]]).isEqualTo(1);
                    env.step(best, false);
                    decisions++;
                }
                assertThat(decisions).isGreaterThan(10);
            }
        }
    }

    private PolicyNetwork learned(Dqn dqn) {
        while (!dqn.isDone()) {
            dqn.update();
        }
        dqn.policy().save(folder.resolve("policy.bin"));
        return PolicyNetwork.load(folder.resolve("policy.bin"));
    }

    /** The network whose scores are Q values: that of the greedy policy, at inverse temperature 1. */
    private PolicyNetwork online(Dqn dqn) {
        PolicyNetwork network = PolicyNetwork.load(folder.resolve("policy.bin"));
        for (String name : network.parameters().names()) {
            if (name.matches(".*\\.(out|rule)\\.(weight|bias)")) {
                float[] values = dqn.policy().parameters().get(name).toFloatArray();
                for (int i = 0; i < values.length; i++) {
                    values[i] /= 1000;
                }
                network.parameters().set(name, values);
            }
        }
        return network;
    }

    @Test
    void djls_agent_learns_towards_the_reward_and_the_discounted_q_value_of_the_target_network() {
        HuberLoss loss = new HuberLoss();
        UniformReplayBuffer memory = new UniformReplayBuffer(1, 1);
        memory.drawFrom(RandomStreams.stream(1, "test/replay"));
        ObservationSpace spec = env().spec();
        try (PolicyNetwork online = new PolicyNetwork(FLAT, 1);
                PolicyNetwork target = new PolicyNetwork(FLAT, 2);
                NDManager manager = NDManager.newBaseManager();
                Model model = Model.newInstance("q");
                DjlClusterEnv env =
                        new DjlClusterEnv(manager, env(), memory, 1, new DjlClusterEnv.RewardScale(0.1, 2), 0)) {
            target.parameters().all().forEach(parameter -> parameter.setRequiresGradient(false));
            model.setBlock(new QNetworkBlock(online, target, spec));
            try (Trainer trainer = model.newTrainer(new DefaultTrainingConfig(loss))) {
                QAgent agent = new QAgent(trainer, 1, new QNetworkBlock.Rows());
                env.reset();
                int timesPassed = 0;
                while (!env.isOver()) {
                    env.step(agent.chooseAction(env, true), true);
                    RlEnv.Step step = env.getBatch()[0];
                    loss.clear();
                    agent.trainBatch(new RlEnv.Step[] {step});

                    assertThat(loss.mean())
                            .isCloseTo(huber(expected(step, target, spec), done(step, online, spec)), within(1e-4));
                    timesPassed += env.elapsedHours() > 0 ? 1 : 0;
                    step.close();
                }
                assertThat(timesPassed).isGreaterThan(3);
                assertThat(online.parameters()
                                .get("value.weight")
                                .getGradient()
                                .abs()
                                .sum()
                                .getFloat())
                        .isPositive();
            }
        }
    }

    private static double huber(double target, double value) {
        double error = Math.abs(target - value);
        return error < 1 ? error * error / 2 : error - 0.5;
    }

    private static double done(RlEnv.Step step, PolicyNetwork network, ObservationSpace spec) {
        float[] action = step.getAction().singletonOrThrow().toFloatArray();
        return qValues(step.getPreObservation(), network, spec)[ActionSampler.argMax(action, 0, action.length)];
    }

    private static double expected(RlEnv.Step step, PolicyNetwork network, ObservationSpace spec) {
        double reward = step.getReward().getFloat();
        if (step.isDone()) {
            return reward;
        }
        double most = Double.NEGATIVE_INFINITY;
        for (double q : qValues(step.getPostObservation(), network, spec)) {
            most = Math.max(most, q);
        }
        return reward + step.getPostObservation().get(1).getFloat() * most;
    }

    private static double[] qValues(NDList seen, PolicyNetwork network, ObservationSpace spec) {
        float[] scores = new float[spec.actions().size()];
        float[] value = new float[1];
        network.score(seen.get(0).toFloatArray(), 0, 1, 1, spec, scores, value);
        float best = scores[ActionSampler.argMax(scores, 0, scores.length)];
        double[] qValues = new double[scores.length];
        for (int i = 0; i < scores.length; i++) {
            qValues[i] = scores[i] - best + value[0];
        }
        return qValues;
    }

    @Test
    void exploration_falls_linearly_and_stays() {
        LearnerSettings.Dqn settings = new LearnerSettings.Dqn(10, 100, 60, 30, 4, 4, 3, 1e-2, 1, 0.1, 0.5, 2, 0.2, 1);

        assertThat(settings.epsilon(0)).isEqualTo(1);
        assertThat(settings.epsilon(250)).isCloseTo(0.55, within(1e-12));
        assertThat(settings.epsilon(500)).isCloseTo(0.1, within(1e-12));
        assertThat(settings.epsilon(999)).isCloseTo(0.1, within(1e-12));
    }

    @Test
    void the_loss_is_that_of_huber() {
        HuberLoss loss = new HuberLoss();
        try (NDManager manager = NDManager.newBaseManager()) {
            NDArray zero = manager.create(0f);
            assertThat(loss.evaluate(new NDList(zero), new NDList(manager.create(0.5f)))
                            .getFloat())
                    .isEqualTo(0.125f);
            assertThat(loss.evaluate(new NDList(zero), new NDList(manager.create(-3f)))
                            .getFloat())
                    .isEqualTo(2.5f);
        }
        assertThat(loss.mean()).isCloseTo(1.3125, within(1e-9));
    }
}
