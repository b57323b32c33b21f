package org.trainyard.env.gym.auction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.learned.LearnedWorlds;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.scheduling.gang.GangCandidates;
import org.trainyard.env.scheduling.gpusets.SetChoice;
import org.trainyard.env.scheduling.interruption.EvictionPlan;
import org.trainyard.env.scheduling.interruption.EvictionPlanning;
import org.trainyard.env.scheduling.interruption.Interruptions;
import org.trainyard.env.scheduling.interruption.MigrationSearch;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.Workload;

/** The bids of every moment of random plays, one after the other, against a plain list of them. */
class BidsOfAMomentTest {
    private static final AnalyticInterference BELIEF = AnalyticInterference.DEFAULT;
    /** Scores that are closer may be in either order. */
    private static final double CLOSE = 3e-5;

    /** A bid as all see it. */
    private record Bid(BidKind kind, int job, int agent, List<Integer> servers, int length) {}

    /** Short work first; bids to wait and to move score little. */
    private static final class ShortWork implements Chooser.ByScore {
        private static final double WAIT = 0.45;
        private static final double ROOM = 1.05;

        @Override
        public double score(Auction auction, int bid) {
            double work = auction.column(bid, BidColumn.REMAINING_WORK);
            return switch (auction.kind(bid)) {
                case WAIT -> WAIT;
                case START -> 1 - work - auction.column(bid, BidColumn.SET_POSITION);
                case MAKE_ROOM ->
                    makingRoom(work, auction.column(bid, BidColumn.SLOW_FOR_LONG))
                            - auction.column(bid, BidColumn.PLAN_COST);
                case MOVE, PATIENCE -> 0;
                case FORWARD -> throw new AssertionError("nobody to forward to");
            };
        }

        @Override
        public double makingRoom(double work, double slow) {
            return ROOM - work - slow;
        }

        @Override
        public double moving() {
            return 0.7;
        }

        @Override
        public double leastSavedSeconds() {
            return 600;
        }
    }

    private static Topology topology(String name) {
        return switch (name) {
            case "two types" -> LearnedWorlds.twoTypes();
            case "links" -> LearnedWorlds.mixedInteriors();
            default ->
                Topology.uniform(
                        "parts", Fabric.DEFAULT, 1, 3, ServerSpec.ofV100(4).with(GpuSharing.FRACTIONS), 1);
        };
    }

    private static Workload workload(Topology topology, long seed) {
        boolean isShared = topology.server(0).sharing() == GpuSharing.FRACTIONS;
        // Of many models, some feel narrow rings.
        Workload plain = topology.inside().arePlain()
                ? RandomWorkloads.ofFewModels(seed, 40, isShared ? 6 : 20)
                : RandomWorkloads.of(seed, 40, 8);
        List<JobSpec> jobs = IntStream.range(0, plain.size())
                .mapToObj(job -> isShared && job % 4 != 0
                        ? plain.job(job).demanding(Demand.ofGpus(1).withGpuMilli(300 + 50 * (job % 8)))
                        : plain.job(job))
                .toList();
        return new Workload(
                jobs,
                IntStream.range(0, plain.size())
                        .mapToDouble(plain::trueIterations)
                        .toArray());
    }

    /** A play in which random bids win. */
    private static final class Play {
        private final Topology topology;
        private final AuctionSettings settings;
        private final Chooser.@Nullable ByScore scores;
        private final Simulator simulator;
        private final SimView view;
        private final Auctioneer auctioneer;
        private final GangCandidates sets;
        private final EvictionPlanning rooms;
        private final MigrationSearch moves;
        private final Map<Integer, Long> patientUntil = new HashMap<>();
        private final Map<BidKind, Integer> seen = new EnumMap<>(BidKind.class);

        private List<Bid> bids = new ArrayList<>();
        private double best;
        private int planned;
        private boolean isClose;

