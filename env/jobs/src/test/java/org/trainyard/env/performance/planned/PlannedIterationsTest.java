package org.trainyard.env.performance.planned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.performance.contention.Contention;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.TrainingPlan;
import org.trainyard.env.workload.generator.ModelCatalog;

class PlannedIterationsTest {
    private static final Topology TOPOLOGY =
            Topology.uniform("two racks", Fabric.DEFAULT, 2, 3, ServerSpec.ofV100(4), 2);

    private static Planned plan(String label, String model) {
        return (Planned) Objects.requireNonNull(TrainingPlan.parse(label, model));
    }

    private final PlannedIterations iterations = new PlannedIterations(TOPOLOGY);

    private double seconds(Planned plan, int... gpus) {
        return iterations.seconds(plan, Placement.of(TOPOLOGY, gpus));
    }

    @ParameterizedTest
    @ValueSource(strings = {"pipeline:dapple", "pipeline:spp", "pipeline:dp", "mixed:sbp"})
    void a_wider_spread_takes_longer(String label) {
        Planned plan = plan(label, "bert-large");
        double one = seconds(plan, 0, 1, 2, 3);
        double two = seconds(plan, 0, 1, 4, 5);
        double racks = seconds(plan, 0, 1, 12, 13);
        assertThat(one).isLessThan(two).isGreaterThan(plan.computeSeconds() / 4);
        assertThat(two).isLessThanOrEqualTo(racks);
    }

    @Test
    void placements_of_one_shape_take_the_same_time() {
        Planned plan = plan("pipeline:dapple", "gnmt");
        double first = seconds(plan, 0, 1, 2, 4);
        assertThat(seconds(plan, 8, 4, 5, 6)).isEqualTo(first);
        assertThat(seconds(plan, 12, 16, 17, 18)).isEqualTo(first);
        assertThat(seconds(plan, 0, 1, 2, 12)).isGreaterThanOrEqualTo(first);
    }

    @Test
    void data_parallelism_takes_its_computation_and_one_ring() {
        Planned plan = plan("pipeline:dp", "vgg19");
        double bytes = 2.0 * 7 / 8 * plan.profile().parameterBytes();
        double bandwidth = TOPOLOGY.fabric().nic().bytesPerSecond();
        assertThat(seconds(plan, 0, 1, 2, 3, 4, 5, 6, 7))
                .isCloseTo(plan.computeSeconds() / 8 + bytes / bandwidth, within(1e-9));
    }

    @Test
    void performance_models_of_one_topology_share_their_plans() {
        assertThat(PlannedIterations.on(TOPOLOGY)).isSameAs(PlannedIterations.on(TOPOLOGY));
        Topology other = Topology.uniform("two racks", Fabric.DEFAULT, 2, 3, ServerSpec.ofV100(4), 2);
        assertThat(PlannedIterations.on(other)).isNotSameAs(PlannedIterations.on(TOPOLOGY));
    }

    @Test
    void less_bandwidth_never_shortens_an_iteration() {
        Placement apart = Placement.of(TOPOLOGY, 0, 1, 4, 5);
        for (String label : new String[] {"pipeline:dapple", "mixed:sbp"}) {
            Planned plan = plan(label, "gpt2-xl");
            double alone = iterations.seconds(plan, apart);
            assertThat(iterations.seconds(plan, apart, 12.5e9)).isCloseTo(alone, within(1e-12));
            double narrow = iterations.seconds(plan, apart, 2e9);
            assertThat(narrow).isGreaterThanOrEqualTo(alone);
            assertThat(iterations.seconds(plan, apart, 2e7)).isGreaterThan(narrow);
        }
    }

    @Test
    void plans_of_a_trace_run_as_long_as_the_trace_says_and_are_sensitive_to_spread() {
        List<TraceJob> jobs = new ArrayList<>();
        for (String model : List.of("bert-large", "gpt2-xl", "vgg19")) {
            jobs.add(new TraceJob(model, 0, 4, 3_600_000_000_000L, null, null, null, null)
                    .parallel(plan("pipeline:dapple", model)));
        }
        RingPerformance truth = new RingPerformance(TOPOLOGY, InterferenceModel.NONE, new Contention.MaxMin());
        WorkloadBuilder.Built built = new WorkloadBuilder(
                        TOPOLOGY,
                        ModelCatalog.standard(),
                        new WorkloadBuilder.Options(WorkloadBuilder.Models.MIX, 1, true, true))
                .build(jobs, truth);
        for (int i = 0; i < jobs.size(); i++) {
            JobSpec job = built.workload().job(i);
            assertThat(built.workload().trueIdealSeconds(i)).isCloseTo(3600, within(1e-6));
            Placement apart = Placement.of(TOPOLOGY, 0, 4, 8, 12);
            double ring = job.model().computeSeconds()
                    + RingPerformance.allReduceSeconds(
                            job, 4, TOPOLOGY.fabric().nic().bytesPerSecond(), 0);
            assertThat(1 / truth.aloneRate(job, apart)).isCloseTo(ring, within(0.25 * ring));
            assertThat(truth.aloneRate(job, apart)).isLessThan(job.idealIterationsPerSecond());
        }
    }

    @Test
    void random_placements_are_never_faster_than_all_gpus_computing_all_the_time() {
        RandomGenerator random = RandomStreams.stream(4, "placements");
        for (int i = 0; i < 40; i++) {
            int count = 1 + random.nextInt(8);
            int[] gpus = random.ints(0, TOPOLOGY.gpus()).distinct().limit(count).toArray();
            Planned plan = plan(i % 2 == 0 ? "pipeline:spp" : "mixed:sbp", "xlnet-large");
            assertThat(seconds(plan, gpus)).isGreaterThanOrEqualTo(plan.computeSeconds() / count * (1 - 1e-9));
        }
    }
}
