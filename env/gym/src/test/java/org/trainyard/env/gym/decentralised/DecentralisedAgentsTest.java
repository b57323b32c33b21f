package org.trainyard.env.gym.decentralised;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.IntToLongFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.gym.auction.Auction;
import org.trainyard.env.gym.auction.AuctionScorer;
import org.trainyard.env.gym.auction.AuctionSettings;
import org.trainyard.env.gym.auction.Auctioneer;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.BidKind;
import org.trainyard.env.gym.auction.Chooser;
import org.trainyard.env.gym.auction.Offer;
import org.trainyard.env.gym.auction.RemainingTime;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.DecisionQueue;
import org.trainyard.env.simulation.HeldLimits;
import org.trainyard.env.simulation.Quotas;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.Workload;

class DecentralisedAgentsTest {
    /** Whether agents may preempt; they do where the module of preemption runs these tests. */
    boolean preempts() {
        return false;
    }

    private static final Topology TOPOLOGY = Objects.requireNonNull(Topologies.parse("leaf-spine:8x2x4x4@2"));

    private static AuctionSettings auctions(boolean preemption) {
        return new AuctionSettings(RemainingTime.GITTINS, 6, 4, preemption ? 2 : 0, preemption, true);
    }

    private static Simulator simulator(long seed, int widest) {
        Workload workload = RandomWorkloads.ofFewModels(seed, 150, widest);
        return new World(
                        TOPOLOGY,
                        new RingPerformance(TOPOLOGY, AnalyticInterference.DEFAULT),
                        new Simulator.Options(30_000_000_000L, true))
                .simulator(workload);
    }

    /** Random weights of columns and kinds, the same for all agents; the bid to wait is worth little. */
    private static AuctionScorer scorer(long seed) {
        float[][] weights = new float[BidKind.COUNT][BidColumn.COUNT];
        RandomGenerator random = RandomStreams.stream(seed, "test/weights");
        for (float[] row : weights) {
            for (int column = 0; column < row.length; column++) {
                row[column] = (float) random.nextGaussian();
            }
        }
        return auction -> {
            float[] scores = new float[auction.size()];
            for (int bid = 0; bid < scores.length; bid++) {
                scores[bid] = auction.kind(bid) == BidKind.WAIT ? -1 : 0;
                for (BidColumn column : BidColumn.values()) {
                    scores[bid] += weights[auction.kind(bid).index()][column.index()] * auction.column(bid, column);
                }
            }
            return scores;
        };
    }

    /** Agents that decide apart, one decision at a time, and the forwards that they made. */
    private static final class Apart implements Scheduler {
        private final int domains;
        private final DecentralisedSettings settings;
        private final boolean preemption;
        private final Bidder bidder;
        private final DecentralisedAgents.Workers workers;
        private final DecisionQueue decided = new DecisionQueue();
        private final Map<Integer, List<Integer>> forwards = new HashMap<>();
        private @Nullable DecentralisedAgents agents;

        Apart(
                int domains,
                DecentralisedSettings settings,
                boolean preemption,
                Bidder bidder,
                DecentralisedAgents.Workers workers) {
            this.domains = domains;
            this.settings = settings;
            this.preemption = preemption;
            this.bidder = bidder;
            this.workers = workers;
        }

        @Override
        public Decision decide(SimView view) {
            if (agents == null) {
                agents = new DecentralisedAgents(
                        view,
                        view.topology(),
                        Domains.even(view.topology(), domains),
                        settings,
                        auctions(preemption),
                        () -> AnalyticInterference.DEFAULT,
                        auctioneer -> bidder,
                        workers);
            }
            Decision decision = agents.next(decided);
            if (decision instanceof Decision.Forward forward) {
                forwards.computeIfAbsent(forward.job(), any -> new ArrayList<>())
                        .add(forward.domain());
            }
            return decision;
        }
    }

