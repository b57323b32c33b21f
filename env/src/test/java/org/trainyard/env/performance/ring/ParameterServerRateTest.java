package org.trainyard.env.performance.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ServerHosts;
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

    /**
     * Workers of 2 cores and servers of 4 that update for 1 ms: 8 workers compute 128 samples of 1 ms in 16 ms. With
     * 4 cores each, half a server, the exchange takes 2 x (2 x 100 MB / 128 / 1.25 GB/s + 1 ms); with the servers of
     * the submission, one of 3 workers, 3 times as much.
     */
    @Test
    void more_host_cpu_buys_servers_and_a_shorter_iteration() {
        TrainingPlan.ParameterServer placed = new TrainingPlan.ParameterServer(
                0.001, 128, 3, 100e6, 10e9, 1.25e9, new ServerHosts(2000, 4000, 0.001));
        Demand asked = Demand.ofGpus(8);

        assertThat(1 / placed.iterationsPerSecond(8, false, asked)).isCloseTo(0.016 + 3 * 0.00225, within(1e-15));
        assertThat(1 / placed.iterationsPerSecond(8, false, asked.withHost(32_000, 0)))
                .isCloseTo(0.016 + 2 * 0.00225, within(1e-15));
        assertThat(placed.iterationsPerSecond(8, false, asked.withHost(16_000, 0)))
                .isZero();
        assertThat(1 / placed.mostIterationsPerSecond(8)).isCloseTo(0.016, within(1e-15));
        assertThat(TrainingPlan.parse(placed.label(), null)).isEqualTo(placed);
        assertThatThrownBy(() -> new ServerHosts(1, 0, 0)).hasMessageContaining("server (0) thousandths");
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
