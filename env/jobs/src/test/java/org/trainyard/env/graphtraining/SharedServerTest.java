package org.trainyard.env.graphtraining;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.graphtraining.SharedServer.Tenant;

/** Jobs that divide a server, against a search through all divisions. */
class SharedServerTest {
    private static double seconds(Tenant tenant, ServerShare share) {
        return StageAllocation.of(tenant.stages(), tenant.ownCores() > 0 ? share.withCores(tenant.ownCores()) : share)
                .seconds();
    }

    /**
     * The least of the larger slowdown of two tenants over all divisions of cores, of units, and of the card in so many
     * parts.
     */
    private static double leastSlowdown(List<Tenant> pair, ServerShare server, int parts) {
        double first = seconds(pair.get(0), server);
        double second = seconds(pair.get(1), server);
        double least = Double.POSITIVE_INFINITY;
        // A first tenant with cores of its own leaves all others to the second.
        int most = pair.get(0).ownCores() > 0 ? 2 : server.cores() - 2;
        for (int cores = 2; cores <= most; cores++) {
            for (int units = 2; units <= server.pcieUnits() - 2; units++) {
                for (int part = 1; part < parts; part++) {
                    double nic = server.nicBytesPerSecond() * part / parts;
                    ServerShare one = new ServerShare(cores, units, server.bytesPerSecondPerUnit(), nic);
                    ServerShare other = new ServerShare(
                            pair.get(0).ownCores() > 0 ? server.cores() : server.cores() - cores,
                            server.pcieUnits() - units,
                            server.bytesPerSecondPerUnit(),
                            server.nicBytesPerSecond() - nic);
                    least = Math.min(
                            least, Math.max(seconds(pair.get(0), one) / first, seconds(pair.get(1), other) / second));
                }
            }
        }
        return least;
    }

    @Test
    void no_division_between_two_jobs_has_a_smaller_largest_slowdown() {
        RandomGenerator random = RandomStreams.stream(1, "shared servers");
        int slowed = 0;
        for (int i = 0; i < 60; i++) {
            List<Tenant> pair = List.of(
                    new Tenant(StageAllocationTest.drawn(random), random.nextInt(3) == 0 ? 3 : 0),
                    new Tenant(StageAllocationTest.drawn(random), 0));
            ServerShare server =
                    new ServerShare(random.nextInt(4, 12), random.nextInt(4, 12), 1e9, 1e9 * random.nextInt(3, 20));
            double[] times = SharedServer.together(pair, server);
            double found = Math.max(times[0] / seconds(pair.get(0), server), times[1] / seconds(pair.get(1), server));

            // The card is divided in parts there, which can only be worse.
            double searched = leastSlowdown(pair, server, 200);
            assertThat(found).as("pair %d", i).isLessThanOrEqualTo(searched * (1 + 1e-9));
            assertThat(found).as("pair %d", i).isGreaterThan(searched * 0.97);
            slowed += found > 1.01 ? 1 : 0;
        }
        assertThat(slowed).isGreaterThan(20);
    }

    @Test
    void a_job_alone_has_the_whole_server() {
        RandomGenerator random = RandomStreams.stream(2, "shared servers");
        Tenant tenant = new Tenant(StageAllocationTest.drawn(random), 0);
        ServerShare server = new ServerShare(16, 12, 1e9, 12.5e9);
        assertThat(SharedServer.together(List.of(tenant), server)).containsExactly(seconds(tenant, server));
        assertThat(SharedServer.evenly(List.of(tenant), server))
                .containsExactly(StageAllocation.contendedSeconds(tenant.stages(), server));
    }

    @Test
    void a_job_that_needs_other_resources_than_its_neighbour_is_not_held_back() {
        MiniBatch cpu = new MiniBatch(1e-3, 1e-3, 0.05, 0.05, 0, 0.001, 1e3, 1e3);
        MiniBatch pcie = new MiniBatch(1e-3, 1e-3, 1e-6, 1e-6, 0, 0.001, 5e6, 195e6);
        List<Tenant> jobs = List.of(
                new Tenant(new Stages(cpu, 1, 16, 0, 0, 0.001), 0),
                new Tenant(new Stages(pcie, 1, 16, 0.9, 0, 0.001), 0),
                new Tenant(new Stages(pcie, 1, 16, 0.9, 0, 0.001), 0));
        ServerShare server = new ServerShare(64, 96, 125e6, 12.5e9);
        double[] times = SharedServer.together(jobs, server);
        assertThat(times[1]).isCloseTo(2 * seconds(jobs.get(1), server), within(0.002));
        // Four of 64 cores are with the others.
        assertThat(times[0]).isLessThan(1.1 * seconds(jobs.get(0), server));
    }

    @Test
    void many_jobs_on_a_small_server_all_get_something() {
        RandomGenerator random = RandomStreams.stream(3, "shared servers");
        List<Tenant> jobs = random.ints(9)
                .mapToObj(i -> new Tenant(StageAllocationTest.drawn(random), 0))
                .toList();
        ServerShare server = new ServerShare(4, 12, 1e9, 1e9);
        assertThat(SharedServer.together(jobs, server)).hasSize(9).doesNotContain(Double.POSITIVE_INFINITY);
        assertThat(SharedServer.evenly(jobs, server)).hasSize(9).doesNotContain(Double.POSITIVE_INFINITY);
    }
}
