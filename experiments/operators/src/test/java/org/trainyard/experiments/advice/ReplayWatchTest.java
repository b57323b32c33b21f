package org.trainyard.experiments.advice;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.RestartCost;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.config.topology.Clusters;

class ReplayWatchTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long DAY = 86_400 * SECOND;

    private static Simulator simulator(double restartSeconds, ReplayWatch[] watch) {
        Topology topology = Clusters.resolve("--cluster", "small-generations");
        List<TraceJob> jobs = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            jobs.add(new TraceJob("j" + i, 0, Demand.ofGpus(16), 10 * DAY, null, "u", null, null));
        }
        World world = LogReplays.world(topology, 1);
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

    /** A job of 100 s on one GPU of four, under a scheduler that only looks each second. */
    private static ReplayWatch looking(double limitSeconds, Decision decision) {
        Topology topology = Topologies.parse("1x4");
        World world = LogReplays.world(topology, 1);
        Workload workload =
                world.workload(List.of(new TraceJob("only", 0, Demand.ofGpus(1), 100 * SECOND, null, "u", null, null)));
        ReplayWatch watch = new ReplayWatch(
                world.simulator(workload, null), workload, limitSeconds, 30, new ReplayProgress("test", 1, 1));
        assertThat(watch.runs(
                        view -> decision == Decision.WAIT ? decision : Decision.waitUntil(view.nowNanos() + SECOND)))
                .isFalse();
        return watch;
    }

    /** Twenty times 25 s on all GPUs and the 100 s of the longest job are 2,500 s; each 64th look is at the limits. */
    @Test
    void a_replay_ends_at_twenty_times_the_work() {
        assertThat(looking(60, Decision.waitUntil(1)).reason())
                .isIn("no end is in sight after 42 min 39 s", "no end is in sight after 42 min 40 s");
    }

    @Test
    void a_replay_ends_at_its_limit_of_processor_time_or_where_it_stands_still() {
        assertThat(looking(0, Decision.waitUntil(1)).reason())
                .isEqualTo("it takes more than 0 s of processor time (--limit)");
        assertThat(looking(60, Decision.WAIT).reason())
                .isEqualTo("it stands still on an idle cluster, where 1 job waits, such as only of 1 GPU");
    }
}
