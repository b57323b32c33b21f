package org.trainyard.env.synchronisation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.pipeline.Layer;
import org.trainyard.env.pipeline.LayerProfile;
import org.trainyard.env.pipeline.ModelArchitectures;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.HostShare;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.TrainingPlan;
import org.trainyard.env.workload.generator.ModelCatalog;

class ParameterServerRateTest {
    private static final ParameterServer PLAN = new ParameterServer(0.001, 128, 3, 100e6, 10e9, 1.25e9);

    @Test
    void a_sample_takes_as_long_as_the_bandwidth_between_workers_and_servers_allows() {
        assertThat(PLAN.secondsPerSample(true)).isCloseTo(0.00146875, within(1e-15));
        assertThat(PLAN.secondsPerSample(false)).isCloseTo(0.00475, within(1e-15));
        assertThat(600 / PLAN.secondsPerSample(true)).isCloseTo(408_510.6, within(0.05));
        assertThat(600 / PLAN.secondsPerSample(false)).isCloseTo(126_315.8, within(0.05));
    }

    private static ParameterServer placed(@Nullable LayerOverlap layers) {
        ServerHosts hosts = new ServerHosts(new HostShare(2000, 4096), new HostShare(4000, 8192), 0.001, layers);
        return new ParameterServer(0.001, 128, 3, 100e6, 10e9, 1.25e9, hosts);
    }

    /**
     * Workers of 2 cores and servers of 4 that update for 1 ms: 8 workers compute 128 samples of 1 ms in 16 ms. With 4
     * cores and 8 GiB each, half a server, the exchange takes 2 x (2 x 100 MB / 128 / 1.25 GB/s + 1 ms); with memory
     * for a quarter of a server only, twice that; with the servers of the submission, one of 3 workers, 3 times.
     */
    @Test
    void more_of_the_host_buys_servers_and_a_shorter_iteration() {
        ParameterServer placed = placed(null);
        Demand asked = Demand.ofGpus(8);

        assertThat(1 / placed.iterationsPerSecond(8, false, asked)).isCloseTo(0.016 + 3 * 0.00225, within(1e-15));
        assertThat(1 / placed.iterationsPerSecond(8, false, asked.withHost(32_000, 8 * 8192)))
                .isCloseTo(0.016 + 2 * 0.00225, within(1e-15));
        assertThat(1 / placed.iterationsPerSecond(8, false, asked.withHost(32_000, 8 * 6144)))
                .isCloseTo(0.016 + 4 * 0.00225, within(1e-15));
        assertThat(placed.iterationsPerSecond(8, false, asked.withHost(16_000, 8 * 8192)))
                .isZero();
        assertThat(1 / placed.mostIterationsPerSecond(8)).isCloseTo(0.016, within(1e-15));
        assertThat(TrainingPlan.parse(placed.label(), null)).isEqualTo(placed);
        assertThatThrownBy(() -> new HostShare(1, -1)).hasMessageContaining("MiB (-1)");
        assertThatThrownBy(() -> new ServerHosts(HostShare.NONE, HostShare.NONE, 0, null))
                .hasMessageContaining("server (0) thousandths");
    }

    /**
     * Two layers, forward 1 and 2, backward 3 and 4 of ten parts of 16 ms, a quarter and three quarters of the
     * parameters, an exchange of 6.75 ms: the last layer is computed after 4.8 + 6.4 ms and exchanged after 5.0625
     * more, 0.2625 ms later than the first is computed, whose 1.6875 ms end the iteration.
     */
    @Test
    void the_exchange_of_the_last_layers_hides_behind_the_backward_pass_of_the_first() {
        LayerProfile two = new LayerProfile("two", 1, List.of(layer(1, 3, 1), layer(2, 4, 3)));
        LayerProfile one = new LayerProfile("one", 1, List.of(layer(1, 2, 5)));
        Demand asked = Demand.ofGpus(8);

        assertThat(1 / placed(new LayerOverlap(two)).iterationsPerSecond(8, false, asked))
                .isCloseTo(Math.max(0.016, 0.0112 + 0.0050625) + 0.0016875, within(1e-15));
        assertThat(placed(new LayerOverlap(one)).iterationsPerSecond(8, false, asked))
                .isCloseTo(placed(null).iterationsPerSecond(8, false, asked), within(1e-9));
        ParameterServer vgg = placed(new LayerOverlap(Objects.requireNonNull(ModelArchitectures.find("vgg19"))));
        assertThat(TrainingPlan.parse(vgg.label(), null)).isEqualTo(vgg);
        assertThat(1 / vgg.iterationsPerSecond(8, false, asked)).isBetween(0.016, 0.016 + 3 * 0.00225);
    }

    private static Layer layer(double forward, double backward, double parameters) {
        return new Layer("layer", forward, backward, 0, parameters);
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
