package org.trainyard.env.gym.auction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.scheduling.gang.GangCandidates;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.DecisionSink;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.Interiors;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Workload;

class AuctioneerTest {
    private static final List<Topology> CLUSTERS = Stream.of("small", "medium", "leaf-spine:2x2x2x4@2", "3x4")
            .map(name -> Objects.requireNonNull(Topologies.parse(name)))
            .toList();

    private static Simulator simulator(Topology topology, Workload workload) {
        return new World(
                        topology,
                        new RingPerformance(topology, AnalyticInterference.DEFAULT),
                        new Simulator.Options(30_000_000_000L, true))
                .simulator(workload);
    }

    private static Auctioneer auctioneer(SimView view, boolean preemption) {
        return new Auctioneer(
                view,
                new AuctionSettings(RemainingTime.GITTINS, 6, 5, 2, preemption, true),
                Domains.racks(view.topology()),
                AnalyticInterference.DEFAULT);
    }

    /** What is seen of a play. */
    private static final class Seen {
        private int waits;
        private int starts;
        private int rooms;
        private int options;
        private int moves;
        private int widerRooms;
        private int widerPatience;
    }

    /**
     * One legal bid after another is drawn and wins, until the instant ends; the simulator refuses what is impossible.
     */
    private static void auctions(Simulator simulator, Auctioneer auctioneer, RandomGenerator random, Seen seen) {
        simulator.apply(auctioneer.play(simulator, (auction, firstLegal) -> {
            checkBids(simulator.view(), auction, auctioneer);
            countRings(auction, seen);
            int bid = random.nextInt(firstLegal, auction.size());
            switch (auction.kind(bid)) {
                case WAIT -> seen.waits++;
                case START -> seen.starts++;
                case MAKE_ROOM -> seen.rooms++;
                case PATIENCE -> seen.options++;
                case FORWARD -> throw new AssertionError("nobody to forward to");
                case MOVE -> seen.moves++;
            }
            return bid;
        }));
    }

    /** Counts consolidated jobs over narrow rings that may make room for a wider one, or wait for it. */
    private static void countRings(Auction auction, Seen seen) {
        for (int bid = 1; bid < auction.size(); bid++) {
            boolean isSensitive = auction.column(bid, BidColumn.LINK_SENSITIVITY) > 0.01;
            boolean consolidates = auction.column(bid, BidColumn.CAN_CONSOLIDATE) == 1;
            if (isSensitive && consolidates && auction.kind(bid) == BidKind.MAKE_ROOM) {
                seen.widerRooms++;
                assertThat(auction.column(bid, BidColumn.SPEED)).isEqualTo(1);
            } else if (isSensitive && consolidates && auction.kind(bid) == BidKind.PATIENCE) {
                seen.widerPatience++;
                assertThat(auction.column(bid, BidColumn.WIDER_ELSEWHERE)).isEqualTo(1);
            }
        }
    }

    private static void checkBids(SimView view, Auction auction, Auctioneer auctioneer) {
        assertThat(auction.kind(0)).isEqualTo(BidKind.WAIT);
        assertThat(auction.job(0)).isEqualTo(SimView.NONE);
        if (view.runningCount() == 0 && auction.size() > 1) {
            assertThat(auctioneer.mayWait()).as("waiting on an idle cluster").isFalse();
        }
        assertThat(IntStream.range(0, auction.size())
                        .filter(bid -> auction.kind(bid) == BidKind.MAKE_ROOM)
                        .map(auction::job)
                        .distinct())
                .hasSizeLessThanOrEqualTo(AuctionSettings.PLANNED_JOBS);
        assertThat(IntStream.range(0, auction.size()).filter(bid -> auction.kind(bid) == BidKind.MOVE))
                .hasSizeLessThanOrEqualTo(2);
        for (int bid = 0; bid < auction.size(); bid++) {
            if (bid > 0) {
                assertThat(auction.kind(bid)).isNotEqualTo(BidKind.WAIT);
                boolean moves = auction.kind(bid) == BidKind.MOVE;
                assertThat(view.state(auction.job(bid))).isEqualTo(moves ? JobState.RUNNING : JobState.WAITING);
                assertThat(auction.agent(bid)).isNotNegative();
            }
            for (BidColumn column : BidColumn.values()) {
                assertThat(auction.column(bid, column)).isBetween(-5f, 5f);
            }
        }
    }

