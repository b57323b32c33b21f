package org.trainyard.env.scheduling.gang;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.gym.RandomPlay;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.scheduling.order.ResidualTimeFloor;
import org.trainyard.env.scheduling.placement.InterferenceCost;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.Workload;

/** Every state of episodes of random actions on clusters small enough to try everything. */
class GangCandidatesTest {
    private static final int ALL = 1_000;
    private static final ServerSpec SLOW = new ServerSpec(GpuType.V100, 2, 4, false);
    private static final ServerSpec FAST = new ServerSpec(GpuType.A100, 2, 4, true);
    private static final ServerSpec SMALL = new ServerSpec(GpuType.V100, 1, 2, false);

    /** Racks of one kind, of two speeds and of two sizes. */
    private static Topology mixed() {
        return new Topology.Builder("mixed", Fabric.DEFAULT)
                .rack(List.of(SLOW, SLOW, FAST))
                .rack(List.of(FAST, SLOW, FAST, SLOW))
                .rack(List.of(SMALL, SLOW, SMALL))
                .racksPerPod(2)
                .build();
    }

    private static Topology uniform() {
        return Objects.requireNonNull(Topologies.parse("3x3x4"));
    }

    private record Candidate(List<Integer> servers, List<Integer> gpus, double cost) {}

    private static List<Candidate> all(GangCandidates sets, int found) {
        List<Candidate> all = new ArrayList<>();
        for (int set = 0; set < found; set++) {
            List<Integer> servers = new ArrayList<>();
            List<Integer> gpus = new ArrayList<>();
            for (int i = 0; i < sets.servers(set); i++) {
                servers.add(sets.server(set, i));
                gpus.add(sets.gpusOn(set, i));
            }
            all.add(new Candidate(servers, gpus, sets.cost(set)));
        }
        return all;
    }

    private interface Check {
        void at(SimView view, int job, GangCandidates sets, int found);
    }

