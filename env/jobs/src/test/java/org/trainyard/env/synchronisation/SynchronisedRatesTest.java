package org.trainyard.env.synchronisation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.Rings;
import org.trainyard.env.performance.Stragglers;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.performance.contention.Contention;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.generator.ModelCatalog;

/** Rates of jobs with parameter servers that share no barrier, on GPUs of two types and beside neighbours. */
class SynchronisedRatesTest {
    private static final Topology TWO_TYPES = new Topology.Builder("two types", Fabric.DEFAULT)
            .rack(List.of(server(GpuType.V100), server(GpuType.P100)))
            .racksPerPod(1)
            .build();
    private static final ModelProfile MODEL =
            new ModelProfile("test", 0.2, 500e6, 1L << 30, new Pressure(0, 0, 0), new Pressure(0, 0, 0));
    /** Two GPUs of each server. */
    private static final Placement BOTH = Placement.of(TWO_TYPES, new int[] {0, 1, 4, 5});

    private static ServerSpec server(GpuType type) {
        return new ServerSpec(type, 2, 4, true);
    }

    private static SynchronisationModel model(String label) {
        return Objects.requireNonNull(SynchronisationModel.parse(label));
    }

    private static JobSpec job(int id, String label) {
        return new JobSpec(id, "job" + id, 0, Demand.ofGpus(4), MODEL, new Synchronised(model(label)), 1);
    }

    private static RingPerformance alone() {
        return new RingPerformance(TWO_TYPES, InterferenceModel.NONE);
    }

    /** The speeds of two workers on each type, whose commit moves 1.5 gradients through a network card. */
    private static UnevenWorkers workers(double slowdownOfSecondServer, double bytesPerSecond) {
        double slow = GpuType.P100.speed() / 0.2 / slowdownOfSecondServer;
        double commit = 1.5 * 500e6 / bytesPerSecond
                + 2e-9 * TWO_TYPES.routes().between(0, 1).latencyNanos();
        return UnevenWorkers.of(commit, 5, 5, slow, slow);
    }

    @Test
    void a_job_across_two_types_has_the_pace_of_its_workers() {
        double bandwidth = TWO_TYPES.routes().between(0, 1).bytesPerSecond();
        for (String label : SynchronisationModel.labels()) {
            double effective = model(label).pace(workers(1, bandwidth)).effectiveStepsPerSecond();
            assertThat(alone().aloneRate(job(0, label), BOTH)).as(label).isCloseTo(effective / 4, within(1e-12));
        }
        assertThat(alone().aloneRate(job(0, "tap"), BOTH)).isGreaterThan(alone().aloneRate(job(0, "bsp"), BOTH));
    }

    @Test
    void equal_workers_under_bsp_compute_and_commit() {
        Placement pair = Placement.of(TWO_TYPES, new int[] {0, 1});
        double commit = 500e6 / Fabric.DEFAULT.nvlink().bytesPerSecond() + 2e-6;
        assertThat(alone().aloneRate(job(0, "bsp"), pair)).isCloseTo(1 / (0.2 + commit), within(1e-9));
    }

    @Test
    void one_worker_has_nobody_to_commit_for() {
        Placement one = Placement.of(TWO_TYPES, new int[] {0});
        for (String label : SynchronisationModel.labels()) {
            assertThat(alone().aloneRate(job(0, label), one)).as(label).isEqualTo(5);
        }
    }

    @Test
    void only_the_slowest_worker_is_a_straggler() {
        Stragglers stragglers = Stragglers.measured(1, 1);
        JobSpec job = job(0, "tap");
        RingPerformance truth = new RingPerformance(TWO_TYPES, InterferenceModel.NONE, Contention.NONE, stragglers);
        double stretch = stragglers.stretch(job, 4);
        double slow = GpuType.P100.speed() / 0.2;
        UnevenWorkers workers = UnevenWorkers.of(
                workers(1, TWO_TYPES.routes().between(0, 1).bytesPerSecond()).commitSeconds(0),
                5,
                5,
                slow,
                slow / stretch);
        assertThat(truth.aloneRate(job, BOTH))
                .isCloseTo(model("tap").pace(workers).effectiveStepsPerSecond() / 4, within(1e-12));
        assertThat(truth.typical().aloneRate(job, BOTH)).isEqualTo(alone().aloneRate(job, BOTH));
    }

    @Test
    void neighbours_slow_the_workers_of_their_server_alone() {
        // A neighbour of any kind makes its server half as fast.
        InterferenceModel half = (victim, place) -> place.count() > 0 ? 2 : 1;
        RingPerformance truth = new RingPerformance(TWO_TYPES, half);
        for (String label : SynchronisationModel.labels()) {
            JobSpec job = job(0, label);
            Rings occupancy = new Rings(TWO_TYPES).on(0, 0, 1, 1);
            assertThat(truth.slowdown(job, BOTH, occupancy)).isEqualTo(1);
            occupancy.on(1, 1);

            double bandwidth = TWO_TYPES.routes().between(0, 1).bytesPerSecond();
            double now = model(label).pace(workers(2, bandwidth)).effectiveStepsPerSecond() / 4;
            double slowdown = truth.aloneRate(job, BOTH) / now;
            assertThat(truth.slowdown(job, BOTH, occupancy)).as(label).isCloseTo(Math.max(1, slowdown), within(1e-9));
        }
        assertThat(truth.isLocal(job(0, "bsp"))).isFalse();
        assertThat(truth.isLocal()).isTrue();
    }

    @Test
    void jobs_that_differ_in_synchronisation_alone_have_rates_of_their_own() {
        ModelCatalog catalog = ModelCatalog.standard();
        WorkloadBuilder builder = new WorkloadBuilder(
                TWO_TYPES, catalog, new WorkloadBuilder.Options(WorkloadBuilder.Models.NEUTRAL, 1, false, false));
        TraceJob first = new TraceJob("a", 0, 8, 3_600_000_000_000L, "resnet50", null, null, null)
                .parallel(new Synchronised(model("bsp")));
        TraceJob second = new TraceJob("b", 0, 8, 3_600_000_000_000L, "resnet50", null, null, null)
                .parallel(new Synchronised(model("tap")));
        WorkloadBuilder.Built built = builder.build(List.of(first, second), alone());
        assertThat(built.workload().job(0).idealIterationsPerSecond())
                .isNotEqualTo(built.workload().job(1).idealIterationsPerSecond());
        assertThat(built.workload().trueIdealSeconds(1)).isCloseTo(3600, within(1e-6));
    }
}
