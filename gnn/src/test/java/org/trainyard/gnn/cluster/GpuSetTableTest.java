package org.trainyard.gnn.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.trainyard.env.topology.Interiors;
import org.trainyard.env.topology.ServerInterior;
import org.trainyard.env.topology.ServerInterior.Board;
import org.trainyard.env.topology.ServerInterior.NvLink;
import org.trainyard.env.topology.ServerInterior.Pcie;

class GpuSetTableTest {
    private static final Offset<Float> CLOSE = within(1e-5f);
    private static final GpuSetEncoder.Settings GRAPH =
            new GpuSetEncoder.Settings(ClusterEncoder.Kind.HIERARCHICAL, 8, 2, 6);
    private final GpuSetTable table = new GpuSetTable(GRAPH, GRAPH.initial(2));

    private float[] embedding(ServerInterior interior, long mask) {
        return table.embedding(table.number(new LinkMatrix(interior)), mask);
    }

    private static ServerInterior switched(int gpus) {
        return ServerInterior.uniform("switched", new Board(gpus, 2, 2, 0), 100, Pcie.flat(20));
    }

    @Test
    void links_outside_of_a_set_do_not_count_however_many_gpus_the_server_has() {
        float[] ofEight = embedding(switched(8), 0b11011000);

        assertThat(embedding(switched(16), 0b11011000)).isEqualTo(ofEight);
        assertThat(embedding(switched(16), 0b11011000)).as("kept").isSameAs(embedding(switched(16), 0b11011000));
        assertThat(embedding(switched(16), 0b1000000110010000L)).containsExactly(ofEight, CLOSE);
        assertThat(embedding(switched(16), 0b1000000110010001L)[0]).isNotEqualTo(ofEight[0]);
        assertThat(embedding(switched(8), 0)).containsOnly(0);
    }

    @Test
    void the_order_of_gpus_does_not_count() {
        Board board = new Board(4, 1, 1, 0);
        ServerInterior chain = ServerInterior.of("a", board, Pcie.flat(9), new NvLink(0, 1, 20), new NvLink(1, 2, 40));
        ServerInterior other = ServerInterior.of("b", board, Pcie.flat(9), new NvLink(3, 0, 20), new NvLink(0, 2, 40));

        assertThat(embedding(other, 0b1101)).containsExactly(embedding(chain, 0b0111), CLOSE);
        assertThat(embedding(other, 0b1101)[0]).isNotEqualTo(embedding(chain, 0b1011)[0]);
    }

    @Test
    void a_flat_encoder_refuses_more_gpus_than_it_reads() {
        GpuSetEncoder.Settings flat = new GpuSetEncoder.Settings(ClusterEncoder.Kind.FLAT, 8, 0, 6);
        GpuSetTable ofFlat = new GpuSetTable(flat, flat.initial(2));
        int dgx = ofFlat.number(new LinkMatrix(Interiors.named("dgx1v")));
        int wide = ofFlat.number(new LinkMatrix(switched(16)));

        assertThat(ofFlat.embedding(dgx, 0b11)).isNotEqualTo(ofFlat.embedding(dgx, 0b101));
        assertThatThrownBy(() -> ofFlat.embedding(wide, 1)).hasMessageContaining("at most (8) GPUs, not (16)");
    }
}