        Play(Topology topology, AuctionSettings settings, Chooser.@Nullable ByScore scores, long seed) {
            this.topology = topology;
            this.settings = settings;
            this.scores = scores;
            simulator = new World(topology, new RatedPerformance(), new Simulator.Options(30_000_000_000L, true))
                    .simulator(workload(topology, seed));
            view = simulator.view();
            auctioneer = new Auctioneer(view, settings, Domains.racks(topology), BELIEF);
            if (scores != null) {
                auctioneer.leaveOutLosers(scores);
            }
            sets = new GangCandidates(topology, BELIEF, settings.sets());
            Interruptions.Agents agents = new Interruptions.Agents(topology, BELIEF, sets.choice());
            rooms = Interruptions.installed()
                    .evictions(
                            agents,
                            view,
                            SimView::predictedRemainingSeconds,
                            new PlacementBuilder(topology, view.cluster()));
            moves = Interruptions.installed().migrations(agents, SimView::predictedRemainingSeconds, 6);
        }

        Map<BidKind, Integer> toTheEnd(RandomGenerator random) {
            while (simulator.advance()) {
                Decision wait = auctioneer.play(simulator, (auction, firstLegal) -> {
                    check(auction);
                    assertThat(firstLegal)
                            .as("the first legal bid")
                            .isEqualTo(auction.size() > 1 && view.runningCount() == 0 ? 1 : 0);
                    int bid = random.nextInt(firstLegal, auction.size());
                    note(auction, bid);
                    return bid;
                });
                assertThat(wait).isEqualTo(untilPatienceEnds());
                simulator.apply(wait);
            }
            assertThat(simulator.isDone()).isTrue();
            return seen;
        }

        private void check(Auction auction) {
            list(auction);
            assertThat(auction.column(0, BidColumn.SHORTEST_TIME))
                    .isEqualTo(waiting().stream()
                            .map(job -> BidColumn.scaledTime(view.predictedRemainingSeconds(job)))
                            .findFirst()
                            .orElse(0f));
            if (isClose) {
                return;
            }
            List<Bid> shown = IntStream.range(0, auction.size())
                    .mapToObj(bid -> new Bid(
                            auction.kind(bid),
                            auction.job(bid),
                            auction.agent(bid),
                            IntStream.range(
                                            auction.servers().first(bid),
                                            auction.servers().end(bid))
                                    .mapToObj(auction.servers()::server)
                                    .toList(),
                            auction.length(bid)))
                    .toList();
            assertThat(shown).isEqualTo(bids);
            bids.forEach(bid -> seen.merge(bid.kind, 1, Integer::sum));
        }

        private void note(Auction auction, int bid) {
            int job = auction.job(bid);
            switch (auction.kind(bid)) {
                case START, MAKE_ROOM -> patientUntil.remove(job);
                case PATIENCE -> {
                    double lengths = List.of(0.5, 1.0, 2.0, 1e9).get(auction.length(bid));
                    double seconds = Math.max(1800, lengths * view.predictedRemainingSeconds(job));
                    patientUntil.put(job, seconds < 1e9 ? view.nowNanos() + (long) (seconds * 1e9) : Long.MAX_VALUE);
                }
                case MOVE -> moves.move(view, job);
                case WAIT, FORWARD -> {}
            }
        }

        /** The end of the first option that lasts; for ever is none. */
        private Decision untilPatienceEnds() {
            long end = waiting().stream()
                    .mapToLong(job -> patientUntil.getOrDefault(job, 0L))
                    .filter(until -> until > view.nowNanos())
                    .min()
                    .orElse(Long.MAX_VALUE);
            return end == Long.MAX_VALUE ? Decision.WAIT : Decision.waitUntil(end);
        }

        private List<Integer> waiting() {
            List<Integer> jobs = new ArrayList<>();
            for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
                jobs.add(job);
            }
            jobs.sort(Comparator.<Integer>comparingDouble(view::predictedRemainingSeconds)
                    .thenComparingInt(job -> job));
            return jobs;
        }

