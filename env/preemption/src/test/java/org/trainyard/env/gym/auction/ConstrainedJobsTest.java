package org.trainyard.env.gym.auction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.gym.decentralised.Arrival;
import org.trainyard.env.gym.decentralised.DecentralisedAgents;
import org.trainyard.env.gym.decentralised.DecentralisedScheduler;
import org.trainyard.env.gym.decentralised.DecentralisedSettings;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.scheduling.gpusets.GpuRule;
import org.trainyard.env.scheduling.gpusets.SetChoice;
import org.trainyard.env.scheduling.interruption.Interruptions;
import org.trainyard.env.scheduling.preemption.EvictionPlanners;
import org.trainyard.env.simulation.DecisionQueue;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.LiveCluster;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.Workload;

/** Agents bid for jobs that ask for types of GPUs, for one server, and for CPUs and memory. */
class ConstrainedJobsTest {
    private static final List<GpuType> TYPES = List.of(GpuType.A100, GpuType.H100);

    /**
     * Two to four racks, each of one type of GPUs or of both; servers have 4 or 8 of them, and some a number of CPUs.
     */
    private static Topology ofTwoTypes(RandomGenerator random) {
        Topology.Builder builder = new Topology.Builder("two types", Fabric.DEFAULT);
        int racks = 2 + random.nextInt(3);
        for (int rack = 0; rack < racks; rack++) {
            List<ServerSpec> servers = new ArrayList<>();
            for (int server = 0; server < 2 + rack % 2; server++) {
                int kind = random.nextInt(3) == 0 ? server : rack;
                ServerSpec spec =
                        ServerSpec.ofV100(random.nextBoolean() ? 4 : 8).with(TYPES.get(kind % 2));
                servers.add(rack == 1 ? spec.withHost(48_000, 512L << 10) : spec);
            }
            builder.rack(servers);
        }
        return builder.build();
    }

    private static Demand constrained(RandomGenerator random, int gpus) {
        Demand demand = Demand.ofGpus(gpus);
        demand = random.nextInt(3) == 0
                ? demand
                : demand.onTypes(List.of(TYPES.get(random.nextInt(2)).name()));
        demand = random.nextInt(4) == 0 ? demand.onOneServer() : demand;
        return random.nextInt(4) == 0 ? demand.withHost(8000L * gpus, (64L << 10) * gpus) : demand;
    }

    private static boolean fits(Topology topology, Demand demand) {
        IntStream room =
                IntStream.range(0, topology.servers()).map(server -> demand.workersOn(topology.server(server)));
        return (demand.oneServer() ? room.max().orElse(0) : room.sum()) >= demand.gpus();
    }

