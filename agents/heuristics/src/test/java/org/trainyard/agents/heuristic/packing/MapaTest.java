package org.trainyard.agents.heuristic.packing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.classic.Fifo;
import org.trainyard.agents.linkestimates.MapaPrediction;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Interiors;
import org.trainyard.env.topology.ServerInterior;
import org.trainyard.env.topology.ServerInterior.NvLink;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.Workload;

class MapaTest {
    private static final Pressure NONE = new Pressure(0, 0, 0);
    private static final ModelProfile HEAVY = new ModelProfile("heavy", 0.05, 1e9, 1, NONE, NONE);
    private static final ModelProfile LIGHT = new ModelProfile("light", 1, 1e6, 1, NONE, NONE);

    /** The DGX-1V with the authors' 50, 25 and 10 GB/s for a double link, a single one and PCIe. */
    private static ServerInterior dgx() {
        ServerInterior named = Interiors.named("dgx1v");
        NvLink[] links = named.links().stream()
                .map(link -> new NvLink(link.a(), link.b(), link.bandwidth() / 22 * 25))
                .toArray(NvLink[]::new);
        return ServerInterior.of("dgx-v", named.board(), ServerInterior.Pcie.flat(10), links);
    }

    /** The greatest sums of bandwidth along a ring that the authors' program lists for the DGX-1V. */
    @ParameterizedTest
    @CsvSource({"2, 100", "3, 125", "4, 175", "6, 275", "7, 325", "8, 400"})
    void the_best_rings_of_a_dgx_1v_have_the_bandwidth_of_the_authors_table(int size, double expected) {
        double best = 0;
        for (long set = 0; set < 256; set++) {
            if (Long.bitCount(set) == size) {
                best = Math.max(best, new MapaPrediction(dgx()).alongRing(set));
            }
        }
        assertThat(best).isEqualTo(expected);
    }

    /** Three GPUs in a ring of two double links and a single one against three of which two share none. */
    @Test
    void the_prediction_prefers_rings_of_nvlink() {
        MapaPrediction rings = new MapaPrediction(dgx());

        assertThat(rings.alongRing(0b1101)).isEqualTo(125);
        assertThat(rings.alongRing(0b10011)).isEqualTo(85);
        assertThat(rings.predicted(0b1101)).isGreaterThan(rings.predicted(0b10011));
        assertThat(MapaPrediction.predict(2, 0, 0)).isCloseTo(58.925, within(0.001));
    }

    private static List<Long> sets(JobSpec... jobs) {
        Topology topology =
                Topology.uniform("one", Fabric.DEFAULT, 1, 1, new ServerSpec(GpuType.V100, 2, 8, true).with(dgx()), 1);
        double[] iterations = new double[jobs.length];
        Arrays.fill(iterations, 1000);
        Workload workload = new Workload(List.of(jobs), iterations);
        Simulator simulator =
                new World(topology, new RatedPerformance(), new Simulator.Options(0, true)).simulator(workload);
        simulator.advance();
        Fifo fifo = new Fifo(false, new Mapa(topology));
        List<Long> sets = new ArrayList<>();
        for (Decision next = fifo.decide(simulator.view());
                next instanceof Decision.Start start;
                next = fifo.decide(simulator.view())) {
            sets.add(start.placement().maskOn(0));
            simulator.apply(next);
        }
        return sets;
    }

    private static JobSpec job(int id, int gpus, ModelProfile model) {
        return new JobSpec(id, "job" + id, 0, gpus, model, 1);
    }

    @Test
    void a_sensitive_gang_takes_the_best_ring_and_another_leaves_it() {
        MapaPrediction rings = new MapaPrediction(dgx());

        long sensitive = sets(job(0, 3, HEAVY)).get(0);
        long other = sets(job(0, 3, LIGHT)).get(0);

        assertThat(rings.alongRing(sensitive)).isEqualTo(125);
        double left = rings.nvlinks(0xff & ~other);
        for (long set = 0; set < 256; set++) {
            if (Long.bitCount(set) == 3) {
                assertThat(rings.nvlinks(0xff & ~set)).isLessThanOrEqualTo(left);
            }
        }
        assertThat(rings.nvlinks(0xff & ~sensitive)).isLessThanOrEqualTo(left);
    }

    @Test
    void the_head_of_the_queue_blocks() {
        assertThat(sets(job(0, 5, HEAVY), job(1, 4, HEAVY), job(2, 1, LIGHT))).hasSize(1);
    }
}