        /** Lists the bids; of the auction, the scores of plans are read alone. */
        private void list(Auction auction) {
            bids = new ArrayList<>(List.of(new Bid(BidKind.WAIT, SimView.NONE, -1, List.of(), 0)));
            best = view.runningCount() > 0 ? ShortWork.WAIT : Double.NEGATIVE_INFINITY;
            planned = 0;
            isClose = false;
            int bidders = 0;
            Set<Demand> withoutBids = new HashSet<>();
            for (int job : waiting()) {
                if (bidders < settings.jobs()
                        && !withoutBids.contains(view.job(job).demand())) {
                    int before = bids.size();
                    int found = sets.find(view, job);
                    ofWaiting(job, found, auction);
                    bidders += bids.size() > before ? 1 : 0;
                    if (bids.size() == before && found == 0) {
                        withoutBids.add(view.job(job).demand());
                    }
                }
            }
            ofRunning();
        }

        private double linkedSpeed(int set) {
            return sets.speedOf(set) / SetChoice.felt(sets.ring(set));
        }

        private boolean isIdeal(int set) {
            return sets.isConsolidated(set) && linkedSpeed(set) >= sets.mostSpeed();
        }

        private void ofWaiting(int job, int found, Auction auction) {
            boolean isPatient = patientUntil.getOrDefault(job, 0L) > view.nowNanos() && view.runningCount() > 0;
            boolean hasIdeal = false;
            double work = BidColumn.scaledTime(
                    view.predictedRemainingSeconds(job) * view.job(job).gpus());
            for (int set = 0; set < found; set++) {
                hasIdeal |= isIdeal(set);
                if (isIdeal(set) || !isPatient) {
                    addSet(BidKind.START, job, set, 0);
                    best = Math.max(best, 1 - work - (double) set / settings.sets());
                }
            }
            toMakeRoom(job, found, auction);
            // Room is planned with other sets.
            sets.find(view, job);
            if (settings.patience() && !isPatient && found > 0 && !hasIdeal && view.runningCount() > 0) {
                for (int length = 0; length < 4; length++) {
                    addSet(BidKind.PATIENCE, job, 0, length);
                }
            }
        }

        private void toMakeRoom(int job, int found, Auction auction) {
            boolean isPart = view.job(job).demand().gpuMilli() < 1000;
            List<Integer> good = IntStream.range(0, found)
                    .filter(set -> isPart ? sets.freeGpusTaken(view, set) == 1 : sets.isConsolidated(set))
                    .boxed()
                    .toList();
            double linked = good.stream()
                    .mapToDouble(set -> isPart ? 1 : linkedSpeed(set))
                    .max()
                    .orElse(0);
            double fastest = good.stream()
                    .mapToDouble(set -> isPart ? 1 : sets.speedOf(set))
                    .max()
                    .orElse(0);
            if (!settings.preemption() || linked >= (isPart ? 1 : sets.mostSpeed()) || planned == 4) {
                return;
            }
            planned++;
            rooms.begin(job);
            double seconds = view.predictedRemainingSeconds(job);
            for (int planner = 0; planner < rooms.count(); planner++) {
                boolean isBetter = rooms.linkedSpeed(planner) > (rooms.isByLinks(planner) ? linked : fastest);
                EvictionPlan plan = isBetter ? rooms.plan(planner, Double.POSITIVE_INFINITY) : null;
                if (plan != null && canWin(job, seconds, rooms.linkedSpeed(planner), plan.cost())) {
                    addPlan(job, plan);
                    if (scores != null && bids.size() <= auction.size()) {
                        best = Math.max(best, scores.score(auction, bids.size() - 1));
                    }
                }
            }
        }

        /** Whether a bid for a plan can score more than all before; for shared GPUs, all bids to make room are made. */
        private boolean canWin(int job, double seconds, double speed, double cost) {
            if (scores == null || view.cluster().isShared()) {
                return true;
            }
            double work = BidColumn.scaledTime(seconds * view.job(job).gpus());
            double score = scores.makingRoom(work, (1 - speed) * BidColumn.scaledTime(seconds)) - cost;
            isClose |= Math.abs(score - best) < CLOSE;
            return score > best;
        }

