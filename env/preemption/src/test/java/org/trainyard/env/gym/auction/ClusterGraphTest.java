package org.trainyard.env.gym.auction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Interiors;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Workload;

class ClusterGraphTest {
    private static final int COLUMNS = NodeColumn.COUNT;

    private static Simulator simulator(Topology topology, Workload workload) {
        return new World(
                        topology,
                        new RingPerformance(topology, AnalyticInterference.DEFAULT),
                        new Simulator.Options(30_000_000_000L, true))
                .simulator(workload);
    }

    private static Auctioneer auctioneer(SimView view) {
        return new Auctioneer(
                view,
                new AuctionSettings(RemainingTime.GITTINS, 6, 5, 2, true, true),
                Domains.racks(view.topology()),
                AnalyticInterference.DEFAULT);
    }

    private static Topology topology(String name) {
        return Objects.requireNonNull(Topologies.parse(name));
    }

    private static float value(ClusterGraph graph, int node, NodeColumn column) {
        return graph.rows()[node * COLUMNS + column.index()];
    }

    /** The rows that a graph made now has. */
    private static float[] anew(SimView view) {
        ClusterSummary summary = new ClusterSummary(view.topology());
        summary.update(view);
        ClusterGraph graph = new ClusterGraph(view.topology());
        graph.update(view, summary);
        return graph.rows();
    }

    @ParameterizedTest
    @ValueSource(strings = {"small", "1x2x4", "leaf-spine:2x2x2x4@2", "fat-tree:4x4"})
    void racks_and_bandwidths_are_those_of_the_topology_s_graph(String name) {
        Topology topology = topology(name);
        float[] rows = anew(
                simulator(topology, RandomWorkloads.of(3, 1, topology.gpus())).view());
        int[] rackOf = new ClusterGraph(topology).rackOf();
        double widest = topology.nic(0).bytesPerSecond() / topology.gpusOn(0);

        for (int server = 0; server < topology.servers(); server++) {
            assertThat(rackOf[server]).isEqualTo(topology.rackOf(server));
            assertThat(rows[server * COLUMNS + NodeColumn.BANDWIDTH.index()]).isEqualTo(1);
        }
        for (int rack = 0; rack < topology.racks(); rack++) {
            int gpus = topology.serversIn(rack) * topology.gpusOn(0);
            double uplinks = topology.links().bytesPerSecond(topology.links().rackLink(rack));
            assertThat(rows[(topology.servers() + rack) * COLUMNS + NodeColumn.BANDWIDTH.index()])
                    .isEqualTo((float) Math.min(1, uplinks / gpus / widest));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"small", "medium", "leaf-spine:2x2x2x4@2", "fat-tree:4x4"})
    void rows_are_those_of_the_state_whatever_came_before_and_versions_tell_which_changed(String name) {
        Topology topology = topology(name);
        RandomGenerator random = RandomStreams.stream(3, "test/graph");
        Simulator simulator = simulator(topology, RandomWorkloads.of(3, 40, topology.gpus()));
        Auctioneer auctioneer = auctioneer(simulator.view());
        ClusterGraph graph = auctioneer.graph();
        float[] before = new float[graph.rows().length];
        int[] versions = new int[graph.nodes()];
        int same = 0;
        int changed = 0;
        while (simulator.advance()) {
            boolean isOver = false;
            while (!isOver) {
                auctioneer.startBeneficiary(simulator);
                Auction auction = auctioneer.open();
                checkServers(auction);
                assertThat(graph.rows()).isEqualTo(anew(simulator.view()));
                for (int node = 0; node < graph.nodes(); node++) {
                    boolean isEqual = Arrays.equals(
                            before,
                            node * COLUMNS,
                            (node + 1) * COLUMNS,
                            graph.rows(),
                            node * COLUMNS,
                            (node + 1) * COLUMNS);
                    assertThat(graph.versions()[node] == versions[node])
                            .as("node %d", node)
                            .isEqualTo(isEqual);
                    same += isEqual ? 1 : 0;
                    changed += isEqual ? 0 : 1;
                }
                before = graph.rows().clone();
                versions = graph.versions().clone();
                int bid = random.nextInt(auctioneer.mayWait() ? 0 : 1, auction.size());
                Decision wait = auctioneer.win(bid, simulator);
                isOver = wait != null;
                if (wait != null) {
                    simulator.apply(wait);
                }
            }
        }
        assertThat(simulator.isDone()).isTrue();
        assertThat(same).as("rows that were kept").isGreaterThan(changed / 2);
        auctioneer.open();
        for (int server = 0; server < topology.servers(); server++) {
            assertThat(value(graph, server, NodeColumn.FREE)).isEqualTo(1);
        }
    }