    private static Bidder random(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "test/bids");
        return (auction, firstLegal) -> new Offer(random.nextInt(firstLegal, auction.size()), random.nextDouble());
    }

    private static DecentralisedSettings owning(double minutesOld, int hops) {
        return new DecentralisedSettings(minutesOld, true, Arrival.HASH, hops);
    }

    private static final DecentralisedSettings SHARING = new DecentralisedSettings(0, false, Arrival.HASH, 0);

    @ParameterizedTest
    @CsvSource({
        "1, 20, 4, 0",
        "2, 20, 4, 10",
        "3, 8, 16, 1",
        "4, 20, 4, 10",
        "5, 20, 16, 0",
        "6, 128, 8, 0",
        "7, 20, 16, 5",
        "8, 4, 32, 1"
    })
    void whatever_agents_bid_no_job_is_lost_and_none_is_forwarded_more_than_twice(
            long seed, int widest, int domains, double minutesOld) {
        Apart apart = new Apart(
                domains, owning(minutesOld, 2), preempts(), random(seed), DecentralisedAgents.Workers.SEQUENTIAL);
        Simulator simulator = simulator(seed, widest);

        simulator.run(apart);

        assertThat(simulator.isDone()).isTrue();
        assertThat(apart.forwards).hasSizeGreaterThan(10);
        apart.forwards.values().forEach(to -> {
            assertThat(to).hasSizeLessThanOrEqualTo(2);
            assertThat(new HashSet<>(to)).hasSameSizeAs(to);
        });
        assertThat(apart.forwards.values()).anyMatch(to -> to.size() == 2);
    }

    @ParameterizedTest
    @CsvSource({"1, 20, 4", "2, 20, 16", "3, 20, 16", "4, 128, 8"})
    void no_job_is_lost_where_all_agents_bid_for_all_jobs(long seed, int widest, int domains) {
        Apart apart = new Apart(domains, SHARING, preempts(), random(seed), DecentralisedAgents.Workers.SEQUENTIAL);
        Simulator simulator = simulator(seed, widest);

        simulator.run(apart);

        assertThat(simulator.isDone()).isTrue();
        assertThat(apart.forwards).isEmpty();
    }

    /**
     * One agent gives the last job of its queue patience, and another starts the job before that ends: at that instant
     * nothing is left to decide.
     */
    @Test
    void the_alarm_for_a_job_that_another_agent_has_started_does_not_ring() {
        Topology topology = Objects.requireNonNull(Topologies.parse("4x4"));
        int[] gpus = {3, 3, 4, 4, 2};
        double[] hours = {10, 10, 0.1, 10, 10};
        int patient = 4;
        Workload workload = workload(gpus, hours, job -> job == patient ? 1_000_000_000L : 0);
        Simulator simulator = new World(
                        topology, new RingPerformance(topology, InterferenceModel.NONE), new Simulator.Options(0, true))
                .simulator(workload);
        List<DecentralisedAgents> present = new ArrayList<>();
        DecisionQueue decided = new DecisionQueue();
        int[] agent = {0};

        RunResult result = simulator.run(view -> {
            if (present.isEmpty()) {
                present.add(new DecentralisedAgents(
                        view,
                        topology,
                        Domains.even(topology, 2),
                        SHARING,
                        auctions(false),
                        () -> InterferenceModel.NONE,
                        auctioneer -> agent[0]++ == 0
                                ? first((auction, bid) -> auction.kind(bid) == BidKind.PATIENCE
                                        || (auction.kind(bid) == BidKind.START && auction.job(bid) < 2))
                                : first((auction, bid) -> auction.kind(bid) == BidKind.START && auction.job(bid) >= 2),
                        DecentralisedAgents.Workers.SEQUENTIAL));
            }
            return present.get(0).next(decided);
        });

        assertThat(result.jobs().get(patient).firstStartNanos())
                .isEqualTo(result.jobs().get(2).jctNanos());
    }

    /** Offers the first bid of which this holds, otherwise to wait. */
    private static Bidder first(BiPredicate<Auction, Integer> wanted) {
        return (auction, firstLegal) -> {
            int bid = firstLegal;
            while (bid < auction.size() && !wanted.test(auction, bid)) {
                bid++;
            }
            return bid < auction.size() ? new Offer(bid, 1) : new Offer(firstLegal, 0);
        };
    }

    private static Workload workload(int[] gpus, double[] hours, IntToLongFunction submitNanos) {
        ModelProfile model = new ModelProfile("model", 0.1, 0, 1L << 30, new Pressure(0, 0, 0), new Pressure(0, 0, 0));
        List<JobSpec> specs = new ArrayList<>();
        double[] iterations = new double[gpus.length];
        for (int job = 0; job < gpus.length; job++) {
            specs.add(new JobSpec(job, "job" + job, submitNanos.applyAsLong(job), gpus[job], model, 10));
            iterations[job] = 36_000 * hours[job];
        }
        return new Workload(specs, iterations);
    }

    /** Jobs are submitted at half hours, the least length of patience, so that alarms and events fall together. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void every_wait_ends_after_the_present_instant_though_much_happens_at_it(boolean shares) {
        for (long seed = 1; seed <= 60; seed++) {
            RandomGenerator random = RandomStreams.stream(seed, "test/half hours");
            int[] gpus = random.ints(40, 1, 7).toArray();
            double[] hours =
                    random.ints(40, 1, 12).mapToDouble(halves -> halves / 2.0).toArray();
            long[] submits = random.longs(40, 0, 60)
                    .sorted()
                    .map(half -> half * 1_800_000_000_000L)
                    .toArray();
            Topology topology = Objects.requireNonNull(Topologies.parse("8x4"));
            Simulator simulator = new World(
                            topology,
                            new RingPerformance(topology, InterferenceModel.NONE),
                            new Simulator.Options(0, true))
                    .simulator(workload(gpus, hours, job -> submits[job]));
            Apart apart = new Apart(
                    4,
                    shares ? SHARING : owning(30, 2),
                    preempts() && seed % 3 == 0,
                    random(seed),
                    DecentralisedAgents.Workers.SEQUENTIAL);

            simulator.run(view -> {
                Decision decision = apart.decide(view);
                assertThat(decision instanceof Decision.Wait wait ? wait.untilNanos() : Long.MAX_VALUE)
                        .isGreaterThan(view.nowNanos());
                return decision;
            });

            assertThat(simulator.isDone()).isTrue();
        }
    }

    private static String log(Apart apart, long seed, int widest) {
        return simulator(seed, widest).run(apart).eventLogSha256();
    }

    private String greedy(int domains, DecentralisedSettings settings, DecentralisedAgents.Workers workers) {
        return log(new Apart(domains, settings, preempts(), scorer(4)::offer, workers), 4, 20);
    }

    @Test
    void an_agent_whose_domain_is_the_whole_cluster_decides_as_one_that_sees_all() {
        for (long seed = 1; seed <= 3; seed++) {
            AuctionScorer scorer = scorer(seed);
            Simulator whole = simulator(seed, 20);
            Auctioneer auctioneer = new Auctioneer(
                    whole.view(), auctions(preempts()), Domains.racks(TOPOLOGY), AnalyticInterference.DEFAULT);
            DecisionQueue decided = new DecisionQueue();
            Chooser chooser =
                    (auction, firstLegal) -> scorer.offer(auction, firstLegal).bid();
            String today = whole.run(view -> auctioneer.next(decided, chooser)).eventLogSha256();

            for (DecentralisedSettings settings : List.of(owning(10, 2), SHARING)) {
                Apart apart = new Apart(1, settings, preempts(), scorer::offer, DecentralisedAgents.Workers.SEQUENTIAL);
                assertThat(log(apart, seed, 20)).isEqualTo(today);
            }
        }
    }

    @Test
    void bids_say_how_fast_a_domain_is_beside_the_data_centre_and_the_others() {
        String gain = "%.2f".formatted(Math.log(1 / 0.6));
        assertThat(speedsInBids(owning(0, 1)))
                .containsExactlyInAnyOrder(
                        "0 START 0.60 0.00", "0 FORWARD 1.00 " + gain, "1 START 1.00 0.00", "1 FORWARD 0.60 -" + gain);
        assertThat(speedsInBids(SHARING)).containsExactlyInAnyOrder("0 START 0.60 0.00", "1 START 1.00 0.00");
        assertThat(speedsInBids(owning(0, 0))).containsExactlyInAnyOrder("0 START 0.60 0.00", "1 START 1.00 0.00");
    }

    /** Agent, kind, speed and gain in speed of the bids for a rack of P100s and one of V100s, 0.6 times as fast. */
    private static Set<String> speedsInBids(DecentralisedSettings settings) {
        ServerSpec fast = ServerSpec.ofV100(4);
        ServerSpec slow = fast.with(GpuType.P100);
        Topology topology = new Topology.Builder("two", Fabric.DEFAULT)
                .rack(List.of(slow, slow), 1)
                .rack(List.of(fast, fast), 1)
                .build();
        Workload workload = workload(new int[] {4, 4, 4, 4}, new double[] {1, 1, 1, 1}, job -> 0);
        Simulator simulator = new World(
                        topology, new RingPerformance(topology, InterferenceModel.NONE), new Simulator.Options(0, true))
                .simulator(workload);
        List<String> seen = new ArrayList<>();
        DecisionQueue decided = new DecisionQueue();
        int[] agent = {0};
        DecentralisedAgents agents = new DecentralisedAgents(
                simulator.view(),
                topology,
                Domains.even(topology, 2),
                settings,
                auctions(false),
                () -> InterferenceModel.NONE,
                auctioneer -> {
                    int own = agent[0]++;
                    return first((auction, bid) -> {
                        BidKind kind = auction.kind(bid);
                        if (kind == BidKind.START || kind == BidKind.FORWARD) {
                            seen.add("%d %s %.2f %.2f"
                                    .formatted(
                                            own,
                                            kind,
                                            auction.column(bid, BidColumn.SPEED),
                                            auction.column(bid, BidColumn.SPEED_UP)));
                        }
                        return false;
                    });
                },
                DecentralisedAgents.Workers.SEQUENTIAL);
        simulator.advance();
        simulator.apply(agents.next(decided));
        return Set.copyOf(seen);
    }

    private static final Topology TWO_SERVERS = Objects.requireNonNull(Topologies.parse("2x4"));

    private static Simulator simulator(Workload workload) {
        return new World(
                        TWO_SERVERS,
                        new RingPerformance(TWO_SERVERS, InterferenceModel.NONE),
                        new Simulator.Options(0, true))
                .simulator(workload);
    }

    /** An agent for each of two servers. */
    private static DecentralisedAgents onTwoServers(
            Simulator simulator, DecentralisedSettings settings, Bidder bidder) {
        return new DecentralisedAgents(
                simulator.view(),
                TWO_SERVERS,
                Domains.even(TWO_SERVERS, 2),
                settings,
                auctions(false),
                () -> InterferenceModel.NONE,
                auctioneer -> bidder,
                DecentralisedAgents.Workers.SEQUENTIAL);
    }

    /** Both servers are full from 0 on; what the first agent sees a minute later is that of the beginning. */
    @Test
    void summaries_are_as_many_minutes_old_as_is_said() {
        Simulator simulator = simulator(workload(new int[] {4, 4, 4}, new double[] {1, 1, 1}, job -> 0));
        Set<String> seen = new TreeSet<>();
        DecentralisedAgents agents = onTwoServers(
                simulator, new DecentralisedSettings(1, true, Arrival.ROUND_ROBIN, 1), first((auction, bid) -> {
                    if (auction.kind(bid) == BidKind.FORWARD && auction.job(bid) == 2) {
                        seen.add("%d s: %.0f"
                                .formatted(
                                        simulator.view().nowNanos() / 1_000_000_000L,
                                        auction.column(bid, BidColumn.FITS_THERE)));
                    }
                    return auction.kind(bid) == BidKind.START;
                }));
        simulator.advance();
        for (long second : new long[] {58, 59, 60, 61}) {
            DecisionQueue decided = new DecisionQueue();
            Decision decision = agents.next(decided);
            while (!(decision instanceof Decision.Wait)) {
                simulator.apply(decision);
                decision = agents.next(decided);
            }
            simulator.apply(Decision.waitUntil(second * 1_000_000_000L));
            simulator.advance();
        }
        agents.next(new DecisionQueue());

        assertThat(seen).containsExactly("0 s: 1", "58 s: 1", "59 s: 1", "60 s: 0", "61 s: 0");
    }

    /** The hours at which jobs start first, by their order, under four agents that start what they can. */
    private static List<Long> startHours(Workload plain, List<JobSpec> jobs, Quotas quotas) {
        Topology topology = Objects.requireNonNull(Topologies.parse("4x4"));
        Simulator simulator = new World(
                        topology,
                        new RingPerformance(topology, InterferenceModel.NONE),
                        new Simulator.Options(0, true).with(quotas))
                .simulator(new Workload(
                        jobs,
                        IntStream.range(0, 4).mapToDouble(plain::trueIterations).toArray()));
        Apart apart = new Apart(
                4,
                new DecentralisedSettings(0, true, Arrival.ROUND_ROBIN, 0),
                false,
                first((auction, bid) -> auction.kind(bid) == BidKind.START),
                DecentralisedAgents.Workers.SEQUENTIAL);
        return simulator.run(apart).jobs().stream()
                .sorted(Comparator.comparingInt(job -> job.job().id()))
                .map(job -> job.firstStartNanos() / 3_600_000_000_000L)
                .toList();
    }

    /** Each of four agents starts a job of its own in the first round; the quota is for two of them. */
    @Test
    void a_quota_holds_for_all_the_jobs_of_a_round() {
        Workload plain = workload(new int[] {1, 1, 1, 1}, new double[] {1, 1, 1, 1}, job -> 0);
        List<JobSpec> jobs = IntStream.range(0, 4)
                .mapToObj(job -> plain.job(job).by(null, null, "red"))
                .toList();

        assertThat(startHours(plain, jobs, new Quotas(Map.of("red", 2)))).containsExactly(0L, 0L, 1L, 1L);
    }

    /** One job of each user at a time; what is refused beside the other jobs of a round is asked for in the next. */
    private static final class OneOfEachUser implements HeldLimits {
        private final Map<String, Integer> running = new HashMap<>();

        private static String user(JobSpec job) {
            return Objects.requireNonNull(job.user());
        }

        @Override
        public boolean allows(JobSpec job) {
            return running.getOrDefault(user(job), 0) == 0;
        }

        @Override
        public void hold(JobSpec job, int sign) {
            running.merge(user(job), sign, Integer::sum);
        }

        @Override
        public Object group(JobSpec job) {
            return user(job);
        }
    }

    @Test
    void limits_hold_for_the_jobs_of_a_round_and_whoever_they_allow_starts_at_once() {
        Workload plain = workload(new int[] {1, 1, 1, 1}, new double[] {1, 2, 1, 1}, job -> 0);
        List<JobSpec> jobs = IntStream.range(0, 4)
                .mapToObj(job -> plain.job(job).by(job % 2 == 0 ? "ann" : "bob", null, null))
                .toList();

        assertThat(startHours(plain, jobs, new Quotas(Map.of(), OneOfEachUser::new)))
                .containsExactly(0L, 0L, 1L, 2L);
    }

    /** The decisions of a round are handed out one at a time, and none is left between two plans. */
    @Test
    void a_scheduler_of_agents_is_between_plans_when_a_round_is_handed_out() {
        Simulator simulator = simulator(workload(new int[] {1, 1, 1}, new double[] {1, 1, 1}, job -> 0));
        DecentralisedScheduler scheduler = new DecentralisedScheduler(view -> onTwoServers(
                simulator,
                new DecentralisedSettings(0, true, Arrival.ROUND_ROBIN, 0),
                first((auction, bid) -> auction.kind(bid) == BidKind.START)));
        simulator.advance();
        List<String> told = new ArrayList<>(List.of("between " + scheduler.isBetweenPlans()));
        Decision decision;
        do {
            decision = scheduler.decide(simulator.view());
            simulator.apply(decision);
            told.add((decision instanceof Decision.Start start ? "start " + start.job() : "wait") + ", between "
                    + scheduler.isBetweenPlans());
        } while (!(decision instanceof Decision.Wait));

        assertThat(told)
                .containsExactly(
                        "between true",
                        "start 0, between false",
                        "start 1, between true",
                        "start 2, between true",
                        "wait, between true");
    }

    @Test
    void of_equal_prices_the_lower_domain_has_the_job() {
        Simulator simulator = simulator(workload(new int[] {4}, new double[] {1}, job -> 0));
        DecentralisedAgents agents =
                onTwoServers(simulator, SHARING, first((auction, bid) -> auction.kind(bid) == BidKind.START));
        simulator.advance();

        simulator.apply(agents.next(new DecisionQueue()));

        assertThat(simulator.view().placement(0).server(0)).isZero();
    }

    /** Both want the only job; the other agent bids in the next round, in which nothing is left. */
    @ParameterizedTest
    @CsvSource({"1, 2, 1", "2, 1, 0", "-2, -1, 1", "-1, -2, 0"})
    void the_highest_price_has_the_job(double first, double second, int server) {
        Simulator simulator = simulator(workload(new int[] {4}, new double[] {1}, job -> 0));
        int[] agent = {0};
        DecentralisedAgents agents = new DecentralisedAgents(
                simulator.view(),
                TWO_SERVERS,
                Domains.even(TWO_SERVERS, 2),
                SHARING,
                auctions(false),
                () -> InterferenceModel.NONE,
                auctioneer -> {
                    double price = agent[0]++ == 0 ? first : second;
                    return (auction, firstLegal) -> new Offer(auction.size() - 1, price);
                },
                DecentralisedAgents.Workers.SEQUENTIAL);
        simulator.advance();

        simulator.apply(agents.next(new DecisionQueue()));

        assertThat(simulator.view().placement(0).server(0)).isEqualTo(server);
    }

    @Test
    void the_number_of_agents_and_the_age_of_summaries_change_decisions() {
        HashSet<String> logs = new HashSet<>();
        for (int domains : new int[] {1, 4, 16}) {
            logs.add(greedy(domains, owning(0, 2), DecentralisedAgents.Workers.SEQUENTIAL));
        }
        logs.add(greedy(4, owning(10, 2), DecentralisedAgents.Workers.SEQUENTIAL));
        logs.add(greedy(4, owning(0, 0), DecentralisedAgents.Workers.SEQUENTIAL));
        logs.add(greedy(4, SHARING, DecentralisedAgents.Workers.SEQUENTIAL));
        assertThat(logs).hasSize(6);
    }

    @Test
    void any_number_of_threads_gives_the_same_decisions() {
        DecentralisedAgents.Workers threads =
                (count, work) -> IntStream.range(0, count).parallel().forEach(work);
        for (DecentralisedSettings settings : List.of(owning(0, 2), owning(5, 2), SHARING)) {
            assertThat(greedy(8, settings, threads))
                    .isEqualTo(greedy(8, settings, DecentralisedAgents.Workers.SEQUENTIAL));
        }
    }

    @Test
    void a_job_that_fits_in_no_domain_is_placed_across_domains() {
        Simulator simulator = simulator(6, 20);
        Apart apart = new Apart(32, owning(0, 2), preempts(), scorer(6)::offer, DecentralisedAgents.Workers.SEQUENTIAL);
        int[] across = new int[1];
        simulator.run(view -> {
            Decision decision = apart.decide(view);
            if (decision instanceof Decision.Start start && start.placement().serverCount() > 1) {
                across[0]++;
                assertThat(view.job(start.job()).gpus()).isGreaterThan(4);
            }
            return decision;
        });

        assertThat(simulator.isDone()).isTrue();
        assertThat(across[0]).isGreaterThan(10);
        assertThat(apart.forwards.keySet())
                .allSatisfy(job -> assertThat(simulator.view().job(job).gpus()).isLessThanOrEqualTo(4));
    }

    @ParameterizedTest
    @CsvSource({"1, true", "4, true", "4, false"})
    void an_agent_decides_nothing_while_it_is_silent_and_goes_on_when_that_ends(int domains, boolean isOwning) {
        Silence silence = new Silence(0, 2, 3);
        DecentralisedSettings settings =
                new DecentralisedSettings(0, isOwning, Arrival.HASH, isOwning ? 2 : 0, List.of(silence));
        Apart apart =
                new Apart(domains, settings, preempts(), scorer(4)::offer, DecentralisedAgents.Workers.SEQUENTIAL);
        int ownServers = TOPOLOGY.servers() / domains;
        int[] byOthers = new int[1];
        List<Long> own = new ArrayList<>();
        Simulator simulator = simulator(4, 16);
        simulator.run(view -> {
            Decision decision = apart.decide(view);
            boolean isStart = decision instanceof Decision.Start;
            if (isStart || decision instanceof Decision.Preempt) {
                int server = isStart
                        ? ((Decision.Start) decision).placement().server(0)
                        : view.placement(decision.job()).server(0);
                if (server < ownServers) {
                    own.add(view.nowNanos());
                } else if (silence.lastsAt(view.nowNanos())) {
                    byOthers[0]++;
                }
            }
            return decision;
        });

        assertThat(simulator.isDone()).isTrue();
        assertThat(own).noneMatch(silence::lastsAt).contains(silence.endNanos());
        assertThat(byOthers[0] > 0).isEqualTo(domains > 1);
    }
}
