package org.trainyard.agents.heuristic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.ForSeeds;
import org.trainyard.agents.heuristic.placing.BestFit;
import org.trainyard.agents.heuristic.placing.FirstFit;
import org.trainyard.agents.heuristic.placing.RandomFit;
import org.trainyard.agents.heuristic.reference.HeliosConsolidate;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Locality;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Workload;

class PlacersTest {
    /**
     * Two racks of two servers of 8; the GPUs given are taken, one job each, and one more job of {@code demand} waits.
     */
    private static @Nullable Placement place(Placer placer, Topology topology, int demand, int... takenGpus) {
        TimedJobs jobs = TimedJobs.list();
        for (int i = 0; i < takenGpus.length; i++) {
            jobs.job(1, 0, 100);
        }
        Workload workload = jobs.job(demand, 0, 100).workload();
        Simulator simulator =
                new World(topology, new RatedPerformance(), new Simulator.Options(0, true)).simulator(workload);
        simulator.advance();
        for (int i = 0; i < takenGpus.length; i++) {
            simulator.apply(new Decision.Start(i, Placement.of(topology, takenGpus[i])));
        }
        return placer.place(simulator.view(), workload.job(takenGpus.length));
    }

    private static Topology cluster(String shorthand) {
        return Objects.requireNonNull(Topologies.parse(shorthand));
    }

    private static int[] range(int from, int to) {
        return IntStream.range(from, to).toArray();
    }

    private static int[] both(int[] a, int[] b) {
        return IntStream.concat(IntStream.of(a), IntStream.of(b)).toArray();
    }

    private static Placement gpus(Topology topology, int... gpus) {
        return Placement.of(topology, gpus);
    }

    @Test
    void best_fit_takes_the_server_with_the_fewest_free_gpus_that_fits() {
        Topology topology = cluster("2x2x8");

        // Free: 8, 3, 2, 8.
        Placement where = place(new BestFit(), topology, 3, both(range(8, 13), range(16, 22)));

        assertThat(where).isEqualTo(gpus(topology, 13, 14, 15));
    }

    @Test
    void best_fit_stays_within_the_rack_that_needs_the_fewest_servers() {
        Topology topology = cluster("2x3x4");

        // Free in rack 0: 2, 2, 2; in rack 1: 1, 3, 3.
        int[] taken = {0, 1, 4, 5, 8, 9, 12, 13, 14, 16, 20};
        Placement where = place(new BestFit(), topology, 6, taken);

        assertThat(where).isEqualTo(gpus(topology, 17, 18, 19, 21, 22, 23));
    }

    @Test
    void best_fit_takes_the_emptiest_servers_whole_and_puts_the_rest_where_it_fits_most_tightly() {
        Topology topology = cluster("1x4x8");

        // Free: 8, 5, 2, 8; 18 GPUs are two whole servers and the one with just 2.
        Placement where = place(new BestFit(), topology, 18, both(range(8, 11), range(16, 22)));

        assertThat(where).isEqualTo(gpus(topology, both(both(range(0, 8), range(22, 24)), range(24, 32))));
    }

    @Test
    void best_fit_prefers_a_pod_to_the_whole_cluster() {
        Topology topology = cluster("8x1x4");

        // Pods of four racks; 3 GPUs are free in pod 0 and 12 in pod 1, on three racks.
        int[] taken = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 28, 29, 30, 31};
        Placement where = place(new BestFit(), topology, 8, taken);

        assertThat(Objects.requireNonNull(where).span()).isEqualTo(Locality.POD);
        assertThat(where).isEqualTo(gpus(topology, range(16, 24)));
    }

    @Test
    void best_fit_crosses_pods_when_nothing_smaller_has_room() {
        Topology topology = cluster("8x1x4");

        Placement where = place(new BestFit(), topology, 20);

        assertThat(Objects.requireNonNull(where).span()).isEqualTo(Locality.CLUSTER);
        assertThat(where.serverCount()).isEqualTo(5);
    }

    @Test
    void first_fit_takes_the_first_server_that_holds_it_all() {
        Topology topology = cluster("1x3x8");

        assertThat(place(new FirstFit(), topology, 4, range(0, 6))).isEqualTo(gpus(topology, range(8, 12)));
    }

    /** On server 1 the socket of GPUs 6 and 7 fits the rest of 2 exactly. */
    @Test
    void first_fit_gathers_in_order_of_servers_when_none_holds_it_all() {
        Topology topology = cluster("1x2x4");

        assertThat(place(new FirstFit(), topology, 5, 0, 4)).isEqualTo(gpus(topology, 1, 2, 3, 6, 7));
    }

    @Test
    void helios_takes_whole_servers_and_then_the_emptiest_one() {
        Topology topology = cluster("4x8");

        // Free: 7, 8, 8, 6.
        Placement where = place(new HeliosConsolidate(topology), topology, 12, 0, 24, 25);

        assertThat(where).isEqualTo(gpus(topology, range(8, 20)));
    }

    @Test
    void helios_breaks_ties_by_index() {
        Topology topology = cluster("4x8");

        assertThat(place(new HeliosConsolidate(topology), topology, 20)).isEqualTo(gpus(topology, range(0, 20)));
        // Free: 7, 7, 8, 8.
        assertThat(place(new HeliosConsolidate(topology), topology, 7, 0, 8)).isEqualTo(gpus(topology, range(1, 8)));
    }

    @Test
    void helios_refuses_to_scatter() {
        Topology topology = cluster("2x8");

        assertThat(place(new HeliosConsolidate(topology), topology, 8, 0, 8)).isNull();
        assertThat(place(new HeliosConsolidate(topology), topology, 12, 0, 8)).isNull();
    }

    @Test
    void helios_knows_only_servers_of_8_gpus() {
        assertThatThrownBy(() -> SchedulerRegistry.named("helios-fifo").create(cluster("4x4"), 1))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("8 GPUs");
    }

    @Test
    void nobody_places_a_job_larger_than_what_is_free() {
        Topology topology = cluster("1x8");

        assertThat(place(new BestFit(), topology, 8, 0)).isNull();
        assertThat(place(new FirstFit(), topology, 8, 0)).isNull();
        assertThat(place(new RandomFit(topology, 1), topology, 8, 0)).isNull();
        assertThat(place(new HeliosConsolidate(topology), topology, 8, 0)).isNull();
    }

    @ForSeeds
    void random_fit_places_whenever_enough_is_free_and_alike_for_equal_seeds(long seed) {
        Topology topology = cluster("4x4x4");

        Placement where = place(new RandomFit(topology, seed), topology, 61, 5, 20, 40);

        assertThat(where).isEqualTo(place(new RandomFit(topology, seed), topology, 61, 5, 20, 40));
        Placement few = place(new RandomFit(topology, seed), topology, 6, 5, 20, 40);
        assertThat(few).isEqualTo(place(new RandomFit(topology, seed), topology, 6, 5, 20, 40));
    }
}
