package org.trainyard.env.workload.goodput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.generator.ModelCatalog;

class GoodputProfileTest {
    private static final ThroughputParameters TIMES = new ThroughputParameters(0.1, 0.01, 0.3, 0.02, 0.05, 0.01, 2);
    private static final BatchLimits LIMITS = new BatchLimits(32, 1024, 4, 64);
    private static final GoodputProfile TWO_STAGES = new GoodputProfile(TIMES, LIMITS, 1000, 1, 100);

    private static double rate(double noise, int nodes, int gpus) {
        return new GoodputModel(TIMES, new GradientNoise(1, noise), LIMITS)
                        .best(nodes, gpus)
                        .goodput()
                / 32;
    }

    /** Half of the iterations at each rate. */
    @Test
    void the_mean_rate_is_that_of_the_whole_training() {
        double seconds = 500 / rate(1, 2, 8) + 500 / rate(100, 2, 8);
        assertThat(TWO_STAGES.meanIterationsPerSecond(2, 8)).isCloseTo(1000 / seconds, within(1e-12));
    }

    @Test
    void progress_selects_the_stage() {
        assertThat(TWO_STAGES.after(0).noise().variance()).isEqualTo(1);
        assertThat(TWO_STAGES.after(499).noise().variance()).isEqualTo(1);
        assertThat(TWO_STAGES.after(500).noise().variance()).isEqualTo(100);
        assertThat(TWO_STAGES.after(2000).noise().variance()).isEqualTo(100);
    }

    @Test
    void gpus_beyond_the_largest_batch_add_nothing() {
        assertThat(TWO_STAGES.meanIterationsPerSecond(70, 280))
                .isEqualTo(TWO_STAGES.meanIterationsPerSecond(70, LIMITS.mostReplicas()));
    }

    @Test
    void every_shipped_application_runs_on_any_number_of_gpus() {
        for (String name : PolluxApplications.names()) {
            GoodputProfile profile = Objects.requireNonNull(PolluxApplications.find(name));
            assertThat(IntStream.rangeClosed(1, 64)
                            .mapToDouble(gpus -> profile.meanIterationsPerSecond((gpus + 3) / 4, gpus)))
                    .as(name)
                    .allMatch(rate -> rate > 0 && rate < 10_000);
        }
    }

    @Test
    void the_performance_model_gives_a_job_that_adapts_its_goodput() {
        Topology topology = Objects.requireNonNull(Topologies.parse("4x4"));
        ModelProfile model = Objects.requireNonNull(ModelCatalog.standard().find("pollux-imagenet"));
        GoodputProfile goodput = Objects.requireNonNull(model.of(GoodputProfile.class));
        JobSpec job = new JobSpec(0, "a", 0, Demand.ofGpus(6), model, 1);
        RingPerformance truth = new RingPerformance(topology, InterferenceModel.NONE);
        assertThat(truth.aloneRate(job, Placement.of(topology, 0, 1, 2, 3, 4, 5)))
                .isEqualTo(goodput.meanIterationsPerSecond(2, 6));
        assertThat(List.of(
                        truth.aloneRate(job, Placement.of(topology, 0, 1, 2, 3)),
                        truth.aloneRate(job, Placement.of(topology, 0, 4, 8, 12))))
                .isSortedAccordingTo((a, b) -> Double.compare(b, a));
    }

    @Test
    void no_job_is_given_a_model_that_adapts_unasked() {
        assertThat(ModelCatalog.standard().profiles()).allMatch(model -> model.of(GoodputProfile.class) == null);
    }
}
