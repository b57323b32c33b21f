package org.trainyard.env.gym.decentralised;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.agents.learned.LearnedWorlds;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.gym.auction.Auction;
import org.trainyard.env.gym.auction.AuctionSettings;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.BidKind;
import org.trainyard.env.gym.auction.Offer;
import org.trainyard.env.gym.auction.RemainingTime;
import org.trainyard.env.gym.domain.DomainSummary;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.DecisionQueue;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Topology;

/** To which domains the agents of three racks bid to forward their jobs, and the columns, against their definitions. */
class ForwardBidsByHandTest {
    private static final Topology TOPOLOGY = LearnedWorlds.twoTypes();
    private static final List<List<Integer>> RACKS = List.of(List.of(0, 1), List.of(2, 3), List.of(4));
    private static final int[] GPUS = {12, 8, 8};
    private static final double SLOWER = GpuType.V100.speed() / GpuType.A100.speed();

    private static double minutes(double seconds) {
        return Math.log1p(seconds / 60) / 10;
    }

    /** A play in which random bids win at random prices. */
    private static final class Play {
        private final Simulator simulator;
        private final SimView view;
        /** By job, the domains in which it has been, the last of which has it. */
        private final Map<Integer, List<Integer>> been = new HashMap<>();

        private final Map<Integer, Integer> hops = new HashMap<>();
        private final RandomGenerator random;
        private final DecentralisedAgents agents;
        private int madeAgents;
        private int checked;

        Play(long seed) {
            simulator = new World(TOPOLOGY, new RatedPerformance(), new Simulator.Options(0, true))
                    .simulator(RandomWorkloads.ofFewModels(seed, 60, 12));
            view = simulator.view();
            random = RandomStreams.stream(seed, "test/forwards");
            agents = new DecentralisedAgents(
                    view,
                    TOPOLOGY,
                    Domains.racks(TOPOLOGY),
                    new DecentralisedSettings(0, true, Arrival.ROUND_ROBIN, 2),
                    new AuctionSettings(RemainingTime.PREDICTED, 6, 4, 0, false, false),
                    () -> AnalyticInterference.DEFAULT,
                    auctioneer -> {
                        int own = madeAgents++;
                        return (auction, firstLegal) -> {
                            check(auction, own);
                            return new Offer(random.nextInt(firstLegal, auction.size()), random.nextDouble());
                        };
                    },
                    DecentralisedAgents.Workers.SEQUENTIAL);
        }

        int toTheEnd() {
            DecisionQueue decided = new DecisionQueue();
            simulator.run(any -> {
                Decision decision = agents.next(decided);
                if (decision instanceof Decision.Forward forward) {
                    been(forward.job()).add(forward.domain());
                    hops.merge(forward.job(), 1, Integer::sum);
                } else if (decision instanceof Decision.Start start) {
                    // Its agent started it: it stays there, also when it is preempted.
                    assertThat(TOPOLOGY.rackOf(start.placement().server(0))).isEqualTo(home(start.job()));
                }
                return decision;
            });
            return checked;
        }

        /** The job arrives at the agent of its turn, or at the next in whose rack it fits. */
        private List<Integer> been(int job) {
            return been.computeIfAbsent(job, any -> {
                int domain = job % 3;
                while (view.job(job).gpus() > GPUS[domain]) {
                    domain = (domain + 1) % 3;
                }
                return new ArrayList<>(List.of(domain));
            });
        }

        private int home(int job) {
            return been(job).get(been(job).size() - 1);
        }

        private List<Integer> waiting(int domain) {
            List<Integer> jobs = new ArrayList<>();
            for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
                if (home(job) == domain) {
                    jobs.add(job);
                }
            }
            return jobs;
        }

