package org.trainyard.env.gym.auction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.agents.learned.LearnedWorlds;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.performance.ring.NetworkStretch;
import org.trainyard.env.scheduling.interruption.EvictionPlan;
import org.trainyard.env.scheduling.order.ResidualTimeFloor;
import org.trainyard.env.simulation.Outage;
import org.trainyard.env.simulation.Outages;
import org.trainyard.env.simulation.PreemptionRules;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.Workload;

/** The columns of all bids of random plays, on a cluster with two types of GPUs, against their definitions. */
class BidColumnsByHandTest {
    private static final Topology TOPOLOGY = LearnedWorlds.twoTypes();
    private static final double GPUS = 28;
    private static final NetworkStretch STRETCH = new NetworkStretch(TOPOLOGY);
    private static final double RESTART_SECONDS = 30;
    private static final int MOST_PREEMPTIONS = 2;
    /** Lengths of patience, in remaining times. */
    private static final Map<BidColumn, Double> LENGTHS = Map.of(
            BidColumn.PATIENT_HALF,
            0.5,
            BidColumn.PATIENT_ONCE,
            1.0,
            BidColumn.PATIENT_TWICE,
            2.0,
            BidColumn.PATIENT_FOR_EVER,
            Double.POSITIVE_INFINITY);

    private static double speed(int server) {
        return TOPOLOGY.gpusOn(server) == 8 ? 1 : GpuType.V100.speed() / GpuType.A100.speed();
    }

    private static double minutes(double seconds) {
        return Math.log1p(seconds / 60) / 10;
    }

    private static int racks(List<Integer> servers) {
        return (int) servers.stream().map(TOPOLOGY::rackOf).distinct().count();
    }

    private static double sum(List<Integer> servers, ToDoubleFunction<Integer> of) {
        return servers.stream().mapToDouble(of).sum();
    }

    /** A play in which random bids win. */
    private static final class Play {
        private final Simulator simulator;
        private final SimView view;
        private final Auctioneer auctioneer;
        private final RandomGenerator random;
        /** By job, when its patience ends. */
        private final Map<Integer, Long> patientUntil = new HashMap<>();

        private final Set<BidKind> seen = EnumSet.noneOf(BidKind.class);
        private final Map<BidColumn, Double> expected = new EnumMap<>(BidColumn.class);
        private Auction auction = new Auction();
        /** Of the auction: the remaining time of the first job. */
        private double shortest;

        Play(long seed) {
            Workload plain = RandomWorkloads.ofFewModels(seed, 40, 20);
            Workload workload = new Workload(
                    IntStream.range(0, 40)
                            .mapToObj(job -> job % 3 == 2
                                    ? plain.job(job)
                                    : plain.job(job)
                                            .saying(SubmissionTerms.NONE
                                                    .but()
                                                    .account("a" + job % 3)
                                                    .priority(100L + job % 7)
                                                    .build()))
                            .toList(),
                    IntStream.range(0, 40).mapToDouble(plain::trueIterations).toArray());
            Outages failure = new Outages.Recorded(
                    List.of(new Outages.Recorded.Entry(5, new Outage(3_000_000_000_000L, 9_000_000_000_000L))));
            simulator = new World(
                            TOPOLOGY,
                            new RatedPerformance(),
                            new Simulator.Options((long) (RESTART_SECONDS * 1e9), true)
                                    .with(new PreemptionRules(600_000_000_000L, 0, 0, MOST_PREEMPTIONS))
                                    .with(failure, 0))
                    .simulator(workload);
            view = simulator.view();
            auctioneer = new Auctioneer(
                    view,
                    new AuctionSettings(RemainingTime.PREDICTED, 6, 5, 2, true, true),
                    Domains.racks(TOPOLOGY),
                    AnalyticInterference.DEFAULT);
            random = RandomStreams.stream(seed, "test/bids");
        }

        Set<BidKind> toTheEnd() {
            while (simulator.advance()) {
                simulator.apply(auctioneer.play(simulator, (open, firstLegal) -> {
                    auction = open;
                    check();
                    int bid = random.nextInt(firstLegal, open.size());
                    note(bid);
                    return bid;
                }));
            }
            return seen;
        }