    /** Random jobs that fit on the empty cluster. */
    private static Workload jobs(Topology topology, long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "test/demands");
        Workload plain = RandomWorkloads.ofFewModels(seed, 80, topology.gpus());
        List<JobSpec> jobs = new ArrayList<>();
        double[] iterations = new double[plain.size()];
        for (int job = 0; job < plain.size(); job++) {
            Demand demand = constrained(random, plain.job(job).gpus());
            while (!fits(topology, demand)) {
                demand = constrained(random, 1 + random.nextInt(8));
            }
            jobs.add(plain.job(job).demanding(demand));
            iterations[job] = plain.trueIterations(job);
        }
        return new Workload(jobs, iterations);
    }

    private static Simulator simulator(Topology topology, long seed) {
        return new World(
                        topology,
                        new RingPerformance(topology, AnalyticInterference.DEFAULT),
                        new Simulator.Options(30_000_000_000L, true))
                .simulator(jobs(topology, seed));
    }

    private static AuctionSettings settings(boolean preemption) {
        return new AuctionSettings(RemainingTime.GITTINS, 6, 5, 2, preemption, true);
    }

    private static void checkAllowed(SimView view, Auction auction) {
        for (int bid = 1; bid < auction.size(); bid++) {
            Demand demand = view.job(auction.job(bid)).demand();
            boolean starts = auction.kind(bid) == BidKind.START || auction.kind(bid) == BidKind.MOVE;
            for (int i = auction.servers().first(bid);
                    starts && i < auction.servers().end(bid);
                    i++) {
                int server = auction.servers().server(i);
                assertThat(demand.gpuTypes().isEmpty()
                                || demand.gpuTypes()
                                        .contains(view.topology()
                                                .server(server)
                                                .gpuType()
                                                .name()))
                        .isTrue();
                assertThat(auction.gpusOn(i)).isLessThanOrEqualTo(view.cluster().room(demand, server));
            }
            assertThat(!starts
                            || !demand.oneServer()
                            || auction.servers().end(bid) - auction.servers().first(bid) == 1)
                    .isTrue();
        }
    }

    /** The job for which the last bid has made room has started. */
    private static void checkRuns(SimView view, int job) {
        if (job != SimView.NONE) {
            assertThat(view.state(job)).isEqualTo(JobState.RUNNING);
        }
    }

    /** The simulator refuses what is impossible; at one instant no job gives way again and again. */
    @ParameterizedTest
    @CsvSource({"false", "true"})
    void whatever_bids_win_each_is_for_allowed_gpus_and_all_jobs_end(boolean preemption) {
        int[] rooms = {0};
        int[] moves = {0};
        for (long seed = 1; seed <= 30; seed++) {
            RandomGenerator random = RandomStreams.stream(seed, "test/two types");
            Simulator simulator = simulator(ofTwoTypes(random), seed);
            SimView view = simulator.view();
            Auctioneer auctioneer = new Auctioneer(
                    view, settings(preemption), Domains.racks(view.topology()), AnalyticInterference.DEFAULT);
            int[] auctions = {0};
            int[] madeRoomFor = {SimView.NONE};
            while (simulator.advance()) {
                auctions[0] = 0;
                simulator.apply(auctioneer.play(simulator, (auction, firstLegal) -> {
                    checkAllowed(view, auction);
                    checkRuns(view, madeRoomFor[0]);
                    assertThat(++auctions[0]).as("auctions at one instant").isLessThan(2000);
                    int bid = random.nextInt(firstLegal, auction.size());
                    madeRoomFor[0] = auction.kind(bid) == BidKind.MAKE_ROOM ? auction.job(bid) : SimView.NONE;
                    boolean isTyped = !view.job(Math.max(0, auction.job(bid)))
                            .demand()
                            .gpuTypes()
                            .isEmpty();
                    rooms[0] += isTyped && auction.kind(bid) == BidKind.MAKE_ROOM ? 1 : 0;
                    moves[0] += isTyped && auction.kind(bid) == BidKind.MOVE ? 1 : 0;
                    return bid;
                }));
                checkRuns(view, madeRoomFor[0]);
                madeRoomFor[0] = SimView.NONE;
                assertThat(simulator.isStuck()).as("seed %d", seed).isFalse();
            }
            assertThat(simulator.isDone()).as("seed %d", seed).isTrue();
        }
        assertThat(rooms[0] > 0 && moves[0] > 0).isEqualTo(preemption);
    }

    /** A job is forwarded to, and received by, agents alone in whose domains it fits. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void agents_that_decide_apart_lose_no_job_of_another_type(boolean ownJobs) {
        for (long seed = 1; seed <= 12; seed++) {
            RandomGenerator random = RandomStreams.stream(seed, "test/two types");
            Topology topology = ofTwoTypes(random);
            Simulator simulator = simulator(topology, seed);
            boolean preemption = seed % 2 == 0;

            simulator.run(new DecentralisedScheduler(view -> new DecentralisedAgents(
                    view,
                    topology,
                    Domains.racks(topology),
                    new DecentralisedSettings(10, ownJobs, Arrival.HASH, ownJobs ? 2 : 0),
                    settings(preemption),
                    () -> AnalyticInterference.DEFAULT,
                    auctioneer -> (auction, firstLegal) ->
                            new Offer(random.nextInt(firstLegal, auction.size()), random.nextDouble()),
                    DecentralisedAgents.Workers.SEQUENTIAL)));

            assertThat(simulator.isDone()).as("seed %d", seed).isTrue();
        }
    }

    /** On the GPUs that it may have, a job of the slower type waits for nothing better. */
    @Test
    void a_job_of_the_slower_type_waits_for_no_faster_gpus() {
        Topology topology = new Topology.Builder("two", Fabric.DEFAULT)
                .rack(List.of(
                        ServerSpec.ofV100(8).with(GpuType.A100),
                        ServerSpec.ofV100(8).with(GpuType.H100)))
                .build();
        Workload drawn = RandomWorkloads.of(1, 2, 1);
        Workload jobs = new Workload(
                List.of(
                        drawn.job(0).demanding(Demand.ofGpus(2)),
                        drawn.job(1).demanding(Demand.ofGpus(2).onTypes(List.of("A100")))),
                new double[] {1e6, 1e6});
        Simulator simulator = new World(
                        topology,
                        new RingPerformance(topology, AnalyticInterference.DEFAULT),
                        Simulator.Options.DEFAULT)
                .simulator(jobs);
        Auctioneer auctioneer =
                new Auctioneer(simulator.view(), settings(true), Domains.racks(topology), AnalyticInterference.DEFAULT);
        List<BidKind> kinds = new ArrayList<>();
        DecisionQueue decided = new DecisionQueue();
        simulator.run(view -> auctioneer.next(decided, (auction, firstLegal) -> {
            int chosen = firstLegal;
            for (int bid = 0; bid < auction.size(); bid++) {
                if (auction.job(bid) == 1 && view.state(0) == JobState.RUNNING) {
                    kinds.add(auction.kind(bid));
                } else if (auction.job(bid) == 0 && auction.kind(bid) == BidKind.START) {
                    chosen = bid;
                }
            }
            return chosen;
        }));

        assertThat(kinds).contains(BidKind.START).doesNotContain(BidKind.PATIENCE);
    }

    @ParameterizedTest
    @CsvSource({"8, true", "9, false"})
    void room_is_made_for_a_job_that_takes_a_whole_server_but_not_for_a_wider_one(int gpus, boolean isMade) {
        Topology topology = Topology.uniform("two", Fabric.DEFAULT, 1, 2, ServerSpec.ofV100(8), 1);
        Workload drawn = RandomWorkloads.of(1, 3, 1);
        LiveCluster live = new LiveCluster(new World(
                topology, new RingPerformance(topology, AnalyticInterference.DEFAULT), Simulator.Options.DEFAULT));
        Demand eight = Demand.ofGpus(8);
        List<Demand> demands = List.of(eight, eight, Demand.ofGpus(gpus).onOneServer());
        for (int job = 0; job < 3; job++) {
            live.moveTo(drawn.job(job).submitNanos());
            live.arrive(drawn.job(job).demanding(demands.get(job)), job == 2 ? 100 : 100_000);
        }
        live.start(0, Placement.of(topology, 0, 1, 2, 3, 4, 5, 6, 7));
        live.start(1, Placement.of(topology, 8, 9, 10, 11, 12, 13, 14, 15));
        EvictionPlanners planners = new EvictionPlanners(
                new Interruptions.Agents(topology, AnalyticInterference.DEFAULT, new SetChoice(topology, GpuRule.BOTH)),
                live.view(),
                SimView::predictedRemainingSeconds,
                new PlacementBuilder(topology, live.view().cluster()));
        planners.begin(2);

        assertThat(planners.plan(0, Double.POSITIVE_INFINITY) != null).isEqualTo(isMade);
    }

    @Test
    void agents_refuse_elastic_jobs_parts_of_several_gpus_and_jobs_without_gpus() {
        Demand two = Demand.ofGpus(2);
        Auctioneer.requirePlaceable(
                "job 1", two.onTypes(List.of("A100")).withHost(1000, 1).onOneServer(), false);
        Auctioneer.requirePlaceable("job 1", Demand.ofGpus(1).withGpuMilli(500), true);
        for (Demand other : List.of(two.elastic(1, 4), two.withGpuMilli(500), two.inSegments(2))) {
            for (boolean mayBePart : new boolean[] {false, true}) {
                assertThatThrownBy(() -> Auctioneer.requirePlaceable("job 1", other, mayBePart))
                        .isInstanceOf(InputException.class)
                        .hasMessageContaining(String.valueOf(other.notFixedGpus()));
            }
        }
    }
}
