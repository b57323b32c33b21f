package org.trainyard.env.performance.layered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.Link;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;

/**
 * The iteration time of GADGET's rings: 400 MB over links of 1.25 GB/s, reduced at 50 GB/s, beside 152 ms of compute
 * and constants.
 */
class RingOfServersTest {
    private static final double GRADIENTS = 400e6;
    private static final double CARD = 1.25e9;
    private static final double REDUCTION = 50e9;
    private static final double REST = 0.152;
    private static final int MINI_BATCH = 32;

    private final Topology topology = Topology.uniform(
            "eight servers",
            new Fabric(Link.of(150, 0), Link.of(12, 0), Link.of(1.25, 0), Link.of(1.25, 0), Link.of(1.25, 0)),
            1,
            8,
            ServerSpec.ofV100(1),
            1);
    private final PerformanceModel model =
            new RingOverheads(new RingPerformance(topology, InterferenceModel.NONE), 0, REDUCTION);

    private double seconds(int workers) {
        Pressure none = new Pressure(0, 0, 0);
        JobSpec job = new JobSpec(
                0, "ring", 0, Demand.ofGpus(workers), new ModelProfile("model", REST, GRADIENTS, 1, none, none), 1);
        return 1
                / model.aloneRate(
                        job, Placement.of(topology, IntStream.range(0, workers).toArray()));
    }

    @Test
    void two_workers_over_the_network_are_slower_than_one() {
        double[] known = {0.152, 0.476, 0.638, 0.719};
        double[] samplesPerSecond = {210.5, 134.5, 200.6, 356.1};
        for (int i = 0; i < known.length; i++) {
            int workers = 1 << i;
            assertThat(seconds(workers)).isCloseTo(known[i], within(5e-4));
            assertThat(workers * MINI_BATCH / seconds(workers)).isCloseTo(samplesPerSecond[i], within(0.05));
        }
    }

    @Test
    void an_iteration_is_the_ring_all_reduce_the_sums_and_the_rest() {
        for (int workers = 1; workers <= 8; workers++) {
            double part = GRADIENTS * (workers - 1) / workers;
            assertThat(seconds(workers)).isCloseTo(REST + 2 * part / CARD + part / REDUCTION, within(1e-12));
        }
    }
}
