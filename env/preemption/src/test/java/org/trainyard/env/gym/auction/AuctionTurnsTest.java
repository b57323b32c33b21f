package org.trainyard.env.gym.auction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.gym.domain.DomainSummary;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.domain.OtherDomains;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.DecisionQueue;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.Workload;

/** What the winner of an auction does, on clusters of a few GPUs. */
class AuctionTurnsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Pressure NONE = new Pressure(0, 0, 0);
    private static final ModelProfile QUIET = new ModelProfile("quiet", 1, 0, 1, NONE, NONE);
    private static final Chooser NOBODY = (auction, firstLegal) -> {
        throw new AssertionError("no auction is held");
    };

    private static Auctioneer auctioneer(SimView view, boolean patience) {
        return new Auctioneer(
                view,
                new AuctionSettings(RemainingTime.PREDICTED, 6, 5, 2, true, patience),
                Domains.racks(view.topology()),
                AnalyticInterference.DEFAULT);
    }

    /** One other domain, idle and as fast as any, to which every job may go. */
    private static final OtherDomains IDLE_NEIGHBOUR = new OtherDomains() {
        private final DomainSummary idle = new DomainSummary(8, 8, 1, 1, 8, 1, 1, 0, 0, 0);

        @Override
        public int count() {
            return 2;
        }

        @Override
        public boolean mayForward(int job, int domain) {
            return domain == 1;
        }

        @Override
        public int hops(int job) {
            return 0;
        }

        @Override
        public DomainSummary summary(int domain) {
            return idle;
        }

        @Override
        public DomainSummary own() {
            return idle;
        }

        @Override
        public double minutesOld() {
            return 0;
        }
    };

    private static int bid(Auction auction, BidKind kind, int job) {
        return IntStream.range(0, auction.size())
                .filter(bid -> auction.kind(bid) == kind && auction.job(bid) == job)
                .findFirst()
                .orElseThrow();
    }

    private static List<BidKind> kinds(Auction auction, int job) {
        return IntStream.range(0, auction.size())
                .filter(bid -> auction.job(bid) == job)
                .mapToObj(auction::kind)
                .distinct()
                .toList();
    }

    /**
     * A server of four GPUs, half of them held by job 0, which runs long; and two servers with one free GPU each. Job 4
     * wants two GPUs.
     */
    private static Simulator beforeRoomIsMade(Topology topology) {
        Simulator simulator = TimedJobs.list()
                .job(QUIET, 2, 0, 10_000)
                .job(QUIET, 2, 0, 100)
                .job(QUIET, 1, 0, 100)
                .job(QUIET, 1, 0, 100)
                .job(QUIET, 2, 0, 1000)
                .simulator(topology);
        simulator.advance();
        simulator.start(0, Placement.of(topology, 0, 1));
        simulator.start(1, Placement.of(topology, 2, 3));
        simulator.start(2, Placement.of(topology, 4));
        simulator.start(3, Placement.of(topology, 6));
        return simulator;
    }

    private static Topology fourAndTwiceTwo() {
        return new Topology.Builder("4 2 2", Fabric.DEFAULT)
                .rack(List.of(ServerSpec.ofV100(4), ServerSpec.ofV100(2), ServerSpec.ofV100(2)))
                .build();
    }

    @Test
    void decisions_are_handed_out_one_by_one_and_the_start_after_the_room_that_was_made() {
        Topology topology = fourAndTwiceTwo();
        Simulator simulator = beforeRoomIsMade(topology);
        Auctioneer auctioneer = auctioneer(simulator.view(), false);
        DecisionQueue decided = new DecisionQueue();
        int[] auctions = {0};

        Decision first = auctioneer.next(decided, (auction, firstLegal) -> {
            auctions[0]++;
            assertThat(firstLegal).isZero();
            return bid(auction, BidKind.MAKE_ROOM, 4);
        });
        assertThat(first).isEqualTo(new Decision.Preempt(0));
        assertThat(auctioneer.isMakingRoom()).isTrue();
        simulator.apply(first);
        Decision second = auctioneer.next(decided, NOBODY);
        assertThat(second).isInstanceOf(Decision.Start.class);
        assertThat(auctioneer.isMakingRoom()).isFalse();
        assertThat(((Decision.Start) second).job()).isEqualTo(4);
        simulator.apply(second);
        Placement placement = simulator.view().placement(4);
        assertThat(IntStream.range(0, 2).map(placement::gpu)).containsExactlyInAnyOrder(0, 1);
        Decision third = auctioneer.next(decided, (auction, firstLegal) -> {
            auctions[0]++;
            return 0;
        });
        assertThat(third).isEqualTo(Decision.WAIT);
        assertThat(auctions[0]).isEqualTo(2);
    }

    /** A job moves from a V100 to an A100; when an H100 comes free at that instant, it stays until the next event. */
    @Test
    void a_job_moves_once_at_an_instant() {
        Topology topology = new Topology.Builder("three types", Fabric.DEFAULT)
                .rack(List.of(
                        ServerSpec.ofV100(1),
                        ServerSpec.ofV100(1).with(GpuType.A100),
                        ServerSpec.ofV100(1).with(GpuType.H100)))
                .build();
        Simulator simulator = TimedJobs.list()
                .job(QUIET, 1, 0, 100_000)
                .job(QUIET, 1, 0, 200_000)
                .job(QUIET, 1, 100, 300_000)
                .simulator(topology);
        simulator.advance();
        SimView view = simulator.view();
        simulator.start(0, Placement.of(topology, 0));
        simulator.start(1, Placement.of(topology, 2));
        Auctioneer auctioneer = auctioneer(view, false);
        assertThat(auctioneer.win(bid(auctioneer.open(), BidKind.MOVE, 0), simulator))
                .isNull();
        assertThat(view.placement(0).gpu(0)).isEqualTo(1);
        assertThat(view.nowNanos()).isZero();

        simulator.preempt(1);
        assertThat(kinds(auctioneer.open(), 0)).isEmpty();
        simulator.apply(Decision.WAIT);
        simulator.advance();
        assertThat(view.nowNanos()).isEqualTo(100 * SECOND);
        Auction later = auctioneer.open();
        assertThat(kinds(later, 0)).containsExactly(BidKind.MOVE);
        auctioneer.win(bid(later, BidKind.MOVE, 0), simulator);
        assertThat(view.placement(0).gpu(0)).isEqualTo(2);
    }

    /**
     * Jobs 0 to 5 take five and ten times as long as predicted, and so may job 6; job 7 is of a group with a finished
     * job. It comes before jobs 1 to 5 end together.
     */
    @Test
    void waiting_jobs_bid_by_estimates_of_now_not_of_their_arrival() {
        Topology topology = Objects.requireNonNull(Topologies.parse("1x8"));
        TimedJobs list = TimedJobs.list();
        IntStream.range(0, 6).forEach(job -> list.job(1, 0, job == 0 ? 50 : 100));
        Workload timed = list.job(8, 10, 2000).job(8, 60, 500).workload();
        Workload workload = new Workload(
                IntStream.range(0, 8)
                        .mapToObj(job -> timed.job(job).by("user", job % 7 == 0 ? "group" : null, null))
                        .toList(),
                IntStream.range(0, 8).mapToDouble(timed::trueIterations).toArray());
        Simulator simulator = new World(topology, new RatedPerformance(), new Simulator.Options(0, true))
                .telling(all -> new RuntimePredictor() {
                    @Override
                    public double predictSeconds(JobSpec job) {
                        return job.id() < 6 ? 10 : job.id() == 6 ? 200 : 500;
                    }

                    @Override
                    public void finished(JobSpec job, double idealSeconds) {}
                })
                .simulator(workload);
        Auctioneer auctioneer = new Auctioneer(
                simulator.view(),
                topology,
                new AuctionSettings(RemainingTime.GITTINS, 8, 1, 0, false, false),
                Domains.racks(topology),
                AnalyticInterference.DEFAULT,
                1,
                IDLE_NEIGHBOUR);
        simulator.advance();
        for (int job = 0; job < 6; job++) {
            auctioneer.win(bid(auctioneer.open(), BidKind.START, job), simulator);
        }
        for (long second : List.of(10L, 50L, 60L, 100L)) {
            auctioneer.open();
            simulator.apply(Decision.WAIT);
            simulator.advance();
            assertThat(simulator.view().nowNanos()).isEqualTo(second * SECOND);
        }

        assertThat(simulator.view().runningCount()).isZero();
        Auction auction = auctioneer.open();
        assertThat(IntStream.range(0, auction.size()).map(auction::job)).containsExactly(SimView.NONE, 7, 6, 7, 6);
        assertThat(IntStream.range(0, auction.size()).mapToObj(auction::kind))
                .containsExactly(BidKind.WAIT, BidKind.START, BidKind.START, BidKind.FORWARD, BidKind.FORWARD);
        assertThat(auction.column(1, BidColumn.REMAINING_TIME)).isLessThan(auction.column(2, BidColumn.REMAINING_TIME));
    }

    /** On V100s a job may wait for the A100s that another holds; forwarded, it is free to start again. */
    @Test
    void a_job_that_is_forwarded_is_patient_no_longer() {
        Topology topology = new Topology.Builder("two types", Fabric.DEFAULT)
                .rack(List.of(ServerSpec.ofV100(4), ServerSpec.ofV100(4).with(GpuType.A100)))
                .build();
        Simulator simulator = TimedJobs.list()
                .job(QUIET, 4, 0, 9000)
                .job(QUIET, 4, 0, 500)
                .job(QUIET, 4, 100, 700)
                .simulator(topology);
        simulator.advance();
        simulator.start(0, Placement.of(topology, 4, 5, 6, 7));
        Auctioneer auctioneer = new Auctioneer(
                simulator.view(),
                topology,
                new AuctionSettings(RemainingTime.PREDICTED, 6, 5, 0, false, true),
                Domains.racks(topology),
                AnalyticInterference.DEFAULT,
                1,
                IDLE_NEIGHBOUR);

        Auction auction = auctioneer.open();
        assertThat(kinds(auction, 1)).containsExactly(BidKind.START, BidKind.PATIENCE, BidKind.FORWARD);
        auctioneer.win(bid(auction, BidKind.PATIENCE, 1), simulator);
        assertThat(kinds(auctioneer.open(), 1)).containsExactly(BidKind.FORWARD);
        assertThat(auctioneer.untilNext()).isEqualTo(Decision.waitUntil(1800 * SECOND));
        DecisionQueue decided = new DecisionQueue();
        auctioneer.win(bid(auction, BidKind.FORWARD, 1), decided);
        assertThat(decided.remove()).isEqualTo(new Decision.Forward(1, 1));

        simulator.apply(Decision.WAIT);
        simulator.advance();
        assertThat(kinds(auctioneer.open(), 1)).containsExactly(BidKind.START, BidKind.PATIENCE, BidKind.FORWARD);
        assertThat(auctioneer.untilNext()).isEqualTo(Decision.WAIT);
    }

    @Test
    void a_demand_for_which_nobody_bids_is_refused_with_what_agents_do_place() {
        Demand two = Demand.ofGpus(2).withGpuMilli(500);
        assertThatThrownBy(() -> Auctioneer.requirePlaceable("job 7", two, true))
                .hasMessageContaining("job 7")
                .hasMessageEndingWith(
                        "a part of one GPU or a fixed number of whole GPUs, for agents place nothing else");
        Demand one = Demand.ofGpus(1).withGpuMilli(500);
        assertThatThrownBy(() -> Auctioneer.requirePlaceable("job 7", one, false))
                .hasMessageEndingWith(" a fixed number of whole GPUs, for agents place nothing else")
                .hasMessageNotContaining("part of one");
    }

    /** A graph that somebody asks for once is that of every auction from then on. */
    @Test
    void the_graph_of_an_auctioneer_is_one_and_has_the_cluster_of_now() {
        Topology topology = fourAndTwiceTwo();
        Simulator simulator = beforeRoomIsMade(topology);
        Auctioneer auctioneer = auctioneer(simulator.view(), false);
        auctioneer.open();
        ClusterGraph graph = auctioneer.graph();

        assertThat(auctioneer.graph()).isSameAs(graph);
        Auction auction = auctioneer.open();
        int start = bid(auction, BidKind.START, 4);
        int place = auction.servers().first(start);
        assertThat(List.of(auction.servers().server(place), auction.servers().server(place + 1)))
                .containsExactly(1, 2);
        assertThat(List.of(auction.servers().taken(place), auction.servers().taken(place + 1)))
                .containsExactly(1L, 1L);
        assertThat(List.of(auction.servers().left(place), auction.servers().left(place + 1)))
                .containsExactly(0L, 0L);
    }
}