    private static Seen play(long seed, boolean preemption) {
        return play(CLUSTERS.get((int) (seed % CLUSTERS.size())), seed, preemption);
    }

    private static Seen play(Topology topology, long seed, boolean preemption) {
        Simulator simulator = simulator(topology, RandomWorkloads.ofFewModels(seed, 60, topology.gpus()));
        Auctioneer auctioneer = auctioneer(simulator.view(), preemption);
        RandomGenerator random = RandomStreams.stream(seed, "test/auctions");
        Seen seen = new Seen();
        while (simulator.advance()) {
            auctions(simulator, auctioneer, random, seen);
            assertThat(simulator.isStuck()).isFalse();
        }
        assertThat(simulator.isDone()).isTrue();
        return seen;
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24})
    void whatever_bids_win_every_one_is_legal_and_all_jobs_end(long seed) {
        Seen without = play(seed, false);
        assertThat(without.starts).isEqualTo(60);
        assertThat(without.rooms).isZero();
        Seen with = play(seed, true);
        assertThat(with.starts + with.rooms).isGreaterThanOrEqualTo(60);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void where_links_differ_gangs_bid_for_wider_rings_by_making_room_by_patience_and_by_moves(long seed) {
        Topology.Builder builder = new Topology.Builder("linked", Fabric.DEFAULT);
        for (String interior : List.of("uniform", "dgx1v", "pairs", "pcie")) {
            builder.rack(List.of(ServerSpec.ofV100(8).with(Interiors.named(interior))));
        }
        Seen seen = play(builder.build(), seed, true);
        assertThat(seen.widerRooms).isPositive();
        assertThat(seen.widerPatience).isPositive();
        assertThat(seen.moves).isPositive();
    }

    /** Takes the servers on which the last decision started a job. */
    private static final class LastStart implements DecisionSink {
        private List<Integer> servers = List.of();

        @Override
        public void start(int job, Placement placement) {
            servers = IntStream.range(0, placement.serverCount())
                    .map(placement::server)
                    .boxed()
                    .toList();
        }

        @Override
        public void preempt(int job) {
            servers = List.of();
        }

        @Override
        public void forward(int job, int domain) {
            throw new AssertionError("nobody forwards jobs");
        }
    }

    /** Of the sets where there is room now, whose cheapest may be spread over servers. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void a_job_for_which_room_was_made_starts_on_the_cheapest_set_that_is_consolidated(long seed) {
        Topology topology = Topologies.medium();
        Simulator simulator = simulator(topology, RandomWorkloads.ofFewModels(seed, 120, 64));
        SimView view = simulator.view();
        Auctioneer auctioneer = auctioneer(view, true);
        GangCandidates sets = new GangCandidates(topology, AnalyticInterference.DEFAULT, 5);
        RandomGenerator random = RandomStreams.stream(seed, "test/auctions");
        int job = SimView.NONE;
        int started = 0;
        while (simulator.advance()) {
            Decision wait = null;
            while (wait == null) {
                int found = auctioneer.isMakingRoom() ? sets.find(view, job) : 0;
                int set = 0;
                for (int other = found - 1; other >= 0; other--) {
                    set = sets.isConsolidated(other) ? other : set;
                }
                assertThat(auctioneer.startBeneficiary(simulator)).isEqualTo(found > 0);
                assertThat(auctioneer.isMakingRoom()).isFalse();
                if (found > 0) {
                    Placement placement = view.placement(job);
                    assertThat(IntStream.range(0, placement.serverCount()).map(placement::server))
                            .containsExactlyInAnyOrderElementsOf(serversOf(sets, set));
                    started++;
                }
                Auction auction = auctioneer.open();
                int[] rooms = IntStream.range(0, auction.size())
                        .filter(bid -> auction.kind(bid) == BidKind.MAKE_ROOM)
                        .toArray();
                int bid = rooms.length > 0 && random.nextInt(4) == 0
                        ? rooms[random.nextInt(rooms.length)]
                        : random.nextInt(auctioneer.firstLegal(), auction.size());
                job = auction.job(bid);
                wait = auctioneer.win(bid, simulator);
            }
            simulator.apply(wait);
        }
        assertThat(started).isGreaterThan(2);
    }

    private static List<Integer> serversOf(GangCandidates sets, int set) {
        return IntStream.range(0, sets.servers(set))
                .mapToObj(i -> sets.server(set, i))
                .toList();
    }

    @Test
    void a_job_starts_and_moves_to_the_servers_for_which_its_bid_was_scored() {
        Topology topology = Topologies.medium();
        Simulator simulator = simulator(topology, RandomWorkloads.ofFewModels(2, 120, 64));
        Auctioneer auctioneer = auctioneer(simulator.view(), true);
        RandomGenerator random = RandomStreams.stream(2, "test/auctions");
        int checked = 0;
        while (simulator.advance()) {
            Decision wait = null;
            while (wait == null) {
                auctioneer.startBeneficiary(simulator);
                Auction auction = auctioneer.open();
                for (int bid = 0; bid < auction.size(); bid++) {
                    if (auction.kind(bid) == BidKind.START) {
                        LastStart last = new LastStart();
                        auctioneer.win(bid, last);
                        assertThat(last.servers).containsExactlyInAnyOrderElementsOf(servers(auction, bid));
                        checked++;
                    }
                }
                int bid = random.nextInt(auctioneer.firstLegal(), auction.size());
                List<Integer> scored = servers(auction, bid);
                boolean isMove = auction.kind(bid) == BidKind.MOVE;
                int job = auction.job(bid);
                wait = auctioneer.win(bid, simulator);
                if (isMove) {
                    LastStart now = new LastStart();
                    now.start(job, simulator.view().placement(job));
                    assertThat(now.servers).containsExactlyInAnyOrderElementsOf(scored);
                    checked++;
                }
            }
            simulator.apply(wait);
        }
        assertThat(checked).isGreaterThan(500);
    }

    private static List<Integer> servers(Auction auction, int bid) {
        return IntStream.range(auction.servers().first(bid), auction.servers().end(bid))
                .map(auction.servers()::server)
                .boxed()
                .toList();
    }

    @Test
    void every_kind_of_bid_wins_in_some_play() {
        Seen all = new Seen();
        for (long seed = 1; seed <= 8; seed++) {
            Seen seen = play(seed, true);
            all.waits += seen.waits;
            all.rooms += seen.rooms;
            all.options += seen.options;
            all.moves += seen.moves;
        }
        assertThat(all.waits).isPositive();
        assertThat(all.rooms).isPositive();
        assertThat(all.options).isPositive();
        assertThat(all.moves).isPositive();
    }

    @Test
    void agents_bid_for_sets_that_begin_in_their_domain() {
        Topology topology = Topologies.medium();
        Simulator simulator = simulator(topology, RandomWorkloads.of(1, 30, 8));
        Auctioneer auctioneer = auctioneer(simulator.view(), false);
        simulator.advance();
        Auction auction = auctioneer.open();

        assertThat(auction.size()).isGreaterThan(2);
        int agent = auction.agent(1);
        auctioneer.win(1, simulator);
        int server = simulator.view().placement(auction.job(1)).server(0);
        assertThat(Domains.racks(topology).domainOf(server)).isEqualTo(agent);
    }
}
