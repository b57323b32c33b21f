package org.trainyard.env.gym.reward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.scheduling.pairs.ObservedPairs;
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

class BelievedSpeedsTest {
    /** Two jobs on one GPU, believed not to disturb each other until they are measured; no event comes between. */
    @Test
    void what_a_belief_learns_changes_the_speeds_of_jobs_that_run_on() {
        Topology shared = Topology.uniform(
                "shared", Fabric.DEFAULT, 1, 1, ServerSpec.ofV100(1).with(GpuSharing.FRACTIONS), 1);
        Pressure half = new Pressure(0.5, 0.5, 0.5, 0.5);
        ModelProfile model = new ModelProfile("model", 1, 0, 1, half, half);
        Demand part = Demand.ofGpus(1).withGpuMilli(400);
        List<JobSpec> jobs = List.of(new JobSpec(0, "a", 0, part, model, 1), new JobSpec(1, "b", 0, part, model, 1));
        Simulator simulator = new World(
                        shared,
                        new RingPerformance(shared, AnalyticInterference.DEFAULT),
                        new Simulator.Options(0, true))
                .simulator(new Workload(jobs, new double[] {1000, 1000}));
        ObservedPairs pairs = new ObservedPairs(InterferenceModel.NONE);
        JobSpeeds speeds = JobSpeeds.believed(shared, pairs);
        simulator.advance();
        simulator.apply(new Decision.Start(0, Placement.of(shared, 0)));
        simulator.apply(new Decision.Start(1, Placement.of(shared, 0)));
        pairs.update(simulator.view());
        double alone = speeds.of(simulator.view(), 0);

        simulator.apply(Decision.waitUntil(60_000_000_000L));
        simulator.advance();
        assertThat(speeds.of(simulator.view(), 0)).as("not measured yet").isEqualTo(alone);
        pairs.update(simulator.view());

        double slowdown = simulator.view().slowdown(0);
        assertThat(slowdown).isGreaterThan(1.01);
        assertThat(speeds.of(simulator.view(), 0)).isCloseTo(alone / slowdown, within(1e-12));
        assertThat(speeds.of(simulator.view(), 0)).isCloseTo(JobSpeeds.real().of(simulator.view(), 0), within(1e-12));
    }
}
