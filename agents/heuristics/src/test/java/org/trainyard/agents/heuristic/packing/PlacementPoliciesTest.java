package org.trainyard.agents.heuristic.packing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.ForSeeds;
import org.trainyard.agents.heuristic.classic.AdmitOnArrival;
import org.trainyard.agents.heuristic.placing.FirstFit;
import org.trainyard.agents.heuristic.scenario.PodCluster;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.registry.PlacementPolicies;
import org.trainyard.env.scheduling.fragmentation.Fragmentation;
import org.trainyard.env.scheduling.fragmentation.TargetWorkload;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.Workload;

/** Schedules worked out on paper from the points of each policy. */
class PlacementPoliciesTest {
    private static final Demand HALF = PodCluster.part(500, 0);
    private static final Demand ONE = PodCluster.gpus(1, 0);
    private static final Demand TWO = PodCluster.gpus(2, 0);

    private static Placer policy(String name, Topology topology, @Nullable TargetWorkload target, long seed) {
        return Objects.requireNonNull(PlacementPolicies.named(name)).create(topology, target, seed);
    }

    private static List<@Nullable Placement> places(String policy, Topology topology, Demand... demands) {
        return PodCluster.places(topology, policy(policy, topology, null, 1), demands);
    }

    private static Placement gpus(Topology topology, int... gpus) {
        return Placement.of(topology, gpus);
    }

    private static int server(@Nullable Placement place) {
        return Objects.requireNonNull(place).server(0);
    }

    /**
     * Expected are halves, ones and twos, a third each. On server 0 a two never fits: a half leaves 333 of 333
     * fragmented there (50 points), and on server 1 it makes 667 of nothing (33). The second half takes 333 away (58).
     * Then the two fits, and nothing more.
     */
    @Test
    void fgd_goes_where_fragmentation_grows_least() {
        Topology topology = PodCluster.cluster(PodCluster.server(1, 8), PodCluster.server(2, 8));
        TargetWorkload target = TargetWorkload.of(List.of(HALF, ONE, TWO));

        assertThat(PodCluster.places(topology, policy("fgd", topology, target, 1), HALF, HALF, TWO, HALF))
                .containsExactly(gpus(topology, 0), gpus(topology, 0), gpus(topology, 1, 2), null);
    }

    /** The GPU with 300 left and the one with 500: taking 300 of the first leaves nothing that a 300 could not use. */
    @Test
    void fgd_chooses_the_gpu_as_well() {
        Topology topology = PodCluster.cluster(PodCluster.server(2, 8));
        Demand large = PodCluster.part(700, 0);
        Demand small = PodCluster.part(300, 0);
        TargetWorkload target = TargetWorkload.of(List.of(small));

        List<@Nullable Placement> places =
                PodCluster.places(topology, policy("fgd", topology, target, 1), large, HALF, small, small);

        assertThat(places.get(2)).isEqualTo(places.get(0));
        assertThat(places.get(3)).isEqualTo(places.get(1));
        assertThat(places.get(1)).isNotEqualTo(places.get(0));
    }

    /**
     * 93 points of 100 on the server left with 2 of at most 16 cores, 56 on the one with 14; the last has 100 against
     * 62.
     */
    @Test
    void best_fit_counts_cpu_and_gpus() {
        Topology topology = PodCluster.cluster(PodCluster.server(1, 4), PodCluster.server(1, 16));

        assertThat(places("best-fit", topology, PodCluster.gpus(1, 2), PodCluster.gpus(1, 2), PodCluster.host(2)))
                .containsExactly(gpus(topology, 0), gpus(topology, 1), Placement.onServer(topology, 0));
    }

    /**
     * One GPU and one core: 84 points on the server of 16 cores and 1 GPU, 74 on that of 4 and 2; 2 cores: 94 and 98.
     */
    @Test
    void dot_product_goes_where_less_is_free_of_what_is_wanted() {
        Topology topology = PodCluster.cluster(PodCluster.server(1, 16), PodCluster.server(2, 4));

        assertThat(places("dot-product", topology, PodCluster.gpus(1, 1), PodCluster.host(2)))
                .containsExactly(gpus(topology, 0), Placement.onServer(topology, 1));
    }

