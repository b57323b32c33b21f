package org.trainyard.experiments.advice;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.simulation.RestartCost;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.config.topology.Clusters;

class ReplayWatchTest {
    private static final long DAY = 86_400_000_000_000L;

    private static Simulator simulator(double restartSeconds, ReplayWatch[] watch) {
        Topology topology = Clusters.resolve("--cluster", "small-generations");
        List<TraceJob> jobs = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            jobs.add(new TraceJob("j" + i, 0, Demand.ofGpus(16), 10 * DAY, null, "u", null, null));
        }
        World world = LogReplays.world(topology, InterferenceModel.NONE, 1);
        world = world.with(world.options().with(new RestartCost.Fixed(restartSeconds)));
        Workload workload = world.workload(jobs);
        Simulator simulator = world.simulator(workload, null);
        watch[0] =
                new ReplayWatch(simulator, workload, 600, restartSeconds, new ReplayProgress("test", 1, jobs.size()));
        return simulator;
    }

    @Test
    void rounds_that_are_shorter_than_a_restart_end_a_replay_long_before_its_time() {
        ReplayWatch[] watch = new ReplayWatch[1];
        Simulator simulator = simulator(900, watch);

        assertThat(watch[0].runs(
                        SchedulerRegistry.named("gavel").create(simulator.view().topology(), 1)))
                .isFalse();
        assertThat(watch[0].reason()).contains("no progress");
        // Twenty times the work of 30 days would be 800 days.
        assertThat(simulator.view().nowNanos()).isLessThan(4 * DAY);
    }

    @Test
    void rounds_that_are_longer_than_a_restart_go_on_to_the_end() {
        ReplayWatch[] watch = new ReplayWatch[1];
        Simulator simulator = simulator(30, watch);

        assertThat(watch[0].runs(
                        SchedulerRegistry.named("gavel").create(simulator.view().topology(), 1)))
                .isTrue();
        assertThat(simulator.isDone()).isTrue();
    }
}
