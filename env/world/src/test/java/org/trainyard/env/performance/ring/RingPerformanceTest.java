package org.trainyard.env.performance.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;

/** 0.1 s of compute and 1 GB of gradients on the default fabric. */
class RingPerformanceTest {
    private static final Pressure NONE = new Pressure(0, 0, 0);
    private static final JobSpec JOB =
            new JobSpec(0, "job", 0, 1, new ModelProfile("model", 0.1, 1e9, 1, NONE, NONE), 1);

    private final Topology large = Topologies.large();

    private double seconds(Topology topology, int... gpus) {
        return 1 / new RingPerformance(topology, InterferenceModel.NONE).aloneRate(JOB, Placement.of(topology, gpus));
    }

    @Test
    void one_gpu_only_computes() {
        assertThat(seconds(large, 5)).isCloseTo(0.1, within(1e-12));
    }

    @Test
    void inside_a_server_the_ring_runs_over_nvlink() {
        // 2 x 3/4 x 1 GB / 150 GB/s + 2 x 3 x 1 us
        assertThat(seconds(large, 0, 1, 2, 3)).isCloseTo(0.1 + 0.010 + 6e-6, within(1e-12));
    }

    @Test
    void without_nvlink_it_runs_over_pcie() {
        Topology topology =
                Topology.uniform("pcie", Fabric.DEFAULT, 1, 1, new ServerSpec(GpuType.V100, 2, 8, false), 1);

        // 2 x 3/4 x 1 GB / 12 GB/s + 2 x 3 x 2 us
        assertThat(seconds(topology, 0, 1, 2, 3)).isCloseTo(0.1 + 0.125 + 12e-6, within(1e-12));
    }

    @Test
    void the_narrowest_and_the_slowest_link_of_the_ring_count() {
        // In a rack 12.5 GB/s and 10 us, in a pod 10 GB/s and 22 us, between pods 8 GB/s and 38 us.
        assertThat(seconds(large, 0, 8)).isCloseTo(0.1 + 0.080 + 20e-6, within(1e-12));
        assertThat(seconds(large, 0, 128)).isCloseTo(0.1 + 0.100 + 44e-6, within(1e-12));
        assertThat(seconds(large, 0, 512)).isCloseTo(0.1 + 0.125 + 76e-6, within(1e-12));
        // Three workers, one of them in another pod: 2 x 2/3 x 1 GB / 8 GB/s + 2 x 2 x 38 us.
        assertThat(seconds(large, 0, 8, 512)).isCloseTo(0.1 + 1 / 6.0 + 152e-6, within(1e-12));
    }

    @Test
    void all_wait_for_the_slowest_gpu() {
        Topology mixed = new Topology.Builder("mixed", Fabric.DEFAULT)
                .rack(List.of(ServerSpec.ofV100(4), new ServerSpec(GpuType.T4, 1, 4, true)))
                .build();

        assertThat(seconds(mixed, 4)).isCloseTo(0.2, within(1e-12));
        assertThat(seconds(mixed, 0, 4)).isCloseTo(0.2 + 0.080 + 20e-6, within(1e-12));
    }

    @Test
    void a_model_without_interference_says_so() {
        assertThat(new RingPerformance(large, InterferenceModel.NONE).interferes())
                .isFalse();
        assertThat(new RingPerformance(large, AnalyticInterference.DEFAULT)
                        .copy()
                        .interferes())
                .isTrue();
    }
}
