package org.trainyard.env.gym.auction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.agents.learned.LearnedWorlds;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.gym.RandomPlay;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.scheduling.order.ResidualTimeFloor;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.LiveCluster;
import org.trainyard.env.simulation.Outage;
import org.trainyard.env.simulation.Outages;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.Workload;

/** Rows of servers, racks and the core, and counts of the cluster, against sums over all jobs of every state. */
class ClusterRowsByHandTest {
    private static final Topology TOPOLOGY = LearnedWorlds.twoTypes();
    private static final List<List<Integer>> NODES = List.of(
            List.of(0),
            List.of(1),
            List.of(2),
            List.of(3),
            List.of(4),
            List.of(0, 1),
            List.of(2, 3),
            List.of(4),
            List.of(0, 1, 2, 3, 4));

    private static List<Integer> running(SimView view, int server) {
        return IntStream.range(0, view.cluster().jobsOn(server))
                .mapToObj(n -> view.cluster().jobOn(server, n))
                .toList();
    }

    private static List<Placement> placements(SimView view) {
        List<Placement> all = new ArrayList<>();
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            all.add(view.placement(job));
        }
        return all;
    }

    private static boolean isAcross(Placement place) {
        return IntStream.range(0, place.serverCount())
                        .map(i -> TOPOLOGY.rackOf(place.server(i)))
                        .distinct()
                        .count()
                > 1;
    }

    private static boolean touches(Placement place, List<Integer> servers) {
        return servers.stream().anyMatch(server -> place.indexOf(server) >= 0);
    }

    private static double sum(List<Integer> servers, ToDoubleFunction<Integer> of) {
        return servers.stream().mapToDouble(of).sum();
    }

    private static double time(double seconds) {
        return (float) (Math.log1p(seconds / 60) / 10);
    }

    private static double rounded(double scaled) {
        return Math.round(scaled * 32) / 32.0;
    }

    /** The quantities of a node but its bandwidth. */
    private static Map<NodeColumn, Double> row(SimView view, int node) {
        List<Integer> servers = NODES.get(node);
        boolean isServer = node < 5;
        boolean isCore = node == 8;
        double gpus = sum(servers, TOPOLOGY::gpusOn);
        double free = sum(servers, view.cluster()::freeOn);
        double down = sum(servers, view.cluster()::downOn);
        double jobs = isCore ? view.runningCount() : sum(servers, view.cluster()::jobsOn);
        long rings = placements(view).stream()
                .filter(place -> isServer ? place.serverCount() > 1 : isAcross(place))
                .filter(place -> touches(place, servers))
                .count();
        double[] pressure = new double[3];
        double[] sensitivity = new double[3];
        double first = Double.POSITIVE_INFINITY;
        double last = 0;
        double ends = 0;
        double soon = free;
        for (int server : servers) {
            double[] most = new double[3];
            for (int job : running(view, server)) {
                Placement place = view.placement(job);
                int gang = place.serverCount() > 1 ? 1 : 0;
                var load = view.job(job).model().pressure();
                var harm = view.job(job).model().sensitivity();
                double[] loads = {load.socket(), load.pcie(), gang * load.nic()};
                double[] harms = {harm.socket(), harm.pcie(), gang * harm.nic()};
                for (int r = 0; r < 3; r++) {
                    pressure[r] += loads[r] / servers.size();
                    most[r] = Math.max(most[r], harms[r]);
                }
                double seconds = ResidualTimeFloor.seconds(view, job);
                int here = place.gpusOn(place.indexOf(server));
                first = Math.min(first, time(seconds));
                last = Math.max(last, time(seconds));
                ends += here * time(seconds);
                soon += seconds < 3600 ? here : 0;
            }
            for (int r = 0; r < 3; r++) {
                sensitivity[r] += most[r] / servers.size();
            }
        }
        double waitingGpus = 0;
        for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
            waitingGpus += view.job(job).gpus();
        }
        boolean isBusy = jobs > 0;
        Map<NodeColumn, Double> row = new EnumMap<>(NodeColumn.class);
        row.put(NodeColumn.IN_ORDER, (gpus - down) / gpus);
        row.put(NodeColumn.GPUS, Math.log(gpus) / Math.log(2) / 10);
        row.put(NodeColumn.FREE, free / gpus);
        row.put(
                NodeColumn.EMPTY,
                sum(servers, s -> view.cluster().freeOn(s) == TOPOLOGY.gpusOn(s) ? 1 : 0) / servers.size());
        double slow = GpuType.V100.speed() / GpuType.A100.speed();
        row.put(NodeColumn.SPEED, sum(servers, s -> TOPOLOGY.gpusOn(s) * (TOPOLOGY.gpusOn(s) == 4 ? slow : 1)) / gpus);
        row.put(NodeColumn.JOBS, Math.log1p(jobs) / 5);
        row.put(NodeColumn.RINGS, Math.log1p(rings) / 3);
        row.put(NodeColumn.PRESSURE_SOCKET, pressure[0] / 4);
        row.put(NodeColumn.PRESSURE_PCIE, pressure[1] / 4);
        row.put(NodeColumn.PRESSURE_NIC, pressure[2] / 4);
        row.put(NodeColumn.SENSITIVITY_SOCKET, sensitivity[0]);
        row.put(NodeColumn.SENSITIVITY_PCIE, sensitivity[1]);
        row.put(NodeColumn.SENSITIVITY_NIC, sensitivity[2]);
        row.put(NodeColumn.FIRST_END, isBusy ? rounded(first) : 0);
        row.put(NodeColumn.MEAN_END, isBusy ? rounded(ends / (gpus - down - free)) : 0);
        row.put(NodeColumn.LAST_END, rounded(last));
        row.put(NodeColumn.FREE_IN_AN_HOUR, soon / gpus);
        row.put(NodeColumn.WAITING, isCore ? Math.log1p(view.waitingCount()) / 5 : 0);
        row.put(NodeColumn.WAITING_GPUS, isCore ? Math.min(2, waitingGpus / 28 / 4) : 0);
        return row;
    }

    private static void compare(SimView view, ClusterSummary summary) {
        List<Placement> places = placements(view);
        for (int server = 0; server < 5; server++) {
            int here = server;
            assertThat(summary.gangsOnServer(server)).isEqualTo((int) places.stream()
                    .filter(place -> place.serverCount() > 1 && place.indexOf(here) >= 0)
                    .count());
        }
        for (int rack = 0; rack < 3; rack++) {
            List<Integer> servers = NODES.get(5 + rack);
            assertThat(summary.gangsOnUplink(rack)).isEqualTo((int) places.stream()
                    .filter(place -> isAcross(place) && touches(place, servers))
                    .count());
            assertThat(summary.gpusIn(rack)).isEqualTo((int) sum(servers, TOPOLOGY::gpusOn));
        }
        int[] held = new int[3];
        long highest = 0;
        for (int job = 0; job < view.arrived(); job++) {
            held[job % 3] += switch (view.state(job)) {
                case RUNNING -> view.job(job).gpus();
                case WAITING, FUTURE, DONE, HELD -> 0;
            };
            highest = Math.max(highest, job % 3 == 2 ? 0 : 100 + job);
        }
        assertThat(List.of(summary.heldBy("a0"), summary.heldBy("a1"), summary.heldBy(null)))
                .containsExactly(held[0], held[1], 0);
        assertThat(summary.priority(50L)).isEqualTo(50.0 / Math.max(50, highest));
        assertThat(summary.priority(10_000L)).isEqualTo(1);
        assertThat(summary.priority(null) + summary.priority(0L) + summary.priority(-5L))
                .isZero();
        assertThat(summary.empty()).isEqualTo((int) IntStream.range(0, 5)
                .filter(s -> view.cluster().freeOn(s) == TOPOLOGY.gpusOn(s))
                .count());
        assertThat(summary.largestHole())
                .isEqualTo(IntStream.range(0, 5)
                        .mapToDouble(s -> (double) view.cluster().freeOn(s) / TOPOLOGY.gpusOn(s))
                        .max()
                        .orElseThrow());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void rows_and_counts_are_sums_over_the_jobs_there(long seed) {
        Workload plain = RandomWorkloads.ofFewModels(seed, 60, TOPOLOGY.gpus());
        Workload workload = new Workload(
                IntStream.range(0, 60)
                        .mapToObj(job -> job % 3 == 2
                                ? plain.job(job)
                                : plain.job(job)
                                        .saying(SubmissionTerms.NONE
                                                .but()
                                                .account("a" + job % 3)
                                                .priority(100L + job)
                                                .build()))
                        .toList(),
                IntStream.range(0, 60).mapToDouble(plain::trueIterations).toArray());
        List<Outages.Recorded.Entry> failures = IntStream.of(0, 7, 12)
                .mapToObj(unit ->
                        new Outages.Recorded.Entry(unit, new Outage(3_000_000_000_000L, 9_000_000_000_000L + unit)))
                .toList();
        Simulator simulator = new World(
                        TOPOLOGY,
                        new RatedPerformance(),
                        new Simulator.Options(0, true).with(new Outages.Recorded(failures), 0))
                .simulator(workload);
        ClusterSummary summary = new ClusterSummary(TOPOLOGY);
        ClusterGraph graph = new ClusterGraph(TOPOLOGY);
        RandomPlay.play(seed, simulator, 0.2, view -> {
            summary.update(view);
            graph.update(view, summary);
            compare(view, summary);
            for (int node = 0; node < 9; node++) {
                int at = node * NodeColumn.COUNT;
                int index = node;
                row(view, node)
                        .forEach((column, expected) -> assertThat((double) graph.rows()[at + column.index()])
                                .as("%s of node %d", column, index)
                                .isCloseTo(expected, within(1e-5)));
            }
        });
    }

    @Test
    void everything_is_counted_anew_when_a_start_is_taken_back() {
        LiveCluster live = new LiveCluster(new World(TOPOLOGY, new RatedPerformance(), new Simulator.Options(0, true)));
        Workload drawn = RandomWorkloads.of(1, 3, 1);
        for (int job = 0; job < 3; job++) {
            SubmissionTerms terms = SubmissionTerms.NONE
                    .but()
                    .account(List.of("a", "b", "b").get(job))
                    .build();
            live.moveTo(drawn.job(job).submitNanos());
            live.arrive(drawn.job(job).demanding(Demand.ofGpus(4)).saying(terms), 100);
        }
        live.start(0, Placement.of(TOPOLOGY, 2, 3, 4, 5));
        ClusterSummary summary = new ClusterSummary(TOPOLOGY);
        summary.update(live.view());
        live.suppose(List.of(new Decision.Start(1, Placement.of(TOPOLOGY, 10, 11, 12, 13))), () -> {
            summary.update(live.view());
            assertThat(summary.heldBy("b")).isEqualTo(4);
            assertThat(summary.waitingGpus()).isEqualTo(4);
            assertThat(summary.gangsAcrossRacks()).isOne();
        });
        summary.update(live.view());

        assertThat(summary.heldBy("a")).isEqualTo(4);
        assertThat(summary.heldBy("b")).isZero();
        assertThat(summary.waitingGpus()).isEqualTo(8);
        assertThat(IntStream.range(0, 5).map(summary::gangsOnServer)).containsExactly(1, 1, 0, 0, 0);
        assertThat(IntStream.range(0, 3).map(summary::gangsOnUplink)).containsExactly(0, 0, 0);
        assertThat(summary.gangsAcrossRacks()).isZero();
    }

    @Test
    void a_scale_is_its_formula() {
        Map<ColumnScale, double[]> values = Map.of(
                ColumnScale.over(4).atMost(2),
                new double[] {1, 0.25, 9, 2},
                ColumnScale.log(2),
                new double[] {1, 0, Math.E, 0.5},
                ColumnScale.logOfMore(10),
                new double[] {0, 0, Math.E - 1, 0.1},
                ColumnScale.log2(10),
                new double[] {8, 0.3, 1, 0},
                ColumnScale.EXCESS,
                new double[] {1.5, 0.5, 4, 2},
                ColumnScale.over(2).within(1),
                new double[] {-4, -1, 3, 1},
                ColumnScale.SAME.atLeast(3),
                new double[] {2, 3, 5, 5});
        values.forEach((scale, pairs) -> {
            assertThat(scale.value(pairs[0])).isCloseTo(pairs[1], within(1e-12));
            assertThat(scale.value(pairs[2])).isCloseTo(pairs[3], within(1e-12));
        });
        assertThat(values.keySet())
                .extracting(ColumnScale::formula)
                .containsExactlyInAnyOrder(
                        "min(x / 4, 2)",
                        "log(x) / 2",
                        "log(1 + x) / 10",
                        "log2(x) / 10",
                        "min(x - 1, 2)",
                        "x / 2, within -1..1",
                        "max(x, 3)");
        AuctionScorer scorer = auction -> new float[] {9, 1, 3, 3, 2};
        Auction auction = new Auction();
        for (int bid = 0; bid < 5; bid++) {
            auction.add(BidKind.START, 0, bid);
        }
        assertThat(List.of(scorer.offer(auction, 0), scorer.offer(auction, 1), scorer.offer(auction, 4)))
                .containsExactly(new Offer(0, 9), new Offer(2, 3), new Offer(4, 2));
    }
}
