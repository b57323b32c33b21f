package org.trainyard.env.gym;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.gym.action.ActionSpace;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.reward.DelayReward;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Workload;

/** Counted, not timed: what the thread allocates while an environment steps through the second half of an episode. */
class StepAllocationTest {
    private static final int JOBS = 6_000;

    private final Topology topology = Topologies.medium();
    private final Workload workload = RandomWorkloads.of(1, JOBS, 20);
    private final ClusterEnv env = env();
    private final float[] row = new float[env.spec().size()];
    private final int[] actions = new int[env.agents()];

    private ClusterEnv env() {
        ClusterScenario world = TestScenarios.known(topology);
        ClusterEnv.Settings settings =
                new ClusterEnv.Settings(Domains.racks(topology), 16, 2, false, Double.POSITIVE_INFINITY, 0.5, 0.5);
        return new ClusterEnv(
                world, settings, episode -> workload, new DelayReward(topology, AnalyticInterference.DEFAULT));
    }

    private boolean step(RandomGenerator random) {
        for (int agent = 0; agent < env.agents(); agent++) {
            actions[agent] = ActionSpace.WAIT;
            if (env.isActive(agent)) {
                env.observe(agent, row, 0);
                do {
                    actions[agent] = random.nextInt(env.spec().actions().size());
                } while (row[env.spec().maskAt() + actions[agent]] == 0);
            }
        }
        return env.step(actions, 0).done();
    }

    @Test
    void a_step_and_its_observations_allocate_nothing_but_placements_never_seen_and_arrays_that_grow() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        env.reset(workload);
        RandomGenerator first = RandomStreams.stream(1, "actions");
        while (!step(first)) {}
        RandomGenerator random = RandomStreams.stream(2, "actions");
        env.reset(workload);
        while (env.simulator().view().arrived() < JOBS / 2) {
            step(random);
        }
        int steps = 0;
        int allocating = 0;
        while (env.simulator().view().arrived() < JOBS - 1) {
            long before = threads.getCurrentThreadAllocatedBytes();
            step(random);
            allocating += threads.getCurrentThreadAllocatedBytes() > before ? 1 : 0;
            steps++;
        }

        assertThat(steps).isGreaterThan(5_000);
        assertThat(allocating).as("of %d steps", steps).isLessThan(steps / 100);
    }
}
