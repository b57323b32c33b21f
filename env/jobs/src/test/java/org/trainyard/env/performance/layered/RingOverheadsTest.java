package org.trainyard.env.performance.layered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.performance.Rings;
import org.trainyard.env.performance.contention.Contention;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.Link;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;

/** SJF-BCO's time of an iteration, term by term: 100 ms of compute, 1 GB of gradients (those of {@link Rings}). */
class RingOverheadsTest {
    /** Links of 12.5 GB/s between servers, without latency. */
    private final Topology topology = Topology.uniform(
            "rack",
            new Fabric(Link.of(150, 0), Link.of(12, 0), Link.of(12.5, 0), Link.of(1000, 0), Link.of(1000, 0)),
            1,
            3,
            ServerSpec.ofV100(8),
            1);

    private PerformanceModel iterations(double secondsPerServer, double reducedBytesPerSecond) {
        return new RingOverheads(
                new RingPerformance(topology, InterferenceModel.NONE, new Contention.SjfBco(0.2, 1)),
                secondsPerServer,
                reducedBytesPerSecond);
    }

    /**
     * Two jobs of 2 + 2 GPUs on two servers: 2 x 3/4 of 1 GB at 12.5/2.2 GB/s are 264 ms; 3/4 of it at 100 GB/s are 7.5
     * ms.
     */
    @Test
    void an_iteration_is_transfers_sums_servers_and_compute() {
        Rings rings = new Rings(topology).on(0, 0, 1, 1).on(0, 0, 1, 1);

        assertThat(1 / rings.rate(iterations(0.0005, 100e9), 0))
                .isCloseTo(0.264 + 0.0075 + 2 * 0.0005 + 0.1, within(1e-12));
        assertThat(1 / rings.rate(iterations(0, Double.POSITIVE_INFINITY), 0)).isCloseTo(0.364, within(1e-12));
    }

    @Test
    void a_job_on_one_server_meets_nobody_and_pays_for_one_server() {
        Rings rings = new Rings(topology).on(0, 0, 1, 1).on(0, 0, 0, 0);

        assertThat(1 / rings.rate(iterations(0.0005, 100e9), 1))
                .isCloseTo(1.5 / 150 + 0.0075 + 0.0005 + 0.1, within(1e-12));
    }

    /** 364 ms are 2.7 iterations in a second, 27.4 in ten. */
    @Test
    void whole_iterations_lose_the_rest_of_the_slot() {
        Rings rings = new Rings(topology).on(0, 0, 1, 1).on(0, 0, 1, 1);
        PerformanceModel exact = iterations(0, Double.POSITIVE_INFINITY);

        assertThat(rings.rate(new WholeIterations(exact, 1), 0)).isCloseTo(2, within(1e-12));
        assertThat(rings.rate(new WholeIterations(exact, 10), 0)).isCloseTo(2.7, within(1e-12));
        assertThat(rings.rate(new WholeIterations(exact, 0.1), 0)).isCloseTo(10, within(1e-12));
    }

    @Test
    void numbers_that_make_no_sense_are_refused() {
        assertThatThrownBy(() -> iterations(-1, 1)).hasMessageContaining("(-1.0 s");
        assertThatThrownBy(() -> iterations(0, 0)).hasMessageContaining("(0.0 bytes/s)");
        assertThatThrownBy(() -> new WholeIterations(iterations(0, 1), 0)).hasMessageContaining("slot (0.0 s)");
    }
}
