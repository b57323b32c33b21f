package org.trainyard.gnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.gym.action.ActionSpace;
import org.trainyard.env.gym.observation.ObservationSpace;

class GraphEncoderTest {
    private static final int HIDDEN = 16;
    private static final int[] STRAIGHT = {0, 1, 2};
    private static final int[] TURNED = {2, 0, 1};
    private static final ObservationSpace TIGHT = Rows.tight();

    private final Parameters parameters = new Parameters(1);
    private final NDManager scope = parameters.newScope();
    private final Rows rows = new Rows(1);

    @AfterEach
    void free() {
        scope.close();
        parameters.close();
    }

    private GraphEncoder encoder(boolean graph) {
        return graph ? new HierarchicalEncoder(parameters, HIDDEN, 2) : new FlatEncoder(parameters, HIDDEN);
    }

    private static void assertClose(NDArray actual, NDArray expected) {
        assertThat(actual.toFloatArray()).containsExactly(expected.toFloatArray(), within(1e-4f));
    }

    private static void assertClose(Embeddings actual, Embeddings expected) {
        assertClose(actual.servers(), expected.servers());
        assertClose(actual.domains(), expected.domains());
        assertClose(actual.jobs(), expected.jobs());
        assertClose(actual.focus(), expected.focus());
        assertClose(actual.context(), expected.context());
    }

