package org.trainyard.env.performance.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.TrainingPlan;
import org.trainyard.env.workload.generator.ModelCatalog;

class ParameterServerRateTest {
    private static final TrainingPlan.ParameterServer PLAN =
            new TrainingPlan.ParameterServer(0.001, 128, 3, 100e6, 10e9, 1.25e9);

    @Test
    void a_sample_takes_as_long_as_the_bandwidth_between_workers_and_servers_allows() {
        assertThat(PLAN.secondsPerSample(true)).isCloseTo(0.00146875, within(1e-15));
        assertThat(PLAN.secondsPerSample(false)).isCloseTo(0.00475, within(1e-15));
        assertThat(600 / PLAN.secondsPerSample(true)).isCloseTo(408_510.6, within(0.05));
        assertThat(600 / PLAN.secondsPerSample(false)).isCloseTo(126_315.8, within(0.05));
        assertThat(PLAN.servers(4)).isEqualTo(2);
    }

    @Test
    void workers_on_one_server_train_faster_than_as_many_on_two() {
        Topology small = Topologies.small();
        JobSpec job = new JobSpec(
                0,
                "ps",
                0,
                Demand.ofGpus(2).elastic(1, 8),
                ModelCatalog.standard().neutral(),
                PLAN,
                1);
        RingPerformance model = new RingPerformance(small, InterferenceModel.NONE);

        assertThat(model.aloneRate(job, Placement.of(small, new int[] {0, 1})))
                .isCloseTo(2 / (128 * 0.00146875), within(1e-9));
        assertThat(model.aloneRate(job, Placement.of(small, new int[] {0, 4})))
                .isCloseTo(2 / (128 * 0.00475), within(1e-9));
    }
}