        private void ofRunning() {
            isClose |= scores != null && Math.abs(best - scores.moving()) < CLOSE;
            if (!settings.preemption() || settings.moves() == 0 || (scores != null && best >= scores.moving())) {
                return;
            }
            int found = moves.find(view);
            int made = 0;
            for (int i = 0; i < found && made < settings.moves(); i++) {
                double least = scores == null ? 0 : scores.leastSavedSeconds();
                int set = moves.betterSet(view, moves.job(i), sets, 0);
                boolean isWorthIt = set != SimView.NONE && moves.savedSeconds(view, moves.job(i)) >= least;
                if (isWorthIt) {
                    addSet(BidKind.MOVE, moves.job(i), set, 0);
                    made++;
                }
            }
        }

        private void addSet(BidKind kind, int job, int set, int length) {
            List<Integer> servers = IntStream.range(0, sets.servers(set))
                    .mapToObj(i -> sets.server(set, i))
                    .toList();
            bids.add(new Bid(kind, job, topology.rackOf(servers.get(0)), servers, length));
        }

        private void addPlan(int job, EvictionPlan plan) {
            List<Integer> servers = new ArrayList<>();
            for (int v = 0; v < plan.size(); v++) {
                Placement placement = view.placement(plan.victim(v));
                IntStream.range(0, placement.serverCount())
                        .map(placement::server)
                        .forEach(servers::add);
            }
            bids.add(new Bid(BidKind.MAKE_ROOM, job, topology.rackOf(servers.get(0)), servers, 0));
        }
    }

    private static Map<BidKind, Integer> play(String name, AuctionSettings settings, boolean leavesOut, long seed) {
        Topology topology = topology(name);
        return new Play(topology, settings, leavesOut ? new ShortWork() : null, seed)
                .toTheEnd(RandomStreams.stream(seed, "test/moments"));
    }

    @ParameterizedTest
    @CsvSource({"two types, 1", "two types, 2", "links, 1", "links, 2", "parts, 1"})
    void bids_are_those_of_the_list_in_its_order(String name, long seed) {
        AuctionSettings settings = new AuctionSettings(RemainingTime.PREDICTED, 6, 5, 2, true, true);
        Map<BidKind, Integer> seen = play(name, settings, false, seed);

        assertThat(seen).containsKeys(BidKind.START, BidKind.MAKE_ROOM, BidKind.PATIENCE);
        assertThat(seen.containsKey(BidKind.MOVE)).isEqualTo(!name.equals("parts"));
    }

    @ParameterizedTest
    @CsvSource({
        "two types, 2, 1, 1, true, false",
        "links, 20, 3, 0, true, true",
        "two types, 3, 2, 1, false, true",
        "parts, 4, 2, 0, false, false"
    })
    void settings_limit_the_bids_of_the_list(
            String name, int jobs, int sets, int moves, boolean preemption, boolean patience) {
        AuctionSettings settings =
                new AuctionSettings(RemainingTime.PREDICTED, jobs, sets, moves, preemption, patience);
        Map<BidKind, Integer> seen = play(name, settings, false, 3);

        assertThat(seen.containsKey(BidKind.MAKE_ROOM)).isEqualTo(preemption);
        assertThat(seen.containsKey(BidKind.MOVE)).isEqualTo(preemption && moves > 0);
        assertThat(seen.containsKey(BidKind.PATIENCE)).isEqualTo(patience);
    }

    @ParameterizedTest
    @CsvSource({"two types, 1", "two types, 2", "links, 1"})
    void bids_that_cannot_win_are_left_out_and_no_others(String name, long seed) {
        AuctionSettings settings = new AuctionSettings(RemainingTime.PREDICTED, 6, 5, 2, true, true);
        Map<BidKind, Integer> all = play(name, settings, false, seed);
        Map<BidKind, Integer> some = play(name, settings, true, seed);

        assertThat(some).containsKeys(BidKind.MAKE_ROOM, BidKind.MOVE);
        for (BidKind kind : List.of(BidKind.MAKE_ROOM, BidKind.MOVE)) {
            assertThat(some.get(kind)).as("%s", kind).isLessThan(all.get(kind));
        }
    }
}
