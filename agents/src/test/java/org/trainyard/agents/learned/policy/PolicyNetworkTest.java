package org.trainyard.agents.learned.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDManager;
import ai.djl.training.GradientCollector;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.agents.learned.LearnedWorlds;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.AutoResetEnv;
import org.trainyard.env.gym.observation.ObservationSpace;
import org.trainyard.gnn.CheckedFile;

class PolicyNetworkTest {
    private final PolicyNetwork policy = new PolicyNetwork(LearnedWorlds.NETWORK, 3);
    private final List<AutoResetEnv> envs =
            LearnedWorlds.allSmall(4).stream().map(AutoResetEnv::new).toList();
    private final int agents = envs.get(0).agents();
    private final ObservationSpace spec = envs.get(0).spec();
    private final int size = spec.actions().size();
    private final int rowCount = envs.size() * agents;
    private final float[] rows = new float[rowCount * spec.size()];
    private final float[] scores = new float[rowCount * size];
    private final float[] values = new float[rowCount];

    @AfterEach
    void free() {
        policy.close();
    }

    private void score() {
        policy.score(rows, 0, envs.size(), agents, spec, scores, values);
    }

    /** Plays some steps by chance, up to one in which agent 0 of environment 0 has taken up a job. */
    private void playUntilAJobIsTakenUp() {
        RandomGenerator random = RandomStreams.stream(1, "test/play");
        for (int i = 0; i < envs.size(); i++) {
            envs.get(i).reset(i);
        }
        for (int step = 0; step < 25 || rows[spec.globalAt()] == 0; step++) {
            observe();
            score();
            int[] actions = new int[rowCount];
            for (int i = 0; i < rowCount; i++) {
                actions[i] = ActionSampler.sample(scores, i * size, size, random);
            }
            if (step < 25 || rows[spec.globalAt()] == 0) {
                for (int i = 0; i < envs.size(); i++) {
                    envs.get(i).step(actions, i * agents);
                }
                observe();
            }
        }
    }

    private void observe() {
        for (int row = 0; row < rowCount; row++) {
            envs.get(row / agents).observe(row % agents, rows, row * spec.size());
        }
    }

    @Test
    void actions_not_on_offer_have_no_probability_and_the_rest_adds_up_to_one() {
        playUntilAJobIsTakenUp();
        score();
        for (int row = 0; row < rowCount; row++) {
            double sum = 0;
            for (int action = 0; action < size; action++) {
                double probability = Math.exp(scores[row * size + action]);
                sum += probability;
                boolean offered = rows[row * spec.size() + spec.maskAt() + action] != 0;
                assertThat(probability == 0).isEqualTo(!offered);
            }
            assertThat(sum).isCloseTo(1, within(1e-5));
        }
    }

    @Test
    void swapping_two_servers_swaps_their_probabilities() {
        playUntilAJobIsTakenUp();
        score();
        float[] before = scores.clone();
        float valueBefore = values[0];
        int gpus = spec.gpusPerServer() * ObservationSpace.GPU;
        swap(spec.gpusAt(), spec.gpusAt() + gpus, gpus);
        swap(spec.serversAt(), spec.serversAt() + ObservationSpace.SERVER, ObservationSpace.SERVER);
        swap(spec.linksAt(), spec.linksAt() + ObservationSpace.LINK, ObservationSpace.LINK);
        swap(spec.candidatesAt(), spec.candidatesAt() + ObservationSpace.CANDIDATE, ObservationSpace.CANDIDATE);
        int mask = spec.maskAt() + spec.actions().server(0);
        swap(mask, mask + 1, 1);
        score();
        int first = spec.actions().server(0);
        assertThat(scores[first]).isCloseTo(before[first + 1], within(1e-3f));
        assertThat(scores[first + 1]).isCloseTo(before[first], within(1e-3f));
        assertThat(scores[first + 2]).isCloseTo(before[first + 2], within(1e-3f));
        assertThat(values[0]).isCloseTo(valueBefore, within(1e-3f));
    }

