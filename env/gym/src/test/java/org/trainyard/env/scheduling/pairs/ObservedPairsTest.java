package org.trainyard.env.scheduling.pairs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.Colocation;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.Workload;

/** Two jobs on one GPU, believed not to disturb each other, which they do. */
class ObservedPairsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final ModelProfile HEAVY = model("heavy", 0.9, 0.3);
    private static final ModelProfile LIGHT = model("light", 0.2, 0.8);
    private static final Topology SHARED = Topology.uniform(
            "shared", Fabric.DEFAULT, 1, 2, ServerSpec.ofV100(2).with(GpuSharing.FRACTIONS), 1);

    private final Workload workload = workload();
    private final Simulator simulator = new World(
                    SHARED, new RingPerformance(SHARED, AnalyticInterference.DEFAULT), new Simulator.Options(0, true))
            .simulator(workload);
    private final ObservedPairs pairs = new ObservedPairs(InterferenceModel.NONE);

    private static ModelProfile model(String name, double pressure, double sensitivity) {
        return new ModelProfile(
                name,
                1,
                0,
                1,
                new Pressure(pressure, pressure, pressure, pressure),
                new Pressure(sensitivity, sensitivity, sensitivity, sensitivity));
    }

    private static Workload workload() {
        List<JobSpec> jobs = new ArrayList<>();
        for (ModelProfile model : List.of(HEAVY, LIGHT, LIGHT)) {
            jobs.add(new JobSpec(
                    jobs.size(), "job" + jobs.size(), 0, Demand.ofGpus(1).withGpuMilli(400), model, 1));
        }
        return new Workload(jobs, new double[] {1000, 1000, 1000});
    }

    private void startBoth() {
        simulator.advance();
        simulator.apply(new Decision.Start(0, Placement.of(SHARED, 0)));
        simulator.apply(new Decision.Start(1, Placement.of(SHARED, 0)));
    }

    private static void waitUntil(Simulator run, long seconds) {
        run.apply(Decision.waitUntil(seconds * SECOND));
        run.advance();
        assertThat(run.view().nowNanos()).isEqualTo(seconds * SECOND);
    }

    private double predicted(ModelProfile victim, ModelProfile neighbour) {
        Colocation place = new Colocation();
        place.reset(2, 1, false);
        place.add(neighbour, 1, false, true, true);
        return pairs.slowdown(victim, place);
    }

    @Test
    void a_pair_is_known_after_a_minute_together_and_not_before() {
        startBoth();
        pairs.update(simulator.view());
        waitUntil(simulator, 59);
        pairs.update(simulator.view());

        assertThat(pairs.measured()).isZero();
        assertThat(predicted(HEAVY, LIGHT)).isEqualTo(1);

        waitUntil(simulator, 60);
        pairs.update(simulator.view());

        assertThat(pairs.measured()).isEqualTo(2);
        assertThat(predicted(HEAVY, LIGHT))
                .isEqualTo(simulator.view().slowdown(0), within(1e-12))
                .isGreaterThan(1);
        assertThat(predicted(LIGHT, HEAVY)).isEqualTo(simulator.view().slowdown(1), within(1e-12));
        assertThat(predicted(LIGHT, HEAVY)).isNotCloseTo(predicted(HEAVY, LIGHT), within(1e-3));
        assertThat(predicted(LIGHT, LIGHT)).isEqualTo(1);
    }

    /** The pair starts again after the first minute, and is measured a second time. */
    @Test
    void the_error_is_the_mean_over_pairs_however_often_each_is_measured() {
        startBoth();
        pairs.update(simulator.view());
        assertThat(pairs.error()).isZero();
        waitUntil(simulator, 60);
        pairs.update(simulator.view());
        int revision = pairs.revision();
        double expected = Math.sqrt(
                (square(simulator.view().slowdown(0)) + square(simulator.view().slowdown(1))) / 2);
        assertThat(pairs.error()).isCloseTo(expected, within(1e-12)).isPositive();

        simulator.apply(new Decision.Preempt(1));
        simulator.apply(new Decision.Start(1, Placement.of(SHARED, 0)));
        pairs.update(simulator.view());
        waitUntil(simulator, 120);
        pairs.update(simulator.view());

        assertThat(pairs.measured()).isEqualTo(2);
        assertThat(pairs.error()).isCloseTo(expected, within(1e-12));
        assertThat(pairs.revision()).as("nothing new").isEqualTo(revision);
        assertThat(pairs.isMeasured(HEAVY, LIGHT)).isTrue();
        assertThat(pairs.isMeasured(LIGHT, LIGHT)).isFalse();
    }

    private static double square(double slowdown) {
        return Math.log(slowdown) * Math.log(slowdown);
    }

    @Test
    void jobs_that_do_not_share_a_gpu_teach_nothing() {
        simulator.advance();
        simulator.apply(new Decision.Start(0, Placement.of(SHARED, 0)));
        simulator.apply(new Decision.Start(1, Placement.of(SHARED, 1)));
        pairs.update(simulator.view());
        waitUntil(simulator, 100);
        pairs.update(simulator.view());

        assertThat(pairs.measured()).isZero();
    }
}