        private void note(int bid) {
            int job = auction.job(bid);
            seen.add(auction.kind(bid));
            switch (auction.kind(bid)) {
                case START, MAKE_ROOM -> patientUntil.remove(job);
                case PATIENCE -> patientUntil.put(job, view.nowNanos() + patienceNanos(bid));
                case WAIT, MOVE, FORWARD -> {}
            }
        }

        private long patienceNanos(int bid) {
            double length = LENGTHS.entrySet().stream()
                    .filter(entry -> auction.column(bid, entry.getKey()) == 1)
                    .mapToDouble(Map.Entry::getValue)
                    .sum();
            double seconds = length * view.predictedRemainingSeconds(auction.job(bid));
            return (long) (1e9 * Math.max(1800, Math.min(1e8, seconds)));
        }

        private boolean isPatient(int job) {
            return patientUntil.getOrDefault(job, 0L) > view.nowNanos();
        }

        private void check() {
            shortest = Double.NaN;
            for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
                double seconds = view.predictedRemainingSeconds(job);
                boolean isFirst = Math.abs(minutes(seconds) - auction.column(0, BidColumn.SHORTEST_TIME)) < 1e-6;
                shortest = isFirst ? seconds : shortest;
            }
            for (int bid = 0; bid < auction.size(); bid++) {
                expected.clear();
                ofCluster();
                switch (auction.kind(bid)) {
                    case WAIT -> {}
                    case START, PATIENCE -> {
                        ofJob(bid);
                        ofSet(bid);
                    }
                    case MOVE -> {
                        ofJob(bid);
                        ofSet(bid);
                        ofMove(bid);
                    }
                    case MAKE_ROOM -> {
                        ofJob(bid);
                        ofPlan(bid, Objects.requireNonNull(auction.plan(bid)));
                    }
                    case FORWARD -> throw new AssertionError("nobody to forward to");
                }
                compare(bid);
            }
        }

        private void compare(int bid) {
            boolean isPatience = auction.kind(bid) == BidKind.PATIENCE;
            assertThat(LENGTHS.keySet().stream()
                            .filter(length -> auction.column(bid, length) == 1)
                            .count())
                    .isEqualTo(isPatience ? 1 : 0);
            for (BidColumn column : BidColumn.values()) {
                boolean isOpen = LENGTHS.containsKey(column)
                        || column == BidColumn.SHORTEST_TIME
                        || (column == BidColumn.CAN_CONSOLIDATE && isPatient(auction.job(bid)))
                        || column == BidColumn.DEARER_THAN_CHEAPEST;
                if (!isOpen) {
                    assertThat((double) auction.column(bid, column))
                            .as("%s of %s", column, auction.kind(bid))
                            .isCloseTo(expected.getOrDefault(column, 0.0), within(2e-5));
                }
            }
        }