    private void swap(int a, int b, int length) {
        for (int i = 0; i < length; i++) {
            float kept = rows[a + i];
            rows[a + i] = rows[b + i];
            rows[b + i] = kept;
        }
    }

    @Test
    void an_actor_reads_its_own_row_alone_and_the_critic_reads_all() {
        playUntilAJobIsTakenUp();
        score();
        float[] before = scores.clone();
        float valueBefore = values[0];
        for (int i = spec.size(); i < spec.size() + spec.maskAt(); i++) {
            rows[i] *= 0.5f; // what the other agent sees
        }
        score();
        for (int action = 0; action < size; action++) {
            assertThat(scores[action]).isCloseTo(before[action], within(1e-4f));
        }
        assertThat(values[0]).isNotEqualTo(valueBefore);
    }

    @Test
    void draws_follow_the_probabilities() {
        float[] two = {(float) Math.log(0.25), -1e9f, (float) Math.log(0.75)};
        RandomGenerator random = RandomStreams.stream(1, "test/draws");
        int[] counts = new int[3];
        for (int i = 0; i < 10_000; i++) {
            counts[ActionSampler.sample(two, 0, 3, random)]++;
        }
        assertThat(counts[1]).isZero();
        assertThat(counts[0]).isBetween(2350, 2650);
        assertThat(ActionSampler.argMax(two, 0, 3)).isEqualTo(2);
    }

    @Test
    void cached_embeddings_change_no_score_and_are_forgotten_when_weights_change() {
        playUntilAJobIsTakenUp();
        score();
        float[] before = scores.clone();
        policy.cacheEmbeddings(true);
        for (int pass = 0; pass < 3; pass++) {
            score();
            assertThat(scores).containsExactly(before, within(1e-5f));
        }
        policy.cacheEmbeddings(false);
        policy.parameters().get("server.in.weight").muli(-1);
        score();
        float[] changed = scores.clone();
        assertThat(changed).isNotEqualTo(before);
        policy.cacheEmbeddings(true);
        score();
        assertThat(scores).containsExactly(changed, within(1e-5f));
    }

    @Test
    void a_policy_for_inference_leaves_the_network_trainable() {
        playUntilAJobIsTakenUp();
        score();
        float[] before = scores.clone();
        try (Policy first = policy.toInferencePolicy()) {
            int[] expected = policy.greedy(rows, rowCount, spec);
            int[] actions = new int[rowCount];
            first.act(rows, rowCount, spec, actions);
            policy.parameters().get("server.in.weight").muli(-1);
            score();
            assertThat(scores).isNotEqualTo(before);
            first.act(rows, rowCount, spec, actions);
            assertThat(actions).isEqualTo(expected);
        }
        // Gradients still reach the encoder.
        try (NDManager scope = policy.parameters().newScope();
                GradientCollector collector = Engine.getInstance().newGradientCollector()) {
            RowBatch batch = new RowBatch(spec);
            batch.fill(rows, 0, envs.size(), agents);
            collector.backward(
                    policy.forward(batch.tensors(scope)).values().square().sum());
        }
        assertThat(policy.parameters()
                        .get("gpu.in.weight")
                        .getGradient()
                        .abs()
                        .sum()
                        .getFloat())
                .isPositive();
    }

    @Test
    void a_policy_of_other_observation_columns_is_refused_in_one_line(@TempDir Path folder) {
        Path file = folder.resolve("policy.bin");
        policy.save(file);
        PolicyNetwork.load(file).close();
        CheckedFile.write(file, "TYPOLICY", 3, out -> {
            out.writeUTF("c0ffee");
            out.writeUTF("HIERARCHICAL");
        });

        assertThatThrownBy(() -> PolicyNetwork.load(file))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith(file + ": was saved with observation schema c0ffee")
                .hasMessageNotContaining("\n");
    }
}
