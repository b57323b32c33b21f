package org.trainyard.agents.learned.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.onnxruntime.OrtException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.learned.LearnedWorlds;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.agents.learned.policy.InitialRules;
import org.trainyard.agents.learned.policy.LinearPolicy;
import org.trainyard.agents.learned.policy.Policy;
import org.trainyard.agents.learned.policy.PolicyNetwork;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.observation.ObservationSpace;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.gnn.onnx.OnnxGraph;

class RowGraphTest {
    /** Rows that an agent saw and the actions that the policy chose. */
    private static final class Recorder implements Policy {
        private final Policy policy;
        private final List<float[]> rows = new ArrayList<>();
        private final List<Integer> chosen = new ArrayList<>();
        private @Nullable ObservationSpace space;

        Recorder(Policy policy) {
            this.policy = policy;
        }

        @Override
        public boolean readsOffersOnly() {
            return policy.readsOffersOnly();
        }

        @Override
        public void act(float[] batch, int agents, ObservationSpace spec, int[] actions) {
            policy.act(batch, agents, spec, actions);
            space = spec;
            for (int agent = 0; agent < agents; agent++) {
                float[] row = new float[spec.size()];
                System.arraycopy(batch, agent * spec.size(), row, 0, row.length);
                rows.add(row);
                chosen.add(actions[agent]);
            }
        }
    }

    private static Recorder play(String cluster, boolean preemption, Policy policy) {
        Topology topology = Objects.requireNonNull(Topologies.parse(cluster));
        Recorder recorder = new Recorder(policy);
        Deployment deployment = new Deployment(
                topology,
                Domains.racks(topology),
                LearnedWorlds.WINDOW,
                LearnedWorlds.HOPS,
                preemption,
                LearnedWorlds.BELIEF);
        LearnedWorlds.world(topology).simulator(LearnedWorlds.random(1, 60)).run(recorder.scheduler(deployment));
        assertThat(recorder.rows).hasSizeGreaterThan(100);
        return recorder;
    }

    @ParameterizedTest
    @CsvSource({"medium, true", "medium, false", "leaf-spine:4x2x2x4@4, true", "fat-tree:4x4, false"})
    void the_graph_of_a_rule_has_its_scores_to_the_last_bit(String cluster, boolean preemption) throws OrtException {
        LinearPolicy rule = new LinearPolicy(InitialRules.patient());
        Recorder played = play(cluster, preemption, rule);
        ObservationSpace space = Objects.requireNonNull(played.space);
        try (RuntimeSession session = new RuntimeSession(RuleGraph.of(rule, preemption))) {
            for (int i = 0; i < played.rows.size(); i++) {
                float[] row = played.rows.get(i);
                Map<String, Object> outputs = session.run(RowArrays.ofRule(row, 0, space));
                float[] scores = ((float[][]) Objects.requireNonNull(outputs.get(Choice.SCORES)))[0];
                assertThat(scores).hasSize(space.actions().size());
                for (int action = 0; action < scores.length; action++) {
                    if (row[space.maskAt() + action] != 0) {
                        assertThat(scores[action]).isEqualTo((float) rule.score(row, 0, space, action));
                    }
                }
                assertThat(outputs.get(Choice.BEST)).isEqualTo(new long[] {played.chosen.get(i)});
            }
        }
    }

    /** A network with random weights whose scores differ by about one. */
    private static PolicyNetwork network(PolicyNetwork.Encoder encoder, int hidden, int rounds) {
        PolicyNetwork network = new PolicyNetwork(new PolicyNetwork.Settings(encoder, hidden, rounds), 3);
        RandomGenerator random = RandomStreams.stream(5, "test/weights");
        for (String name : network.parameters().names()) {
            if (name.endsWith(".out.weight") || name.endsWith(".rule.weight")) {
                float[] values = new float[(int) network.parameters().get(name).size()];
                for (int i = 0; i < values.length; i++) {
                    values[i] = (float) (0.3 * random.nextGaussian());
                }
                network.parameters().set(name, values);
            }
        }
        return network;
    }

    @ParameterizedTest
    @CsvSource({
        "medium, HIERARCHICAL, 32, 2, true",
        "leaf-spine:4x2x2x4@4, HIERARCHICAL, 16, 1, false",
        "fat-tree:4x4, HIERARCHICAL, 9, 3, true",
        "medium, HIERARCHICAL, 8, 0, false",
        "fat-tree:4x4, FLAT, 16, 0, true"
    })
    void the_graph_of_a_network_decides_as_the_network(
            String cluster, PolicyNetwork.Encoder encoder, int hidden, int rounds, boolean preemption)
            throws OrtException {
        try (PolicyNetwork network = network(encoder, hidden, rounds)) {
            Recorder played = play(cluster, preemption, network);
            ObservationSpace space = Objects.requireNonNull(played.space);
            OnnxGraph graph = RowGraph.of(network);
            assertThat(graph.operators()).doesNotContain("Loop", "Scan", "If");
            float[] expected = new float[space.actions().size()];
            int step = Math.max(1, played.rows.size() / 150);
            try (RuntimeSession session = new RuntimeSession(graph)) {
                for (int i = 0; i < played.rows.size(); i += step) {
                    float[] row = played.rows.get(i);
                    network.score(row, 0, 1, 1, space, expected, null);
                    Map<String, Object> outputs = session.run(RowArrays.ofNetwork(row, 0, space));
                    float[] logs = ((float[][]) Objects.requireNonNull(outputs.get(Choice.LOG_PROBABILITIES)))[0];
                    assertThat(logs).hasSize(expected.length);
                    for (int action = 0; action < logs.length; action++) {
                        if (row[space.maskAt() + action] != 0) {
                            assertThat(logs[action]).isCloseTo(expected[action], within(2e-5f));
                        } else {
                            assertThat(logs[action]).isLessThan(-1e8f);
                        }
                    }
                    int best = (int) ((long[]) Objects.requireNonNull(outputs.get(Choice.BEST)))[0];
                    int chosen = played.chosen.get(i);
                    // Servers in equal states have equal scores, but the tensor library's sums depend on the place in a
                    // batch.
                    assertThat(expected[best])
                            .as("%d and %d", best, chosen)
                            .isCloseTo(expected[chosen], within(best == chosen ? 0 : 2e-6f));
                    assertThat(space.actions().kindOf(best))
                            .isEqualTo(space.actions().kindOf(chosen));
                }
            }
        }
    }
}