        private DomainSummary summary(int domain) {
            List<Integer> servers = RACKS.get(domain);
            List<Integer> waiting = waiting(domain);
            List<Integer> empty = servers.stream()
                    .filter(s -> view.cluster().freeOn(s) == TOPOLOGY.gpusOn(s))
                    .toList();
            int running = 0;
            for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
                running += TOPOLOGY.rackOf(view.placement(job).server(0)) == domain ? 1 : 0;
            }
            ToDoubleFunction<Integer> speed =
                    s -> view.cluster().freeOn(s) == 0 ? 0 : TOPOLOGY.gpusOn(s) == 8 ? 1 : SLOWER;
            return new DomainSummary(
                    GPUS[domain],
                    servers.stream().mapToInt(view.cluster()::freeOn).sum(),
                    (double) empty.size() / servers.size(),
                    servers.stream()
                            .mapToDouble(s -> (double) view.cluster().freeOn(s) / TOPOLOGY.gpusOn(s))
                            .max()
                            .orElseThrow(),
                    Math.max(
                            empty.stream().mapToInt(TOPOLOGY::gpusOn).sum(),
                            servers.stream()
                                    .mapToInt(view.cluster()::freeOn)
                                    .max()
                                    .orElseThrow()),
                    servers.stream().mapToDouble(speed).max().orElseThrow(),
                    domain == 1 ? SLOWER : 1,
                    waiting.size(),
                    waiting.stream().mapToInt(job -> view.job(job).gpus()).sum(),
                    running);
        }

        /** The targets of a job: most room, least load, and fastest with most room; of equal ones the first. */
        private Set<Integer> targets(int job) {
            List<Integer> allowed = IntStream.range(0, 3)
                    .filter(domain ->
                            !been(job).contains(domain) && view.job(job).gpus() <= GPUS[domain])
                    .filter(domain -> hops.getOrDefault(job, 0) < 2)
                    .boxed()
                    .toList();
            if (allowed.isEmpty()) {
                return Set.of();
            }
            Comparator<Integer> byRoom = Comparator.comparingDouble(
                    domain -> -summary(domain).widest() - summary(domain).free() / (1.0 + GPUS[domain]));
            Comparator<Integer> byLoad = Comparator.comparingDouble(
                    domain -> (double) summary(domain).waitingGpus() / GPUS[domain]);
            Comparator<Integer> bySpeed =
                    Comparator.comparingDouble(domain -> -summary(domain).fastest());
            int roomy = allowed.stream().min(byRoom).orElseThrow();
            int fast = allowed.stream().min(bySpeed.thenComparing(byRoom)).orElseThrow();
            Set<Integer> targets = new HashSet<>(Set.of(roomy));
            targets.add(allowed.stream().min(byLoad).orElseThrow());
            if (summary(fast).fastest() > summary(roomy).fastest()) {
                targets.add(fast);
            }
            return targets;
        }

        private void check(Auction auction, int own) {
            List<Integer> first = waiting(own).stream()
                    .sorted(Comparator.comparingDouble(view::predictedRemainingSeconds))
                    .limit(6)
                    .toList();
            Map<Integer, Set<Integer>> targets = new HashMap<>();
            Map<Integer, Set<Integer>> expected = new HashMap<>();
            for (int bid = 0; bid < auction.size(); bid++) {
                if (auction.kind(bid) == BidKind.FORWARD) {
                    int job = auction.job(bid);
                    boolean isNew =
                            targets.computeIfAbsent(job, any -> new HashSet<>()).add(auction.target(bid));
                    assertThat(isNew).isTrue();
                    compare(auction, bid, own, first.indexOf(job));
                    checked++;
                }
            }
            for (int job : first) {
                if (!targets(job).isEmpty()) {
                    expected.put(job, targets(job));
                }
            }
            assertThat(targets).isEqualTo(expected);
        }

        private void compare(Auction auction, int bid, int own, int position) {
            int job = auction.job(bid);
            int gpus = view.job(job).gpus();
            double seconds = view.predictedRemainingSeconds(job);
            DomainSummary there = summary(auction.target(bid));
            DomainSummary here = summary(own);
            boolean startsHere = IntStream.range(0, auction.size())
                    .anyMatch(other -> auction.job(other) == job && auction.kind(other) == BidKind.START);
            Map<BidColumn, Double> columns = new EnumMap<>(BidColumn.class);
            columns.put(BidColumn.POSITION, position / 6.0);
            columns.put(BidColumn.REMAINING_TIME, minutes(seconds));
            columns.put(BidColumn.CAN_CONSOLIDATE, there.widest() >= gpus ? 1.0 : 0);
            columns.put(BidColumn.SPEED_UP, Math.log(there.fastest() / here.fastest()));
            columns.put(BidColumn.SLOW_FOR_LONG, (1 - there.fastest()) * minutes(seconds));
            columns.put(BidColumn.SPEED, there.speed());
            columns.put(BidColumn.FREE, there.free() / (double) there.gpus());
            columns.put(BidColumn.EMPTY, there.empty());
            columns.put(BidColumn.WAITING, Math.log1p(there.waiting()) / 5);
            columns.put(BidColumn.RUNNING, Math.log1p(there.running()) / 5);
            double load = there.waitingGpus() / (double) there.gpus();
            columns.put(BidColumn.WAITING_GPUS, Math.min(2, load / 4));
            columns.put(BidColumn.LARGEST_HOLE, there.hole());
            columns.put(BidColumn.FREE_AFTER, Math.max(-2, (there.free() - gpus) / (double) there.gpus()));
            columns.put(BidColumn.HOPS, hops.getOrDefault(job, 0) / 2.0);
            columns.put(BidColumn.SUMMARY_AGE, 0.0);
            double gap = here.waitingGpus() / (double) here.gpus() - load;
            columns.put(BidColumn.LOAD_GAP, Math.max(-2, Math.min(2, gap)));
            columns.put(BidColumn.FITS_THERE, there.free() >= gpus ? 1.0 : 0);
            columns.put(BidColumn.FITS_HERE, startsHere ? 1.0 : 0);
            columns.forEach((column, value) -> assertThat((double) auction.column(bid, column))
                    .as("%s", column)
                    .isCloseTo(value, within(2e-5)));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void bids_go_to_the_domains_with_most_room_least_load_and_most_speed(long seed) {
        assertThat(new Play(seed).toTheEnd()).isGreaterThan(100);
    }
}
