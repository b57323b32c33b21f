package org.trainyard.gnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.training.GradientCollector;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.observation.ObservationSpace;
import org.trainyard.env.topology.Topologies;

class DeduplicatingServerEncoderTest {
    private static final int SERVERS = 40;
    private static final int DISTINCT = 7;
    private static final int SOCKETS = 2;
    private static final int PER_SOCKET = 2;
    private static final int WIDTH = SOCKETS * PER_SOCKET * ObservationSpace.GPU + ObservationSpace.SERVER;
    private static final int HIDDEN = 8;

    private final Parameters parameters = new Parameters(1);
    private final NDManager scope = parameters.newScope();
    private final ServerEncoder encoder = new ServerEncoder(parameters, HIDDEN);
    private final DeduplicatingServerEncoder shared = new DeduplicatingServerEncoder(encoder, HIDDEN);

    @AfterEach
    void free() {
        scope.close();
        parameters.close();
    }

    /** Server {@code i} is in the state of {@code i % DISTINCT}. */
    private NDArray columns(long seed) {
        Rows rows = new Rows(seed);
        float[] all = new float[SERVERS * WIDTH];
        for (int i = 0; i < SERVERS; i++) {
            for (int g = 0; g < SOCKETS * PER_SOCKET; g++) {
                System.arraycopy(rows.gpus[0][g], 0, all, i * WIDTH + g * ObservationSpace.GPU, ObservationSpace.GPU);
            }
            int server = i * WIDTH + SOCKETS * PER_SOCKET * ObservationSpace.GPU;
            System.arraycopy(rows.servers[0], 0, all, server, ObservationSpace.SERVER);
            all[server + 1] = i % DISTINCT / 8f;
        }
        return scope.create(all).reshape(SERVERS, WIDTH).duplicate();
    }

    private float[] alone(NDArray columns) {
        return encoder.encode(columns, SOCKETS, PER_SOCKET).toFloatArray();
    }

    private float[] sharing(NDArray columns) {
        return shared.encode(columns, SOCKETS, PER_SOCKET).toFloatArray();
    }

    @Test
    void servers_that_share_an_embedding_get_what_they_would_get_alone() {
        NDArray columns = columns(1);
        assertThat(sharing(columns)).containsExactly(alone(columns), within(1e-6f));
        shared.cacheEmbeddings(true);
        assertThat(sharing(columns)).containsExactly(alone(columns), within(1e-6f));
        assertThat(sharing(columns)).as("from memory").containsExactly(alone(columns), within(1e-6f));
        assertThat(sharing(columns(2))).containsExactly(alone(columns(2)), within(1e-6f));
    }

    @Test
    void gradients_are_those_of_all_servers_together() {
        NDArray columns = columns(1);
        float[][] gradients = new float[2][];
        for (int i = 0; i < 2; i++) {
            try (GradientCollector collector = Engine.getInstance().newGradientCollector()) {
                NDArray seen = i == 0
                        ? encoder.encode(columns, SOCKETS, PER_SOCKET)
                        : shared.encode(columns, SOCKETS, PER_SOCKET);
                collector.backward(seen.mul(seen).sum());
            }
            try (NDArray gradient = parameters.get("inside0.message.weight").getGradient()) {
                gradients[i] = gradient.toFloatArray();
                gradient.subi(gradient);
            }
        }
        float most = 0;
        for (float value : gradients[0]) {
            most = Math.max(most, Math.abs(value));
        }
        assertThat(most).isGreaterThan(0.1f);
        assertThat(gradients[1]).containsExactly(gradients[0], within(1e-4f * most));
    }

    @Test
    void what_is_kept_while_weights_are_frozen_is_forgotten_when_they_may_change() {
        NDArray columns = columns(1);
        shared.cacheEmbeddings(true);
        float[] before = sharing(columns);
        NDArray weight = parameters.get("server.in.weight");
        weight.setRequiresGradient(false);
        weight.addi(weight);
        assertThat(sharing(columns)).as("frozen").isEqualTo(before);
        shared.cacheEmbeddings(true);
        assertThat(sharing(columns)).containsExactly(alone(columns), within(1e-6f));
        assertThat(sharing(columns)).isNotEqualTo(before);
    }

    @Test
    void equal_columns_have_equal_numbers_and_different_ones_have_not() {
        ServerStates states = new ServerStates(WIDTH);
        float[] columns = columns(1).toFloatArray();
        int[] numbers = new int[SERVERS];
        Arrays.setAll(numbers, i -> states.number(columns, i * WIDTH));
        for (int i = 0; i < SERVERS; i++) {
            assertThat(numbers[i]).isEqualTo(i % DISTINCT);
        }
        for (int i = 0; i < 500; i++) {
            columns[0] = i + 2;
            assertThat(states.number(columns, 0)).isEqualTo(DISTINCT + i);
        }
        assertThat(states.number(columns, WIDTH)).isEqualTo(1);
        assertThat(states.count()).isEqualTo(DISTINCT + 500);
    }

    @Test
    void a_frozen_encoder_reads_what_agents_see_as_before() {
        PlayedRows played = new PlayedRows(Topologies.small(), Domains.racks(Topologies.small()));
        HierarchicalEncoder whole = new HierarchicalEncoder(new Parameters(2), HIDDEN, 2);
        for (int batch = 0; batch < 5; batch++) {
            NDArray rows = scope.create(played.collect(6)).reshape(6, -1).duplicate();
            Sections sections = Sections.of(rows, played.spec());
            whole.cacheEmbeddings(false);
            Embeddings open = whole.encode(sections);
            whole.cacheEmbeddings(true);
            whole.encode(sections);
            Embeddings frozen = whole.encode(sections);
            assertThat(frozen.servers().toFloatArray())
                    .containsExactly(open.servers().toFloatArray(), within(1e-5f));
            assertThat(frozen.context().toFloatArray())
                    .containsExactly(open.context().toFloatArray(), within(1e-5f));
        }
    }
}