        private void ofCluster() {
            List<Integer> all = List.of(0, 1, 2, 3, 4);
            double waitingGpus = 0;
            double patient = 0;
            for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
                waitingGpus += view.job(job).gpus();
                patient += isPatient(job) ? 1 : 0;
            }
            expected.put(BidColumn.FREE, view.cluster().free() / GPUS);
            expected.put(BidColumn.EMPTY, sum(all, this::emptiness) / 5);
            expected.put(BidColumn.WAITING, Math.log1p(view.waitingCount()) / 5);
            expected.put(BidColumn.RUNNING, Math.log1p(view.runningCount()) / 5);
            expected.put(BidColumn.WAITING_GPUS, Math.min(2, waitingGpus / GPUS / 4));
            expected.put(BidColumn.PATIENT_SHARE, patient / Math.max(1, view.waitingCount()));
            expected.put(
                    BidColumn.LARGEST_HOLE,
                    all.stream()
                            .mapToDouble(s -> (double) view.cluster().freeOn(s) / TOPOLOGY.gpusOn(s))
                            .max()
                            .orElseThrow());
            expected.put(BidColumn.CHECKPOINT_INTERVAL, Math.log1p(10) / 10);
        }

        private int emptiness(int server) {
            return view.cluster().freeOn(server) == TOPOLOGY.gpusOn(server) ? 1 : 0;
        }

        private void ofJob(int bid) {
            int job = auction.job(bid);
            ModelProfile model = view.job(job).model();
            double seconds = view.predictedRemainingSeconds(job);
            double waited = (view.nowNanos() - view.queuedSinceNanos(job)) / 1e9;
            int gpus = view.job(job).gpus();
            expected.put(BidColumn.GPUS, Math.log(gpus) / Math.log(2) / 6);
            expected.put(BidColumn.REMAINING_TIME, minutes(seconds));
            expected.put(BidColumn.REMAINING_WORK, minutes(seconds * gpus));
            expected.put(BidColumn.PREDICTED_TIME, minutes(ResidualTimeFloor.seconds(view, job)));
            expected.put(BidColumn.WAITED, minutes(waited));
            expected.put(BidColumn.WAITED_SHARE, waited / (waited + seconds));
            expected.put(BidColumn.NETWORK_STRETCH, Math.min(2, STRETCH.overCard(view.job(job)) - 1));
            expected.put(BidColumn.PRESSURE_SOCKET, model.pressure().socket());
            expected.put(BidColumn.PRESSURE_PCIE, model.pressure().pcie());
            expected.put(BidColumn.PRESSURE_NIC, model.pressure().nic());
            expected.put(BidColumn.SENSITIVITY_SOCKET, model.sensitivity().socket());
            expected.put(BidColumn.SENSITIVITY_PCIE, model.sensitivity().pcie());
            expected.put(BidColumn.SENSITIVITY_NIC, model.sensitivity().nic());
            expected.put(BidColumn.PREEMPTIONS, view.preemptions(job) / 4.0);
            expected.put(BidColumn.POSITION, jobsBefore(bid) / 6.0);
            double longer = Double.isNaN(shortest) ? seconds : Math.max(1, seconds / Math.max(1, shortest));
            expected.put(BidColumn.LONGER_THAN_SHORTEST, Math.min(2, Math.log(longer) / 5));
            expected.put(BidColumn.CAN_CONSOLIDATE, consolidates(bid) ? 1.0 : 0.0);
            expected.put(BidColumn.RESTART_TIME, minutes(RESTART_SECONDS));
            boolean pays = view.preemptions(job) + view.kills(job) > 0;
            expected.put(BidColumn.PAYS_RESTART, pays ? Math.min(2, RESTART_SECONDS / Math.max(1, seconds)) : 0);
            expected.put(BidColumn.STAYS, view.preemptions(job) >= MOST_PREEMPTIONS ? 1.0 : 0.0);
            Long priority = view.job(job).terms().priority();
            double highest = IntStream.range(0, view.arrived())
                    .mapToLong(other ->
                            Objects.requireNonNullElse(view.job(other).terms().priority(), 0L))
                    .max()
                    .orElseThrow();
            expected.put(BidColumn.PRIORITY, priority == null ? 0 : priority / highest);
            expected.put(BidColumn.ACCOUNT_SHARE, held(view.job(job).terms().account()) / GPUS);
        }

        private double held(@Nullable String account) {
            double held = 0;
            for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
                boolean isIts =
                        account != null && account.equals(view.job(job).terms().account());
                held += isIts ? view.job(job).gpus() : 0;
            }
            return held;
        }

        /** Waiting jobs with bids before those of the job of this bid. */
        private long jobsBefore(int bid) {
            return IntStream.range(1, bid)
                    .filter(before -> auction.kind(before) != BidKind.MOVE)
                    .map(auction::job)
                    .filter(job -> job != auction.job(bid))
                    .distinct()
                    .count();
        }

        private boolean consolidates(int bid) {
            return IntStream.range(1, auction.size())
                    .filter(other -> auction.job(other) == auction.job(bid))
                    .filter(other -> auction.kind(other) == (isMove(bid) ? BidKind.MOVE : BidKind.START))
                    .anyMatch(other -> auction.column(other, BidColumn.CONSOLIDATED) == 1);
        }

        private boolean isMove(int bid) {
            return auction.kind(bid) == BidKind.MOVE;
        }

        private List<Integer> servers(int bid) {
            return IntStream.range(
                            auction.servers().first(bid), auction.servers().end(bid))
                    .mapToObj(auction.servers()::server)
                    .toList();
        }

        private void ofSet(int bid) {
            int job = auction.job(bid);
            int gpus = view.job(job).gpus();
            List<Integer> servers = servers(bid);
            int racks = racks(servers);
            int fewest = (gpus + 7) / 8;
            // The widest rack has twelve GPUs.
            boolean isConsolidated = servers.size() <= fewest && racks <= (gpus <= 12 ? 1 : 2);
            assertThat(auction.agent(bid)).isEqualTo(TOPOLOGY.rackOf(servers.get(0)));
            double speed = servers.stream()
                    .mapToDouble(BidColumnsByHandTest::speed)
                    .min()
                    .orElseThrow();
            expected.put(BidColumn.SERVERS, servers.size() / 4.0);
            expected.put(BidColumn.EXTRA_SERVERS, (servers.size() - fewest) / 4.0);
            expected.put(BidColumn.CONSOLIDATED, isConsolidated ? 1.0 : 0.0);
            expected.put(BidColumn.EXTRA_RACKS, (racks - 1) / 4.0);
            expected.put(BidColumn.SPEED, speed);
            expected.put(BidColumn.SLOW_FOR_LONG, (1 - speed) * minutes(view.predictedRemainingSeconds(job)));
            expected.put(BidColumn.STRETCH, Math.min(2, STRETCH.over(view.job(job), servers.size(), racks) - 1));
            // Nobody is patient while nothing runs.
            if (isPatient(job) && view.runningCount() > 0 && !isMove(bid)) {
                assertThat(isConsolidated && speed == 1).isTrue();
                expected.put(BidColumn.SET_POSITION, (double) auction.column(bid, BidColumn.SET_POSITION));
            } else {
                int first = IntStream.range(0, bid)
                        .filter(other -> auction.job(other) == job && auction.kind(other) == auction.kind(bid))
                        .findFirst()
                        .orElse(bid);
                boolean isStart = auction.kind(bid) == BidKind.START;
                expected.put(
                        BidColumn.SET_POSITION,
                        isStart ? (bid - first) / 5.0 : isMove(bid) ? auction.column(bid, BidColumn.SET_POSITION) : 0);
                if (isStart) {
                    assertThat(auction.column(first, BidColumn.DEARER_THAN_CHEAPEST))
                            .isZero();
                    assertThat(auction.column(bid, BidColumn.DEARER_THAN_CHEAPEST))
                            .isGreaterThanOrEqualTo(
                                    bid == first ? 0 : auction.column(bid - 1, BidColumn.DEARER_THAN_CHEAPEST));
                }
            }
            ofNeighbours(bid, servers, speed);
            ofRoom(servers, gpus, racks);
        }

        /** Slowdowns are linear in the pressures of neighbours; a neighbour on several servers counts on each. */
        private void ofNeighbours(int bid, List<Integer> servers, double speed) {
            int job = auction.job(bid);
            ModelProfile own = view.job(job).model();
            double slowest = 0;
            double harm = 0;
            boolean isBesideItself = false;
            for (int i = 0; i < servers.size(); i++) {
                int server = servers.get(i);
                double gpusHere = auction.gpusOn(auction.servers().first(bid) + i);
                double slowdown = 1;
                for (int n = 0; n < view.cluster().jobsOn(server); n++) {
                    int other = view.cluster().jobOn(server, n);
                    if (other == job) {
                        isBesideItself = true;
                    }
                    Placement there = view.placement(other);
                    boolean ringsMeet = servers.size() > 1 && there.serverCount() > 1;
                    ModelProfile model = view.job(other).model();
                    double stays =
                            Math.min(1, ResidualTimeFloor.seconds(view, other) / ResidualTimeFloor.seconds(view, job));
                    slowdown += effect(
                            own,
                            model,
                            there.gpusOn(there.indexOf(server)) / (double) TOPOLOGY.gpusOn(server),
                            ringsMeet);
                    harm += stays * effect(model, own, gpusHere / TOPOLOGY.gpusOn(server), ringsMeet);
                }
                slowest = Math.max(slowest, slowdown / speed(server));
            }
            for (BidColumn column : List.of(BidColumn.OWN_SLOWDOWN, BidColumn.NEIGHBOUR_SLOWDOWN)) {
                double value = column == BidColumn.OWN_SLOWDOWN ? slowest * speed - 1 : harm;
                expected.put(column, isBesideItself ? auction.column(bid, column) : Math.min(2, value));
            }
        }

        private static double effect(ModelProfile on, ModelProfile of, double share, boolean ringsMeet) {
            return share
                            * (0.6 * on.sensitivity().socket() * of.pressure().socket()
                                    + on.sensitivity().pcie() * of.pressure().pcie())
                    + (ringsMeet ? 0.8 * on.sensitivity().nic() * of.pressure().nic() : 0);
        }

        private void ofRoom(List<Integer> servers, int gpus, int racks) {
            double left = sum(servers, view.cluster()::freeOn) - gpus;
            double opened = sum(servers, this::emptiness);
            List<Integer> inRacks = IntStream.range(0, 5)
                    .filter(server -> servers.stream().anyMatch(of -> TOPOLOGY.rackOf(of) == TOPOLOGY.rackOf(server)))
                    .boxed()
                    .toList();
            expected.put(BidColumn.LEFTOVER, Math.min(2, left / 8));
            expected.put(BidColumn.FILLS, left == 0 ? 1.0 : 0);
            expected.put(BidColumn.OPENS, opened / 4);
            long onCard = servers.stream().mapToLong(this::gangsOn).max().orElseThrow();
            long onUplink = servers.stream()
                    .mapToLong(server -> gangsAcross(TOPOLOGY.rackOf(server)))
                    .max()
                    .orElseThrow();
            expected.put(BidColumn.RINGS_ON_NIC, servers.size() > 1 ? onCard / 4.0 : 0);
            expected.put(BidColumn.RINGS_ON_UPLINK, racks > 1 ? onUplink / 8.0 : 0);
            expected.put(BidColumn.FREE_AFTER, (view.cluster().free() - gpus) / GPUS);
            expected.put(BidColumn.EMPTY_AFTER, (sum(List.of(0, 1, 2, 3, 4), this::emptiness) - opened) / 5);
            expected.put(
                    BidColumn.RACK_FREE_AFTER,
                    (sum(inRacks, view.cluster()::freeOn) - gpus) / sum(inRacks, TOPOLOGY::gpusOn));
        }

        private List<List<Integer>> gangs() {
            List<List<Integer>> gangs = new ArrayList<>();
            for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
                Placement place = view.placement(job);
                if (place.serverCount() > 1) {
                    gangs.add(IntStream.range(0, place.serverCount())
                            .mapToObj(place::server)
                            .toList());
                }
            }
            return gangs;
        }

        private long gangsOn(int server) {
            return gangs().stream().filter(gang -> gang.contains(server)).count();
        }

        private long gangsAcross(int rack) {
            return gangs().stream()
                    .filter(gang -> racks(gang) > 1)
                    .filter(gang -> gang.stream().anyMatch(server -> TOPOLOGY.rackOf(server) == rack))
                    .count();
        }

        private void ofMove(int bid) {
            int job = auction.job(bid);
            double seconds = Math.max(1, view.predictedRemainingSeconds(job));
            double saved = 60 * Math.expm1(10 * auction.column(bid, BidColumn.SAVED_TIME));
            expected.put(BidColumn.SPEED_UP, (double) auction.column(bid, BidColumn.SPEED_UP));
            expected.put(BidColumn.SAVED_TIME, minutes(saved));
            expected.put(BidColumn.PLAN_LEAST_RUN, minutes(view.runNanos(job) / 1e9));
            expected.put(BidColumn.PAYS_RESTART, Math.min(2, RESTART_SECONDS / seconds));
            expected.put(BidColumn.PLAN_RESTARTS, Math.min(4, RESTART_SECONDS / seconds));
            expected.put(BidColumn.PLAN_LOST_WORK, Math.min(4, view.unsavedSeconds(job) / seconds));
            double overhead = (RESTART_SECONDS + view.unsavedSeconds(job)) / Math.max(1, saved);
            assertThat((double) auction.column(bid, BidColumn.PLAN_OVERHEAD))
                    .isCloseTo(Math.min(4, overhead), within(1e-3 * overhead));
            expected.put(BidColumn.PLAN_OVERHEAD, (double) auction.column(bid, BidColumn.PLAN_OVERHEAD));
            expected.put(BidColumn.PLAN_PREEMPTIONS, view.preemptions(job) / 4.0);
        }

        private void ofPlan(int bid, EvictionPlan plan) {
            int job = auction.job(bid);
            int gpus = view.job(job).gpus();
            double seconds = view.predictedRemainingSeconds(job);
            List<Integer> victims =
                    IntStream.range(0, plan.size()).mapToObj(plan::victim).toList();
            List<Integer> there =
                    IntStream.range(0, plan.servers()).mapToObj(plan::server).toList();
            double speed = there.stream()
                    .mapToDouble(BidColumnsByHandTest::speed)
                    .min()
                    .orElseThrow();
            long migrated = IntStream.range(0, plan.size())
                    .filter(v -> plan.target(v) != SimView.NONE)
                    .count();
            assertThat(auction.agent(bid))
                    .isEqualTo(TOPOLOGY.rackOf(view.placement(victims.get(0)).server(0)));
            assertThat(servers(bid))
                    .isEqualTo(victims.stream()
                            .map(view::placement)
                            .flatMap(place ->
                                    IntStream.range(0, place.serverCount()).mapToObj(place::server))
                            .toList());
            expected.put(BidColumn.SERVERS, there.size() / 4.0);
            expected.put(BidColumn.EXTRA_RACKS, (racks(there) - 1) / 4.0);
            expected.put(BidColumn.STRETCH, Math.min(2, STRETCH.over(view.job(job), there.size(), racks(there)) - 1));
            expected.put(BidColumn.SPEED, speed);
            expected.put(BidColumn.SLOW_FOR_LONG, (1 - speed) * minutes(seconds));
            expected.put(BidColumn.PLAN_COST, Math.min(4, plan.cost()));
            expected.put(BidColumn.PLAN_PREEMPTED, Math.min(2, (plan.size() - migrated) / 8.0));
            expected.put(BidColumn.PLAN_MIGRATED, Math.min(2, migrated / 8.0));
            expected.put(
                    BidColumn.PLAN_LEAST_RUN,
                    minutes(victims.stream()
                            .mapToDouble(v -> view.runNanos(v) / 1e9)
                            .min()
                            .orElseThrow()));
            expected.put(
                    BidColumn.PLAN_RESTARTS,
                    Math.min(4, sum(victims, v -> RESTART_SECONDS / Math.max(1, view.predictedRemainingSeconds(v)))));
            expected.put(
                    BidColumn.PLAN_LOST_WORK,
                    Math.min(
                            4,
                            sum(
                                    victims,
                                    v -> view.unsavedSeconds(v) / Math.max(1, view.predictedRemainingSeconds(v)))));
            double lost = sum(
                    victims,
                    v -> (RESTART_SECONDS + view.unsavedSeconds(v))
                            * view.job(v).gpus());
            expected.put(BidColumn.PLAN_OVERHEAD, Math.min(4, lost / Math.max(1, seconds) / gpus));
            expected.put(
                    BidColumn.PLAN_PREEMPTIONS,
                    victims.stream().mapToInt(view::preemptions).max().orElseThrow() / 4.0);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void every_column_is_what_its_definition_says(long seed) {
        assertThat(new Play(seed).toTheEnd())
                .containsExactlyInAnyOrder(
                        BidKind.WAIT, BidKind.START, BidKind.MAKE_ROOM, BidKind.PATIENCE, BidKind.MOVE);
    }
}
