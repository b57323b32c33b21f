package org.trainyard.gnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.gym.ObservationSpec;

class GraphEncoderTest {
    private static final int HIDDEN = 16;
    private static final ObservationSpec TIGHT = Rows.spec(Rows.SERVERS, Rows.GPUS, Rows.JOBS, Rows.DOMAINS);

    private static GraphEncoder encoder(boolean graph, Parameters parameters) {
        return graph ? new HierarchicalEncoder(parameters, HIDDEN, 2) : new FlatEncoder(parameters, HIDDEN);
    }

    private static void assertClose(NDArray actual, NDArray expected) {
        assertThat(actual.toFloatArray()).containsExactly(expected.toFloatArray(), within(1e-4f));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void the_same_weights_read_small_and_large_clusters(boolean graph) {
        try (Parameters parameters = new Parameters(1);
                NDManager scope = parameters.newScope()) {
            GraphEncoder encoder = encoder(graph, parameters);
            ObservationSpec large = Rows.spec(16, 8, 16, 16);
            Embeddings small = Rows.encode(encoder, scope, TIGHT, new Rows(1).lay(TIGHT));
            Embeddings wide = Rows.encode(encoder, scope, large, new Rows(1).lay(large));
            assertThat(small.servers().getShape()).isEqualTo(new Shape(1, 3, HIDDEN));
            assertThat(wide.servers().getShape()).isEqualTo(new Shape(1, 16, HIDDEN));
            assertThat(wide.domains().getShape()).isEqualTo(new Shape(1, 16, HIDDEN));
            assertThat(wide.jobs().getShape()).isEqualTo(new Shape(1, 16, HIDDEN));
            assertThat(wide.context().getShape()).isEqualTo(new Shape(1, 1, HIDDEN));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void padding_changes_nothing(boolean graph) {
        try (Parameters parameters = new Parameters(2);
                NDManager scope = parameters.newScope()) {
            GraphEncoder encoder = encoder(graph, parameters);
            ObservationSpec loose = Rows.spec(7, 8, 9, 5);
            Embeddings tight = Rows.encode(encoder, scope, TIGHT, new Rows(2).lay(TIGHT));
            Embeddings padded = Rows.encode(encoder, scope, loose, new Rows(2).lay(loose));
            assertClose(padded.servers().get(":, :3"), tight.servers());
            assertClose(padded.domains().get(":, :2"), tight.domains());
            assertClose(padded.jobs().get(":, :5"), tight.jobs());
            assertClose(padded.focus(), tight.focus());
            assertClose(padded.context(), tight.context());
            assertThat(padded.servers().get(":, 3:").abs().max().getFloat()).isZero();
            assertThat(padded.domains().get(":, 2:").abs().max().getFloat()).isZero();
            assertThat(padded.jobs().get(":, 5:").abs().max().getFloat()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void permuting_the_servers_permutes_their_embeddings(boolean graph) {
        try (Parameters parameters = new Parameters(3);
                NDManager scope = parameters.newScope()) {
            GraphEncoder encoder = encoder(graph, parameters);
            Embeddings straight = Rows.encode(encoder, scope, TIGHT, new Rows(3).lay(TIGHT));
            Embeddings turned = Rows.encode(encoder, scope, TIGHT, new Rows(3).lay(TIGHT, 2, 0, 1));
            assertClose(turned.servers().get(":, 2"), straight.servers().get(":, 0"));
            assertClose(turned.servers().get(":, 0"), straight.servers().get(":, 1"));
            assertClose(turned.servers().get(":, 1"), straight.servers().get(":, 2"));
            assertClose(turned.context(), straight.context());
        }
    }
}