    private static float difference(NDArray one, NDArray other) {
        return one.sub(other).abs().max().getFloat();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void the_same_weights_read_small_and_large_clusters(boolean graph) {
        GraphEncoder encoder = encoder(graph);
        ObservationSpace large = new ObservationSpace(new ActionSpace(16, 16, 12), 4, 4, 5, 3);
        Embeddings wide = Rows.encode(encoder, scope, large, rows.lay(large));
        Embeddings small = Rows.encode(encoder, scope, TIGHT, rows.lay(TIGHT));
        assertThat(small.servers().getShape()).isEqualTo(new Shape(1, 3, HIDDEN));
        assertThat(wide.servers().getShape()).isEqualTo(new Shape(1, 16, HIDDEN));
        assertThat(wide.domains().getShape()).isEqualTo(new Shape(1, 12, HIDDEN));
        assertThat(wide.jobs().getShape()).isEqualTo(new Shape(1, 16, HIDDEN));
        assertThat(wide.context().getShape()).isEqualTo(new Shape(1, 1, HIDDEN));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void padding_changes_nothing(boolean graph) {
        GraphEncoder encoder = encoder(graph);
        ObservationSpace loose = Rows.loose();
        Embeddings tight = Rows.encode(encoder, scope, TIGHT, rows.lay(TIGHT));
        Embeddings padded = Rows.encode(encoder, scope, loose, rows.lay(loose));
        assertClose(padded.servers().get(":, :3"), tight.servers());
        assertClose(padded.domains().get(":, :3"), tight.domains());
        assertClose(padded.jobs().get(":, :5"), tight.jobs());
        assertClose(padded.focus(), tight.focus());
        assertClose(padded.context(), tight.context());
        assertThat(padded.servers().get(":, 3:").abs().max().getFloat()).isZero();
        assertThat(padded.domains().get(":, 3:").abs().max().getFloat()).isZero();
        assertThat(padded.jobs().get(":, 5:").abs().max().getFloat()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void permuting_servers_permutes_their_embeddings(boolean graph) {
        GraphEncoder encoder = encoder(graph);
        Embeddings straight = Rows.encode(encoder, scope, TIGHT, rows.lay(TIGHT));
        Embeddings turned = Rows.encode(encoder, scope, TIGHT, rows.lay(TIGHT, TURNED, STRAIGHT));
        assertClose(
                turned.servers(),
                straight.servers().get(":, 1:").concat(straight.servers().get(":, :1"), 1));
        assertClose(turned.domains(), straight.domains());
        assertClose(turned.context(), straight.context());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void permuting_domains_permutes_their_embeddings(boolean graph) {
        GraphEncoder encoder = encoder(graph);
        Embeddings straight = Rows.encode(encoder, scope, TIGHT, rows.lay(TIGHT));
        Embeddings turned = Rows.encode(encoder, scope, TIGHT, rows.lay(TIGHT, STRAIGHT, TURNED));
        assertClose(
                turned.domains(),
                straight.domains().get(":, 1:").concat(straight.domains().get(":, :1"), 1));
        assertClose(turned.servers(), straight.servers());
        assertClose(turned.context(), straight.context());
    }

    private void swapGpus(int server, int one, int other) {
        float[] kept = rows.gpus[server][one];
        rows.gpus[server][one] = rows.gpus[server][other];
        rows.gpus[server][other] = kept;
    }

    @Test
    void permuting_sockets_or_the_gpus_of_one_changes_nothing_but_moving_a_gpu_to_another_socket_does() {
        GraphEncoder encoder = encoder(true);
        Embeddings before = Rows.encode(encoder, scope, TIGHT, rows.lay(TIGHT));
        swapGpus(0, 0, 1);
        swapGpus(1, 0, 2);
        swapGpus(1, 1, 3);
        assertClose(Rows.encode(encoder, scope, TIGHT, rows.lay(TIGHT)), before);
        swapGpus(0, 0, 2);
        Embeddings moved = Rows.encode(encoder, scope, TIGHT, rows.lay(TIGHT));
        assertThat(difference(moved.servers().get(":, 0"), before.servers().get(":, 0")))
                .isGreaterThan(1e-3f);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_row_is_read_alone(boolean graph) {
        GraphEncoder encoder = encoder(graph);
        Rows others = new Rows(2);
        Embeddings alone = Rows.encode(encoder, scope, TIGHT, rows.lay(TIGHT));
        Embeddings among = Rows.encode(encoder, scope, TIGHT, others.lay(TIGHT), rows.lay(TIGHT), others.lay(TIGHT));
        assertClose(among.servers().get("1:2"), alone.servers());
        assertClose(among.domains().get("1:2"), alone.domains());
        assertClose(among.context().get("1:2"), alone.context());
        assertThat(difference(among.context().get("0:1"), alone.context())).isGreaterThan(1e-3f);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_short_queue_is_read_beside_a_long_one_as_it_is_alone(boolean graph) {
        GraphEncoder encoder = encoder(graph);
        float[] full = rows.lay(TIGHT);
        for (int kept = 2; kept >= 0; kept--) {
            for (int job = kept; job < Rows.JOBS; job++) {
                rows.jobs[job] = new float[ObservationSpace.JOB];
            }
            Embeddings alone = Rows.encode(encoder, scope, TIGHT, rows.lay(TIGHT));
            Embeddings among = Rows.encode(encoder, scope, TIGHT, full, rows.lay(TIGHT));
            assertThat(alone.jobs().getShape()).isEqualTo(new Shape(1, Rows.JOBS, HIDDEN));
            assertClose(among.jobs().get("1:2"), alone.jobs());
            assertClose(among.focus().get("1:2"), alone.focus());
            assertClose(among.context().get("1:2"), alone.context());
        }
    }

    @Test
    void servers_with_nvlink_are_read_beside_one_without_as_they_are_alone() {
        GraphEncoder encoder = encoder(true);
        float[] without = rows.lay(TIGHT);
        rows.servers[1][4] = 1;
        Embeddings alone = Rows.encode(encoder, scope, TIGHT, rows.lay(TIGHT));
        Embeddings among = Rows.encode(encoder, scope, TIGHT, without, rows.lay(TIGHT));
        assertClose(among.servers().get("1:2"), alone.servers());
        assertThat(difference(among.servers().get("0:1, 1"), alone.servers().get(":, 1")))
                .isGreaterThan(1e-3f);
    }

    /** Changes one column of one link and gives the change of every server's embedding after so many rounds. */
    private float[] changeOfServers(int rounds, int link) {
        GraphEncoder encoder = new HierarchicalEncoder(parameters, HIDDEN, rounds);
        Embeddings before = Rows.encode(encoder, scope, TIGHT, rows.lay(TIGHT));
        rows.links[link][4] += 2;
        Embeddings after = Rows.encode(encoder, scope, TIGHT, rows.lay(TIGHT));
        return after.servers().sub(before.servers()).abs().max(new int[] {2}).toFloatArray();
    }

    @Test
    void a_link_is_heard_of_one_hop_farther_with_every_round() {
        int secondLeaf = Rows.SERVERS + Rows.DOMAINS + 1;
        float[] near = changeOfServers(2, secondLeaf);
        assertThat(near[0]).as("a server under the other leaf").isLessThan(1e-6f);
        assertThat(near[2]).as("a server under that leaf").isGreaterThan(1e-4f);
    }

    @Test
    void a_distant_link_reaches_every_server_once_there_are_rounds_enough() {
        float[] far = changeOfServers(3, Rows.SERVERS + Rows.DOMAINS + 1);
        assertThat(far[0]).isGreaterThan(1e-6f);
        assertThat(far[2]).isGreaterThan(1e-4f);
    }

    @Test
    void an_edge_inside_a_server_changes_that_server_and_not_the_one_under_another_leaf() {
        GraphEncoder encoder = encoder(true);
        Embeddings before = Rows.encode(encoder, scope, TIGHT, rows.lay(TIGHT));
        for (int column : new int[] {8, 9, 10, 11}) {
            rows.gpus[0][3][column] += 1;
            Embeddings after = Rows.encode(encoder, scope, TIGHT, rows.lay(TIGHT));
            rows.gpus[0][3][column] -= 1;
            NDArray change = after.servers().sub(before.servers()).abs();
            assertThat(change.get(":, 0").max().getFloat())
                    .as("column %d", column)
                    .isGreaterThan(1e-4f);
            assertThat(change.get(":, 2").max().getFloat())
                    .as("column %d", column)
                    .isLessThan(1e-6f);
        }
    }

    @Test
    void nothing_is_said_over_nvlink_where_there_is_none() {
        GraphEncoder encoder = encoder(true);
        Embeddings before = Rows.encode(encoder, scope, TIGHT, rows.lay(TIGHT));
        rows.gpus[1][0][8] += 1; // its server has no NVLink
        Embeddings after = Rows.encode(encoder, scope, TIGHT, rows.lay(TIGHT));
        assertClose(after, before);
    }
}
