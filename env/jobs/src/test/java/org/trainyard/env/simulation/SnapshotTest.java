package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.InputException;
import org.trainyard.env.performance.contention.Contention;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.workload.JobSpec;

class SnapshotTest {
    private static void runFor(Simulator simulator, Scheduler scheduler, int decisions) {
        int left = decisions;
        while (left > 0 && simulator.advance()) {
            Decision decision;
            do {
                decision = scheduler.decide(simulator.view());
                simulator.apply(decision);
            } while (--left > 0 && !(decision instanceof Decision.Wait));
        }
    }

    private static String finish(Simulator simulator, Scheduler scheduler) {
        while (simulator.isAsking() || simulator.advance()) {
            simulator.decide(scheduler);
        }
        return simulator.result().eventLogSha256()
                + simulator.jobSeconds()
                + simulator.busyGpuSeconds()
                + simulator.result().jobs();
    }

    private static Contention contention(long seed) {
        return seed % 3 == 0
                ? new Contention.MaxMin()
                : seed % 3 == 1 ? new Contention.SjfBco(0.2, 1) : Contention.NONE;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void a_fork_anywhere_and_the_original_come_to_the_same_end(long seed) {
        assertForksEndAlike(seed);
    }

    @Tag("thorough")
    @ParameterizedTest
    @ValueSource(longs = {4, 5, 6})
    void a_fork_of_more_worlds_and_the_original_come_to_the_same_end(long seed) {
        assertForksEndAlike(seed);
    }

    private static void assertForksEndAlike(long seed) {
        MixedWorld world = new MixedWorld(seed, contention(seed));
        String uninterrupted = finish(world.simulator(), world.chaos());

        for (int decisions = 1; decisions < 400; decisions = 2 * decisions + 3) {
            Simulator simulator = world.simulator();
            runFor(simulator, world.chaos(), decisions);
            Simulator fork = simulator.fork();

            assertThat(fork.eventLog().sha256()).isEqualTo(simulator.eventLog().sha256());
            assertThat(finish(fork, world.chaos())).isEqualTo(uninterrupted);
            assertThat(finish(simulator, world.chaos())).isEqualTo(uninterrupted);
        }
    }

    @Test
    void a_fork_of_a_world_whose_jobs_share_pcie_comes_to_the_same_end() {
        assertForksOfSharedPcieEndAlike(1);
    }

    @Tag("thorough")
    @ParameterizedTest
    @ValueSource(longs = {2, 3})
    void a_fork_of_more_worlds_whose_jobs_share_pcie_comes_to_the_same_end(long seed) {
        assertForksOfSharedPcieEndAlike(seed);
    }

    private static void assertForksOfSharedPcieEndAlike(long seed) {
        MixedWorld world = new MixedWorld(seed, contention(seed), true);
        String uninterrupted = finish(world.simulator(), world.chaos());
        assertThat(uninterrupted)
                .isNotEqualTo(finish(new MixedWorld(seed, contention(seed)).simulator(), world.chaos()));

        for (int decisions = 2; decisions < 400; decisions = 3 * decisions) {
            Simulator simulator = world.simulator();
            runFor(simulator, world.chaos(), decisions);
            Simulator fork = simulator.fork();

            assertThat(fork.eventLog().sha256()).isEqualTo(simulator.eventLog().sha256());
            assertThat(finish(fork, world.chaos())).isEqualTo(uninterrupted);
            assertThat(finish(simulator, world.chaos())).isEqualTo(uninterrupted);
        }
    }

    /** At most three jobs of each tenant and of those without a quota run at once. */
    private static final class ThreeEach implements HeldLimits {
        private final Map<String, Integer> running = new HashMap<>();

        private static String tenant(JobSpec job) {
            return String.valueOf(job.virtualCluster());
        }

        @Override
        public boolean allows(JobSpec job) {
            return running.getOrDefault(tenant(job), 0) < 3;
        }

        @Override
        public void hold(JobSpec job, int sign) {
            running.merge(tenant(job), sign, Integer::sum);
        }

        @Override
        public Object group(JobSpec job) {
            return tenant(job);
        }
    }

    private static MaintenanceWindow window(long fromHour, long untilHour, Integer... servers) {
        long hour = 3_600_000_000_000L;
        return new MaintenanceWindow(new Outage(fromHour * hour, untilHour * hour), List.of(servers));
    }

    /**
     * A fork at each decision of the first hundred and at some later ones, so also while preempted jobs wait to be
     * requeued, jobs restart, limits bind, servers are in maintenance and horizons of utilities pass.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void a_fork_under_rules_of_preemption_and_limits_comes_to_the_same_end(long seed) {
        MixedWorld world = new MixedWorld(seed, Contention.NONE);
        Simulator.Options plain = world.options();
        Outages outages = new Outages.Maintained(
                plain.outages(), List.of(window(2, 3, 0, 3), window(5, 6, 0, 1, 2, 3, 4, 5), window(8, 9, 1)));
        Simulator.Options options = plain.with(outages, plain.checkpointNanos())
                .with(new Quotas(Map.of("red", 9, "blue", 6), ThreeEach::new))
                .with(new PreemptionRules(90_000_000_000L, 120_000_000_000L, 600_000_000_000L, 3));
        String uninterrupted = finish(world.simulator(options), world.chaos());
        int preempted = 0;

        for (int decisions = 1; decisions < 400; decisions += decisions < 100 ? 1 : 25) {
            Simulator simulator = world.simulator(options);
            runFor(simulator, world.chaos(), decisions);
            Simulator fork = simulator.fork();

            assertThat(fork.eventLog().sha256()).isEqualTo(simulator.eventLog().sha256());
            for (int job = 0; job < simulator.view().arrived(); job++) {
                assertThat(fork.view().isWithinQuota(job, 1))
                        .isEqualTo(simulator.view().isWithinQuota(job, 1));
                preempted += simulator.view().preemptions(job);
            }
            assertThat(finish(fork, world.chaos())).as("at %d", decisions).isEqualTo(uninterrupted);
        }
        assertThat(preempted).isPositive();
        assertThat(world.simulator(options).run(world.chaos()).jobs())
                .as("a horizon passes while its job runs on")
                .anyMatch(job -> job.utility() > 0 && job.jctNanos() > 2 * 5_400_000_000_000L);
    }

    @Test
    void a_fork_goes_its_own_way() {
        MixedWorld world = new MixedWorld(7, Contention.NONE);
        Simulator simulator = world.simulator();
        runFor(simulator, world.chaos(), 50);
        Simulator fork = simulator.fork();
        String original = finish(simulator, world.chaos());

        assertThat(finish(fork, new MixedWorld(8, Contention.NONE).chaos())).isNotEqualTo(original);
    }

    @Test
    void a_snapshot_of_something_else_is_refused() {
        MixedWorld other = new MixedWorld(2, Contention.NONE);
        Snapshot snapshot = new MixedWorld(1, Contention.NONE).simulator().snapshot();

        assertThatThrownBy(() -> new World(other.topology, other.truth, other.options())
                        .telling(told -> other.predictor())
                        .restore(snapshot, other.workload))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("of another simulation");
        assertThatThrownBy(() -> new World(Topologies.small(), other.truth, other.options())
                        .restore(snapshot, new MixedWorld(1, Contention.NONE).workload))
                .hasMessageContaining("of another simulation");
    }
}