    /** Calls the check for every waiting job after every step of three episodes on each cluster; returns how often. */
    private static int everywhere(int most, Check check) {
        int[] calls = {0};
        for (Topology topology : List.of(uniform(), mixed())) {
            for (long seed = 1; seed <= 3; seed++) {
                GangCandidates sets = new GangCandidates(topology, AnalyticInterference.DEFAULT, most);
                RandomPlay.play(seed, topology, view -> {
                    for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
                        check.at(view, job, sets, sets.find(view, job));
                        calls[0]++;
                    }
                });
            }
        }
        return calls[0];
    }

    private static boolean isEmpty(SimView view, int server) {
        return view.cluster().freeOn(server) == view.topology().gpusOn(server);
    }

    @Test
    void every_set_is_a_placement_of_the_whole_gang_on_free_gpus() {
        int[] wide = {0};
        int calls = everywhere(6, (view, job, sets, found) -> {
            PlacementBuilder builder = new PlacementBuilder(view.topology(), view.cluster());
            int gpus = view.job(job).gpus();
            assertThat(found > 0).isEqualTo(gpus <= view.cluster().free());
            for (int set = 0; set < found; set++) {
                Placement placement = sets.placement(set, builder);
                assertThat(placement.gpuCount()).isEqualTo(gpus);
                assertThat(placement.serverCount()).isEqualTo(sets.servers(set));
                for (int i = 0; i < gpus; i++) {
                    assertThat(view.cluster().owner(placement.gpu(i)))
                            .isNegative()
                            .isEqualTo(-1);
                }
                wide[0] += sets.servers(set) > 1 ? 1 : 0;
            }
            assertThat(builder.count()).isZero();
        });

        assertThat(calls).isGreaterThan(1_000);
        assertThat(wide[0]).isGreaterThan(500);
    }

    @Test
    void a_gang_within_a_server_may_start_on_every_server_with_room_or_its_equal() {
        everywhere(ALL, (view, job, sets, found) -> {
            int gpus = view.job(job).gpus();
            List<Candidate> all = all(sets, found);
            for (int server = 0; server < view.topology().servers(); server++) {
                if (gpus <= view.cluster().freeOn(server)) {
                    int with = server;
                    assertThat(all)
                            .anyMatch(set -> set.servers().size() == 1
                                    && (set.servers().get(0) == with
                                            || areEqual(view, set.servers().get(0), with)));
                }
            }
        });
    }

    private static boolean areEqual(SimView view, int a, int b) {
        Topology topology = view.topology();
        return isEmpty(view, a)
                && isEmpty(view, b)
                && topology.rackOf(a) == topology.rackOf(b)
                && topology.server(a).equals(topology.server(b));
    }

    /**
     * All sets of empty widest servers and one more server for the remainder, by trying all subsets of so few servers.
     */
    private static List<Set<Integer>> tightSets(SimView view, int gpus) {
        Topology topology = view.topology();
        int widest = topology.widestServer();
        List<Set<Integer>> tight = new ArrayList<>();
        for (int subset = 1; subset < 1 << topology.servers(); subset++) {
            if (Integer.bitCount(subset) != (gpus + widest - 1) / widest) {
                continue;
            }
            int whole = 0;
            int room = 0;
            Set<Integer> servers = new HashSet<>();
            for (int server = 0; server < topology.servers(); server++) {
                if ((subset & 1 << server) != 0) {
                    servers.add(server);
                    whole += view.cluster().freeOn(server) == widest ? 1 : 0;
                    room += view.cluster().freeOn(server);
                }
            }
            if (whole >= gpus / widest && room >= gpus) {
                tight.add(servers);
            }
        }
        return tight;
    }

    private static int racks(SimView view, Set<Integer> servers) {
        return (int) servers.stream().map(view.topology()::rackOf).distinct().count();
    }

    @Test
    void a_wide_gang_starts_in_one_rack_where_one_has_room_else_in_two_and_with_every_server_for_the_remainder() {
        int[] calls = new int[4];
        everywhere(ALL, (view, job, sets, found) -> {
            int gpus = view.job(job).gpus();
            int widest = view.topology().widestServer();
            if (gpus <= widest || found == 0) {
                return;
            }
            List<Set<Integer>> tight = tightSets(view, gpus);
            int racks = Math.min(
                    3, tight.stream().mapToInt(set -> racks(view, set)).min().orElse(3));
            calls[racks]++;
            if (racks == 3) {
                assertThat(found).isEqualTo(1);
                return;
            }
            Set<Integer> remainders = new HashSet<>();
            for (Candidate set : all(sets, found)) {
                assertThat(racks(view, new HashSet<>(set.servers()))).isEqualTo(racks);
                assertThat(set.servers()).hasSize((gpus + widest - 1) / widest);
                remainders.add(set.servers().get(set.servers().size() - 1));
            }
            for (Set<Integer> set : tight) {
                for (int server : set) {
                    boolean isForRemainder = gpus % widest > 0 && !isEmpty(view, server) && racks(view, set) == racks;
                    assertThat(isForRemainder && !remainders.contains(server))
                            .as("%d GPUs without %d", gpus, server)
                            .isFalse();
                }
            }
        });

        assertThat(calls[1]).isGreaterThan(50);
        assertThat(calls[2]).isGreaterThan(50);
    }

    @Test
    void
            sets_are_different_and_in_order_of_a_cost_that_counts_speed_slowdown_and_harm_and_fewer_are_the_first_of_more() {
        everywhere(ALL, (view, job, sets, found) -> {
            InterferenceCost costs =
                    new InterferenceCost(view.topology(), AnalyticInterference.DEFAULT, ResidualTimeFloor::seconds);
            List<Candidate> all = all(sets, found);
            Set<List<Integer>> seen = new HashSet<>();
            double before = 0;
            for (int set = 0; set < found; set++) {
                double slowest = 1;
                double harm = 0;
                double leftover = 0;
                for (int i = 0; i < sets.servers(set); i++) {
                    int server = sets.server(set, i);
                    costs.predict(view, job, server, sets.gpusOn(set, i), sets.servers(set) > 1);
                    slowest = Math.max(slowest, costs.own());
                    harm += costs.harm();
                    leftover += (double) (view.cluster().freeOn(server) - sets.gpusOn(set, i))
                            / view.topology().gpusOn(server);
                }
                assertThat(sets.own(set)).isEqualTo(slowest).isGreaterThanOrEqualTo(1 / sets.speedOf(set));
                assertThat(sets.harm(set)).isEqualTo(harm);
                assertThat(sets.cost(set)).isEqualTo(slowest - 1 + harm + leftover / 16);
                assertThat(sets.cost(set)).isGreaterThanOrEqualTo(before);
                before = sets.cost(set);
                List<Integer> sorted = all.get(set).servers().stream().sorted().toList();
                assertThat(gangIsNew(seen, sorted, all.get(set))).isTrue();
            }
            GangCandidates few = new GangCandidates(view.topology(), AnalyticInterference.DEFAULT, 3);
            int kept = few.find(view, job);
            assertThat(all(few, kept)).isEqualTo(all.subList(0, Math.min(3, found)));
        });
    }

    private static boolean gangIsNew(Set<List<Integer>> seen, List<Integer> sorted, Candidate set) {
        List<Integer> key = new ArrayList<>(sorted);
        key.add(set.gpus().get(set.gpus().size() - 1));
        key.add(set.servers().get(set.servers().size() - 1));
        return seen.add(key);
    }

    @Test
    void a_kept_index_finds_the_same_as_a_new_one() {
        everywhere(4, (view, job, sets, found) -> {
            GangCandidates anew = new GangCandidates(view.topology(), AnalyticInterference.DEFAULT, 4);
            assertThat(all(anew, anew.find(view, job))).isEqualTo(all(sets, found));
        });
    }

    @Test
    void on_an_idle_cluster_gangs_go_to_the_fastest_gpus() {
        Topology topology = mixed();
        GangCandidates sets = new GangCandidates(topology, AnalyticInterference.DEFAULT, 8);
        int[] asked = {0};
        RandomPlay.play(5, topology, view -> {
            int job = view.firstWaiting();
            if (job != SimView.NONE && view.runningCount() == 0 && view.job(job).gpus() <= 8) {
                asked[0]++;
                sets.find(view, job);
                assertThat(sets.speedOf(0)).isEqualTo(1);
                assertThat(sets.isConsolidated(0)).isTrue();
            }
        });
        assertThat(asked[0]).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"3x3x4", "2x4x8"})
    void a_set_is_consolidated_on_the_fewest_servers_of_the_fewest_racks(String cluster) {
        Topology topology = Objects.requireNonNull(Topologies.parse(cluster));
        int perServer = topology.widestServer();
        int perRack = perServer * topology.serversIn(0);
        GangCandidates sets = new GangCandidates(topology, AnalyticInterference.DEFAULT, 8);
        RandomPlay.play(2, topology, view -> {
            for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
                int gpus = view.job(job).gpus();
                int found = sets.find(view, job);
                for (int set = 0; set < found; set++) {
                    boolean isNarrow = sets.servers(set) == (gpus + perServer - 1) / perServer;
                    assertThat(sets.isOnFewest(set)).isEqualTo(isNarrow);
                    assertThat(sets.isConsolidated(set))
                            .isEqualTo(isNarrow && sets.racks(set) == (gpus + perRack - 1) / perRack);
                }
            }
        });
    }

    /** Equal empty servers of many racks do not take the places of the servers in use. */
    @ParameterizedTest
    @CsvSource({"4x4x8, 4, 4", "8x4x8, 8, 0", "9x4x8, 4, 4", "64x4x8, 4, 4"})
    void half_of_the_sets_are_on_servers_in_use_of_more_than_eight_racks(String cluster, int empty, int used) {
        Topology topology = Objects.requireNonNull(Topologies.parse(cluster));
        List<JobSpec> jobs = new ArrayList<>();
        for (int job = 0; job < 5; job++) {
            jobs.add(new JobSpec(
                    job, "job" + job, 0, 1, RandomWorkloads.model(RandomStreams.stream(1, "test/model")), 1));
        }
        Workload workload = new Workload(jobs, new double[] {100, 100, 100, 100, 100});
        Simulator simulator =
                new World(topology, new RatedPerformance(), new Simulator.Options(0, true)).simulator(workload);
        simulator.advance();
        for (int job = 0; job < 4; job++) {
            simulator.start(job, Placement.of(topology, topology.firstGpu(topology.firstServer(job))));
        }
        GangCandidates sets = new GangCandidates(topology, AnalyticInterference.DEFAULT, 8);

        int[] found = new int[2];
        for (int set = sets.find(simulator.view(), 4) - 1; set >= 0; set--) {
            found[isEmpty(simulator.view(), sets.server(set, 0)) ? 0 : 1]++;
        }

        assertThat(found).containsExactly(empty, used);
    }

    @Test
    void finding_sets_allocates_nothing_once_everything_was_predicted() {
        Topology topology = Topologies.medium();
        GangCandidates sets = new GangCandidates(topology, AnalyticInterference.DEFAULT, 8);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int[] counts = new int[2];
        RandomPlay.play(4, topology, view -> {
            int job = view.firstWaiting();
            if (job != SimView.NONE) {
                sets.find(view, job);
                long before = threads.getCurrentThreadAllocatedBytes();
                sets.find(view, job);
                counts[0] += threads.getCurrentThreadAllocatedBytes() > before ? 1 : 0;
                counts[1]++;
            }
        });
        assertThat(counts[1]).isGreaterThan(100);
        assertThat(counts[0])
                .as("of %d, where the first may load classes", counts[1])
                .isLessThanOrEqualTo(1);
    }

    /**
     * Three servers are needed of two racks with two empty ones each: one too many, so two of either and one of the
     * other.
     */
    @Test
    void two_racks_with_one_server_too_many_are_tried_both_ways() {
        Topology topology = Objects.requireNonNull(Topologies.parse("2x2x4"));
        JobSpec job = new JobSpec(0, "job", 0, 12, RandomWorkloads.model(RandomStreams.stream(1, "test/model")), 1);
        Workload workload = new Workload(List.of(job), new double[] {100});
        Simulator simulator =
                new World(topology, new RatedPerformance(), new Simulator.Options(0, true)).simulator(workload);
        simulator.advance();
        GangCandidates sets = new GangCandidates(topology, AnalyticInterference.DEFAULT, ALL);

        List<Candidate> found = all(sets, sets.find(simulator.view(), 0));

        assertThat(found)
                .extracting(candidate -> new TreeSet<>(candidate.servers()))
                .containsExactlyInAnyOrder(new TreeSet<>(List.of(0, 1, 2)), new TreeSet<>(List.of(0, 2, 3)));
    }

    /** A gang of two finds one free GPU on either server, next to jobs for parts of the others. */
    @Test
    void a_scattered_gang_that_nobody_priced_leaves_the_next_search_as_it_is() {
        Topology topology = Topology.uniform(
                "shared", Fabric.DEFAULT, 1, 2, ServerSpec.ofV100(2).with(GpuSharing.FRACTIONS), 1);
        List<JobSpec> jobs = new ArrayList<>();
        Demand part = Demand.ofGpus(1).withGpuMilli(400);
        for (Demand demand : List.of(part, part, Demand.ofGpus(2), part)) {
            jobs.add(new JobSpec(
                    jobs.size(),
                    "job" + jobs.size(),
                    0,
                    demand,
                    RandomWorkloads.model(RandomStreams.stream(jobs.size(), "test/model")),
                    1));
        }
        Workload workload = new Workload(jobs, new double[] {100, 200, 100, 100});
        Simulator simulator =
                new World(topology, new RatedPerformance(), new Simulator.Options(0, true)).simulator(workload);
        simulator.advance();
        simulator.apply(new Decision.Start(0, Placement.of(topology, 0)));
        simulator.apply(new Decision.Start(1, Placement.of(topology, 2)));
        GangCandidates fresh = new GangCandidates(topology, AnalyticInterference.DEFAULT, ALL);
        List<Candidate> alone = all(fresh, fresh.find(simulator.view(), 3));
        GangCandidates sets = new GangCandidates(topology, AnalyticInterference.DEFAULT, ALL);

        assertThat(sets.find(simulator.view(), 2)).isEqualTo(1);
        assertThat(sets.servers(0)).isEqualTo(2);
        List<Candidate> afterGang = all(sets, sets.find(simulator.view(), 3));

        assertThat(afterGang).hasSizeGreaterThan(1).isEqualTo(alone);
    }
}