    /** Idle servers have 32, 31 and 29 points, a used one with an idle GPU 49, a GPU with half of it left 95. */
    @Test
    void gpu_packing_takes_used_gpus_then_used_servers_then_small_ones() {
        Topology topology =
                PodCluster.cluster(PodCluster.server(1, 8), PodCluster.server(2, 8), PodCluster.server(4, 8));

        assertThat(places(
                        "gpu-packing",
                        topology,
                        HALF,
                        PodCluster.part(400, 0),
                        ONE,
                        ONE,
                        PodCluster.gpus(3, 0),
                        HALF,
                        PodCluster.part(300, 0)))
                .containsExactly(
                        gpus(topology, 0),
                        gpus(topology, 0),
                        gpus(topology, 1),
                        gpus(topology, 2),
                        gpus(topology, 3, 4, 5),
                        gpus(topology, 6),
                        gpus(topology, 6));
    }

    /** Like beside like: 87 and 81 points; idle servers 25; the last one has room on the halves' server alone. */
    @Test
    void gpu_clustering_puts_like_beside_like() {
        Topology topology =
                PodCluster.cluster(PodCluster.server(2, 8), PodCluster.server(2, 8), PodCluster.server(2, 8));

        List<@Nullable Placement> places = places("gpu-clustering", topology, ONE, HALF, ONE, HALF, TWO, ONE);

        int ones = server(places.get(0));
        int halves = server(places.get(1));
        assertThat(halves).isNotEqualTo(ones);
        assertThat(server(places.get(2))).isEqualTo(ones);
        assertThat(places.get(3)).isEqualTo(places.get(1));
        assertThat(server(places.get(4))).isNotIn(ones, halves);
        assertThat(server(places.get(5))).isEqualTo(halves);
    }

    @Test
    void random_draws_evenly_from_the_servers_with_room() {
        Topology topology = PodCluster.cluster(
                PodCluster.server(1, 1), PodCluster.server(1, 8), PodCluster.server(1, 8), PodCluster.server(1, 8));
        int[] drawn = new int[topology.servers()];
        for (long seed = 0; seed < 600; seed++) {
            drawn[
                    server(PodCluster.places(topology, policy("random", topology, null, seed), PodCluster.gpus(1, 2))
                            .get(0))]++;
        }

        assertThat(drawn[0]).isZero();
        assertThat(IntStream.range(1, 4).map(server -> drawn[server])).allMatch(count -> count > 150 && count < 250);
    }

    @Test
    void a_job_that_may_be_spread_is_spread_when_no_server_has_room() {
        Topology topology = PodCluster.cluster(PodCluster.server(2, 8), PodCluster.server(2, 8));
        for (String name : PlacementPolicies.names()) {
            assertThat(places(name, topology, Demand.ofGpus(3), TWO))
                    .as(name)
                    .containsExactly(gpus(topology, 0, 1, 2), null);
        }
    }

    /** Whatever fits somewhere is placed, where it fits; the simulator's audit checks the rest. */
    @ForSeeds
    void what_fits_is_placed_and_alike_for_equal_seeds(long seed) {
        Topology topology = PodCluster.cluster(
                PodCluster.server(1, 4), PodCluster.server(2, 8), PodCluster.server(4, 8), PodCluster.server(0, 16));
        Demand[] demands = demands(seed, 60);
        for (String name : PlacementPolicies.names()) {
            List<@Nullable Placement> places =
                    PodCluster.places(topology, new Checked(policy(name, topology, null, seed)), demands);
            assertThat(places)
                    .as(name)
                    .isEqualTo(PodCluster.places(topology, policy(name, topology, null, seed), demands))
                    .containsNull();
        }
    }

