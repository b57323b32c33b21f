package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.InputException;
import org.trainyard.env.performance.contention.Contention;
import org.trainyard.env.topology.Topologies;

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
    void a_fork_anywhere_and_the_original_come_to_the_same_end(long seed) throws IOException {
        assertForksEndAlike(seed);
    }

    @Tag("thorough")
    @ParameterizedTest
    @ValueSource(longs = {4, 5, 6})
    void a_fork_of_more_worlds_and_the_original_come_to_the_same_end(long seed) throws IOException {
        assertForksEndAlike(seed);
    }

    private static void assertForksEndAlike(long seed) throws IOException {
        MixedWorld world = new MixedWorld(seed, contention(seed));
        String uninterrupted = finish(world.simulator(), world.chaos());

        for (int decisions = 1; decisions < 400; decisions = 2 * decisions + 3) {
            Simulator simulator = world.simulator();
            runFor(simulator, world.chaos(), decisions);
            Simulator fork = simulator.fork();

            assertThat(bytes(fork)).isEqualTo(bytes(simulator));
            assertThat(finish(fork, world.chaos())).isEqualTo(uninterrupted);
            assertThat(finish(simulator, world.chaos())).isEqualTo(uninterrupted);
        }
    }

    @Test
    void a_fork_of_a_world_whose_jobs_share_pcie_comes_to_the_same_end() throws IOException {
        assertForksOfSharedPcieEndAlike(1);
    }

    @Tag("thorough")
    @ParameterizedTest
    @ValueSource(longs = {2, 3})
    void a_fork_of_more_worlds_whose_jobs_share_pcie_comes_to_the_same_end(long seed) throws IOException {
        assertForksOfSharedPcieEndAlike(seed);
    }

    private static void assertForksOfSharedPcieEndAlike(long seed) throws IOException {
        MixedWorld world = new MixedWorld(seed, contention(seed), true);
        String uninterrupted = finish(world.simulator(), world.chaos());
        assertThat(uninterrupted)
                .isNotEqualTo(finish(new MixedWorld(seed, contention(seed)).simulator(), world.chaos()));

        for (int decisions = 2; decisions < 400; decisions = 3 * decisions) {
            Simulator simulator = world.simulator();
            runFor(simulator, world.chaos(), decisions);
            Simulator fork = simulator.fork();

            assertThat(bytes(fork)).isEqualTo(bytes(simulator));
            assertThat(finish(fork, world.chaos())).isEqualTo(uninterrupted);
            assertThat(finish(simulator, world.chaos())).isEqualTo(uninterrupted);
        }
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

    private static byte[] bytes(Simulator simulator) throws IOException {
        return simulator.snapshot().content().readAllBytes();
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
        assertThatThrownBy(() -> snapshot.checkIsOf(Topologies.small(), new MixedWorld(1, Contention.NONE).workload))
                .hasMessageContaining("of another simulation");
    }
}