    /** Whoever wins starts on the GPUs that its bid named, and leaves those free that it named. */
    @Test
    void bids_name_the_gpus_that_their_winners_take_and_leave() {
        ServerSpec plain = new ServerSpec(GpuType.V100, 2, 8, false);
        Topology topology = new Topology.Builder("mixed", Fabric.DEFAULT)
                .rack(List.of(plain.with(Interiors.named("dgx1v")), plain))
                .rack(List.of(plain.with(Interiors.named("pcie3"))))
                .build();
        Simulator simulator = simulator(topology, RandomWorkloads.of(4, 60, 12));
        SimView view = simulator.view();
        Auctioneer auctioneer = auctioneer(view);
        ClusterGraph graph = auctioneer.graph();
        int checked = 0;
        while (simulator.advance()) {
            Decision wait = null;
            while (wait == null) {
                auctioneer.startBeneficiary(simulator);
                Auction auction = auctioneer.open();
                int bid = auction.size() - 1;
                int job = auction.job(bid);
                BidServers servers = auction.servers();
                long[] free = new long[topology.servers()];
                Arrays.setAll(free, server -> freeGpus(view, server));
                wait = auctioneer.win(bid, simulator);
                if (auction.kind(bid) == BidKind.START) {
                    Placement placement = view.placement(job);
                    for (int i = servers.first(bid); i < servers.end(bid); i++) {
                        long taken = placement.maskOn(placement.indexOf(servers.server(i)));
                        assertThat(servers.taken(i)).isEqualTo(graph.alike(servers.server(i), taken));
                        assertThat(servers.left(i))
                                .isEqualTo(graph.alike(servers.server(i), free[servers.server(i)] & ~taken));
                        checked++;
                    }
                } else if (auction.kind(bid) == BidKind.MAKE_ROOM) {
                    int server = servers.server(servers.first(bid));
                    assertThat(Long.bitCount(servers.taken(servers.first(bid))))
                            .isGreaterThan(Long.bitCount(graph.free(server)));
                }
            }
            simulator.apply(wait);
        }
        assertThat(checked).isGreaterThan(40);
        assertThat(graph.alike(1, 0b1010)).as("all sets of a size are alike").isEqualTo(0b11);
        assertThat(graph.alike(0, 0b1010)).isEqualTo(0b1010);
        assertThat(graph.alike(1, 0)).isZero();
    }

    private static long freeGpus(SimView view, int server) {
        long free = 0;
        for (int gpu = 0; gpu < view.topology().gpusOn(server); gpu++) {
            free |= view.cluster().owner(view.topology().firstGpu(server) + gpu) == Cluster.FREE ? 1L << gpu : 0;
        }
        return free;
    }

    private static void checkServers(Auction auction) {
        for (int bid = 0; bid < auction.size(); bid++) {
            int count = auction.servers().end(bid) - auction.servers().first(bid);
            assertThat(count == 0).isEqualTo(auction.kind(bid) == BidKind.WAIT);
            if (auction.kind(bid) == BidKind.START) {
                float servers = auction.column(bid, BidColumn.SERVERS);
                assertThat((double) servers).isEqualTo(Math.min(2, count / 4.0), within(1e-6));
            }
        }
    }

    @Test
    void a_node_says_what_is_free_which_rings_pass_it_and_when_its_jobs_end() {
        Topology topology = topology("leaf-spine:2x2x2x4@2");
        ModelProfile model = RandomWorkloads.model(RandomStreams.stream(1, "test/graph"));
        JobSpec gang = new JobSpec(0, "gang", 0, 6, model, 1 / model.computeSeconds());
        Simulator simulator = simulator(topology, new Workload(List.of(gang), new double[] {1e4}));
        Auctioneer auctioneer = auctioneer(simulator.view());
        ClusterGraph graph = auctioneer.graph();
        simulator.advance();
        auctioneer.win(startOf(auctioneer.open()), simulator);
        auctioneer.open();

        SimView view = simulator.view();
        Placement placement = view.placement(0);
        assertThat(placement.serverCount()).isEqualTo(2);
        int core = graph.nodes() - 1;
        double first = BidColumn.scaledTime(view.predictedRemainingSeconds(0));
        for (int i = 0; i < 2; i++) {
            int server = placement.server(i);
            int rack = topology.servers() + topology.rackOf(server);
            assertThat(value(graph, server, NodeColumn.FREE)).isEqualTo(1 - placement.gpusOn(i) / 4f);
            assertThat(value(graph, server, NodeColumn.EMPTY)).isZero();
            assertThat(value(graph, server, NodeColumn.RINGS)).isEqualTo((float) (Math.log(2) / 3));
            assertThat((double) value(graph, server, NodeColumn.FIRST_END))
                    .isEqualTo(first, within(0.5 / NodeColumn.TIME_STEPS + 1e-6))
                    .isEqualTo(value(graph, server, NodeColumn.LAST_END));
            assertThat(value(graph, rack, NodeColumn.RINGS)).as("in one rack").isZero();
            assertThat(value(graph, rack, NodeColumn.BANDWIDTH))
                    .as("20 GB/s for the 8 GPUs of a rack, 12.5 GB/s for the 4 of a server")
                    .isEqualTo(0.8f);
        }
        assertThat(value(graph, core, NodeColumn.FREE)).isEqualTo(10 / 16f);
        assertThat(value(graph, core, NodeColumn.EMPTY)).isEqualTo(0.5f);
        assertThat(value(graph, core, NodeColumn.WAITING)).isZero();
        assertThat(value(graph, core, NodeColumn.IN_ORDER)).isEqualTo(1);
        assertThat(graph.rackOf()).containsExactly(0, 0, 1, 1);
    }

    private static int startOf(Auction auction) {
        int bid = 0;
        while (auction.kind(bid) != BidKind.START) {
            bid++;
        }
        return bid;
    }
}