    /** Refuses to be refused while some server has room. */
    private record Checked(Placer placer) implements Placer {
        @Override
        public @Nullable Placement place(SimView view, JobSpec job) {
            Placement where = placer.place(view, job);
            boolean fits = IntStream.range(0, view.topology().servers())
                    .anyMatch(server -> view.cluster().room(job.demand(), server) >= Math.max(1, job.gpus()));
            assertThat(where != null).isEqualTo(fits);
            return where;
        }
    }

    private static Demand[] demands(long seed, int count) {
        RandomGenerator random = RandomStreams.stream(seed, "demands");
        Demand[] demands = new Demand[count];
        for (int i = 0; i < count; i++) {
            int cores = random.nextInt(3);
            demands[i] = switch (random.nextInt(4)) {
                case 0 -> PodCluster.host(1 + cores);
                case 1 -> PodCluster.gpus(1 + random.nextInt(2), cores);
                default -> PodCluster.part(100 * (1 + random.nextInt(9)), cores);
            };
        }
        return demands;
    }

    /** One that has seen everything decides as one that sees the cluster for the first time, when jobs leave too. */
    @ForSeeds
    void fgd_remembers_nothing_that_is_no_longer_true(long seed) {
        Topology topology =
                PodCluster.cluster(PodCluster.server(2, 8), PodCluster.server(4, 8), PodCluster.server(4, 16));
        List<Demand> demands = List.of(demands(seed, 80));
        TargetWorkload target = TargetWorkload.of(demands);
        Workload workload = PodCluster.workload(demands);
        Simulator simulator = PodCluster.simulator(topology, workload);
        SimView view = simulator.view();
        Placer old = policy("fgd", topology, target, seed);
        Fragmentation kept = new Fragmentation(topology, target);
        List<Integer> running = new ArrayList<>();
        RandomGenerator random = RandomStreams.stream(seed, "leaving");
        while (view.arrived() < workload.size()) {
            simulator.advance();
            int job = view.arrived() - 1;
            if (!running.isEmpty() && random.nextInt(3) == 0) {
                simulator.apply(new Decision.Preempt(running.remove(random.nextInt(running.size()))));
            }
            Placement where = old.place(view, view.job(job));
            assertThat(where).isEqualTo(policy("fgd", topology, target, seed).place(view, view.job(job)));
            if (where != null) {
                simulator.apply(new Decision.Start(job, where));
                running.add(job);
            }
            assertThat(kept.allMilli(view)).isEqualTo(new Fragmentation(topology, target).allMilli(view));
            simulator.apply(Decision.WAIT);
        }
    }

    /**
     * Once a two and a half have come, a half takes 250 away on server 0 (56 points) and makes 750 on server 1 (32).
     */
    @ForSeeds
    void fgd_learns_what_is_wanted_from_the_jobs_that_come(long seed) {
        Topology topology = PodCluster.cluster(PodCluster.server(1, 8), PodCluster.server(4, 8));

        assertThat(PodCluster.places(topology, policy("fgd", topology, null, seed), TWO, HALF))
                .containsExactly(gpus(topology, 1, 2), gpus(topology, 0));
    }

    @Test
    void one_try_turns_away_for_good() {
        Topology topology = PodCluster.cluster(PodCluster.server(1, 8));
        Workload workload = PodCluster.workload(List.of(ONE, HALF, HALF));
        Simulator simulator = PodCluster.simulator(topology, workload);
        AdmitOnArrival scheduler = new AdmitOnArrival(new FirstFit());
        simulator.advance();
        simulator.apply(scheduler.decide(simulator.view()));
        simulator.apply(scheduler.decide(simulator.view()));
        simulator.advance();
        assertThat(scheduler.decide(simulator.view())).isEqualTo(Decision.WAIT);
        simulator.apply(new Decision.Preempt(0));
        simulator.apply(Decision.WAIT);
        simulator.advance();

        // Job 1 would fit now, but has had its try.
        assertThat(scheduler.decide(simulator.view())).isEqualTo(new Decision.Start(2, Placement.of(topology, 0)));
    }
}
