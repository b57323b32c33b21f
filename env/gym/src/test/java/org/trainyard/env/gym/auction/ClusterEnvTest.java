package org.trainyard.env.gym.auction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.reward.DelayReward;
import org.trainyard.env.gym.reward.JctReward;
import org.trainyard.env.gym.reward.JobSpeeds;
import org.trainyard.env.gym.reward.Reward;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.Workload;

class ClusterEnvTest {
    private static final ModelProfile MODEL =
            new ModelProfile("model", 0.1, 1e6, 1L << 30, new Pressure(0, 0, 0), new Pressure(0, 0, 0));
    private static final Topology ONE = Topology.uniform("one", Fabric.DEFAULT, 1, 1, ServerSpec.ofV100(1), 1);
    private static final Topology MEDIUM = Topologies.medium();
    private static final Domains RACKS = Domains.racks(MEDIUM);

    /** One GPU, a job of two hours, and one of one hour that is submitted after half an hour. */
    private static Simulator twoJobs() {
        double[] hours = {2, 1};
        List<JobSpec> specs = new ArrayList<>();
        double[] iterations = new double[2];
        for (int i = 0; i < 2; i++) {
            specs.add(new JobSpec(i, "job" + i, i * 1_800_000_000_000L, 1, MODEL, 1 / MODEL.computeSeconds()));
            iterations[i] = specs.get(i).idealIterationsPerSecond() * hours[i] * 3600;
        }
        Workload workload = new Workload(specs, iterations);
        return new World(ONE, new RingPerformance(ONE, InterferenceModel.NONE), new Simulator.Options(0, true))
                .simulator(workload);
    }

    private static Auctioneer auctioneer(Simulator simulator, Domains domains) {
        return new Auctioneer(
                simulator.view(),
                new AuctionSettings(RemainingTime.GITTINS, 6, 5, 2, false, true),
                domains,
                AnalyticInterference.DEFAULT);
    }

    private static Simulator simulator(long seed) {
        Workload workload = RandomWorkloads.ofFewModels(seed, 80, 64);
        return new World(
                        MEDIUM,
                        new RingPerformance(MEDIUM, AnalyticInterference.DEFAULT),
                        new Simulator.Options(30_000_000_000L, true))
                .simulator(workload);
    }

    @Test
    void a_step_over_several_intervals_costs_the_closed_integral() {
        Simulator simulator = twoJobs();
        ClusterEnv env = new ClusterEnv(new JctReward(), 4);
        env.reset(simulator, auctioneer(simulator, Domains.racks(ONE)), null);

        // Nothing to choose: one job in the system until 0.5 h, two until 2 h, one until 3 h.
        assertThat(env.isDone()).isTrue();
        double one = 4 * (1 - Math.exp(-3 / 4.0));
        double second = 4 * (Math.exp(-0.5 / 4) - Math.exp(-2 / 4.0));
        assertThat(env.cost()).isCloseTo(one + second, within(1e-9));
        assertThat(env.discount()).isCloseTo(Math.exp(-3 / 4.0), within(1e-12));
        assertThat(env.elapsedHours()).isCloseTo(3, within(1e-9));
        // Two hours, and from half an hour to three.
        assertThat(env.meanJctSeconds()).isCloseTo((2 + 2.5) / 2 * 3600, within(1e-6));
        assertThat(env.agents()).isZero();
        assertThat(env.isLegal(0)).isFalse();
    }

    /**
     * The costs of one job per hour until half an hour, then of two; at one hour the episode is ended, with its jobs.
     */
    @Test
    void costs_are_told_as_they_change_and_the_end_once() {
        List<String> told = new ArrayList<>();
        ClusterEnv.CostSink sink = new ClusterEnv.CostSink() {
            @Override
            public void add(double hour, double costPerHour, SimView view) {
                told.add("%.1f h: %.0f".formatted(hour, costPerHour + 0.0));
            }

            @Override
            public void end(double hour, SimView view) {
                told.add("%.1f h: end".formatted(hour));
            }
        };
        Simulator simulator = twoJobs();
        ClusterEnv env = new ClusterEnv(new JctReward(), 4, 1, Domains.racks(ONE));
        env.reset(simulator, auctioneer(simulator, Domains.racks(ONE)), sink);

        assertThat(told).containsExactly("0.0 h: 0", "0.0 h: 1", "0.5 h: 2", "1.0 h: end");
        assertThat(env.isOver()).isTrue();
        assertThat(env.isDone()).isFalse();
        assertThat(env.meanJctSeconds()).isNaN();
        assertThat(env.agents()).isOne();
    }

    /** The costs of a step, added up by the closed integral over its intervals. */
    private static final class Intervals implements ClusterEnv.CostSink {
        private final double discountHours;
        private double begin;
        private double from;
        private double perHour;
        private double sum;
        private int counted;

        Intervals(double discountHours) {
            this.discountHours = discountHours;
        }

        void beginStep(double hour) {
            close(hour);
            begin = hour;
            sum = 0;
            counted = 0;
        }

        private void close(double hour) {
            sum += perHour
                    * discountHours
                    * (Math.exp(-(from - begin) / discountHours) - Math.exp(-(hour - begin) / discountHours));
            counted += hour > from ? 1 : 0;
            from = hour;
        }

        @Override
        public void add(double hour, double costPerHour, SimView view) {
            close(hour);
            perHour = costPerHour;
        }

        @Override
        public void end(double hour, SimView view) {
            close(hour);
            perHour = 0;
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void every_step_is_discounted_in_simulated_time(long seed) {
        double tau = 3;
        Simulator simulator = simulator(seed);
        ClusterEnv env =
                new ClusterEnv(new DelayReward(JobSpeeds.believed(MEDIUM, AnalyticInterference.DEFAULT), false), tau);
        Intervals intervals = new Intervals(tau);
        env.reset(simulator, auctioneer(simulator, RACKS), intervals);
        RandomGenerator random = RandomStreams.stream(seed, "test/bids");
        int several = 0;
        while (!env.isOver()) {
            intervals.beginStep(env.hour());
            double before = env.hour();
            env.step(random.nextInt(env.firstLegal(), env.auction().size()));
            intervals.close(env.hour());
            assertThat(env.cost()).isCloseTo(intervals.sum, within(1e-9 * (1 + intervals.sum)));
            assertThat(env.elapsedHours()).isCloseTo(env.hour() - before, within(1e-9));
            assertThat(env.discount()).isCloseTo(Math.exp(-(env.hour() - before) / tau), within(1e-9));
            several += intervals.counted > 1 ? 1 : 0;
        }
        assertThat(several).as("steps over several intervals").isGreaterThan(5);
    }

    @Test
    void an_episode_without_discount_costs_the_job_hours_of_its_jobs() {
        Simulator simulator = simulator(5);
        ClusterEnv env = new ClusterEnv(new JctReward(), Double.POSITIVE_INFINITY);
        env.reset(simulator, auctioneer(simulator, RACKS), null);
        double sum = env.cost();
        while (!env.isOver()) {
            env.step(env.auction().size() - 1);
            assertThat(env.discount()).isEqualTo(1);
            sum += env.cost();
        }
        assertThat(sum).isCloseTo(simulator.jobSeconds() / 3600, within(1e-6));
    }

    /** A random own bid of every agent that has one, at a random price. */
    private static List<@Nullable Offer> offers(Auction auction, int agents, RandomGenerator random) {
        List<@Nullable Offer> offers = new ArrayList<>();
        for (int agent = 0; agent < agents; agent++) {
            int own = agent;
            int[] bids = IntStream.range(0, auction.size())
                    .filter(bid -> auction.agent(bid) == own)
                    .toArray();
            offers.add(bids.length == 0 ? null : new Offer(bids[random.nextInt(bids.length)], random.nextDouble()));
        }
        return offers;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void the_highest_offer_wins_and_agents_pay_all_costs_between_them(long seed) {
        Reward reward = new DelayReward(JobSpeeds.believed(MEDIUM, AnalyticInterference.DEFAULT), false);
        Simulator simulator = simulator(seed);
        ClusterEnv env = new ClusterEnv(reward, 5, Double.POSITIVE_INFINITY, RACKS);
        env.reset(simulator, auctioneer(simulator, RACKS), null);
        RandomGenerator random = RandomStreams.stream(seed, "test/offers");
        double[] paid = new double[RACKS.count()];
        int waits = 0;
        while (!env.isOver()) {
            List<@Nullable Offer> offers = offers(env.auction(), RACKS.count(), random);
            double highest = offers.stream()
                    .filter(o -> o != null)
                    .mapToDouble(Offer::price)
                    .max()
                    .orElse(0);
            boolean mayWait = env.firstLegal() == 0;
            int won = env.step(offers, 0.5);
            waits += won == 0 ? 1 : 0;
            if (won == 0) {
                assertThat(mayWait).isTrue();
                assertThat(highest).isLessThanOrEqualTo(0.5);
            } else {
                assertThat(offers).contains(new Offer(won, highest));
            }
            double sum = 0;
            for (int agent = 0; agent < paid.length; agent++) {
                paid[agent] += env.cost(agent);
                sum += env.cost(agent);
            }
            assertThat(sum).isCloseTo(env.cost(), within(1e-9 * (1 + env.cost())));
        }
        assertThat(env.isDone()).isTrue();
        assertThat(waits).isPositive();
        assertThat(Arrays.stream(paid).distinct().count()).isEqualTo(paid.length);
    }

    /**
     * Two racks of one server with four GPUs. A gang of six begins in the first, a job of two runs in the second, and
     * one of eight waits, which both pay alike: an hour costs each owner its running job and half of the waiting one.
     */
    @Test
    void a_gang_is_paid_where_it_begins_and_a_waiting_job_by_all_alike() {
        Topology racks = Topology.uniform("racks", Fabric.DEFAULT, 2, 1, ServerSpec.ofV100(4), 1);
        int[] gpus = {6, 2, 8};
        List<JobSpec> specs = new ArrayList<>();
        double[] iterations = new double[3];
        for (int job = 0; job < 3; job++) {
            specs.add(new JobSpec(job, "job" + job, 0, gpus[job], MODEL, 1 / MODEL.computeSeconds()));
            iterations[job] = 3600 * specs.get(job).idealIterationsPerSecond();
        }
        Reward byGpus = (view, job) -> -view.job(job).gpus();
        Simulator simulator = new World(racks, new RatedPerformance(), new Simulator.Options(0, true))
                .simulator(new Workload(specs, iterations));
        Domains domains = Domains.racks(racks);
        ClusterEnv env = new ClusterEnv(byGpus, Double.POSITIVE_INFINITY, 1, domains);
        env.reset(simulator, auctioneer(simulator, domains), null);
        double[] cost = new double[2];
        for (int job : new int[] {0, 1}) {
            int own = job;
            env.step(IntStream.range(0, env.auction().size())
                    .filter(bid -> env.auction().job(bid) == own
                            && env.auction().kind(bid) == BidKind.START
                            && env.auction().agent(bid) == own)
                    .findFirst()
                    .orElseThrow());
            cost[0] += env.cost(0);
            cost[1] += env.cost(1);
        }
        while (!env.isOver()) {
            env.step(0);
            cost[0] += env.cost(0);
            cost[1] += env.cost(1);
        }

        assertThat(simulator.view().nowNanos()).isEqualTo(3_600_000_000_000L);
        assertThat(cost[0]).isCloseTo(6 + 4, within(1e-9));
        assertThat(cost[1]).isCloseTo(2 + 4, within(1e-9));
    }

    @Test
    void whoever_offers_nothing_lets_time_pass_where_waiting_is_legal() {
        Simulator simulator = simulator(1);
        ClusterEnv env = new ClusterEnv(new JctReward(), 5, Double.POSITIVE_INFINITY, RACKS);
        env.reset(simulator, auctioneer(simulator, RACKS), null);
        List<@Nullable Offer> none = new ArrayList<>();
        for (int agent = 0; agent < RACKS.count(); agent++) {
            none.add(null);
        }
        while (!env.isOver()) {
            int first = env.firstLegal();
            assertThat(env.step(none, 0)).isEqualTo(first);
        }
        assertThat(env.isDone()).isTrue();
    }

    @Test
    void an_offer_of_anothers_bid_is_refused() {
        Simulator simulator = simulator(1);
        ClusterEnv env = new ClusterEnv(new JctReward(), 5, Double.POSITIVE_INFINITY, RACKS);
        env.reset(simulator, auctioneer(simulator, RACKS), null);
        int bid = env.auction().size() - 1;
        int other = env.auction().agent(bid) == 0 ? 1 : 0;
        List<@Nullable Offer> offers = new ArrayList<>(List.of(new Offer(0, 1), new Offer(0, 1)));
        offers.set(1 - other, null);
        offers.set(other, new Offer(bid, 1));
        assertThatThrownBy(() -> env.step(offers, 0)).hasMessageContaining("does not own bid (" + bid + ")");
        assertThat(env.isOwn(other, bid)).isFalse();
        assertThat(env.isOwn(env.auction().agent(bid), bid)).isTrue();
        assertThat(env.isLegal(bid)).isTrue();
        assertThat(env.isLegal(bid + 1)).isFalse();
        assertThat(env.isLegal(env.firstLegal())).isTrue();
        assertThat(env.isLegal(env.firstLegal() - 1)).isFalse();
    }

    /** By step the bids of the next auction, the time and what each agent paid, of at most so many steps by lot. */
    private static List<List<Double>> play(ClusterEnv env, long seed, int steps) {
        Simulator simulator = simulator(seed);
        env.reset(simulator, auctioneer(simulator, RACKS), null);
        RandomGenerator random = RandomStreams.stream(seed, "test/bids");
        List<List<Double>> played = new ArrayList<>();
        for (int step = 0; step < steps && !env.isOver(); step++) {
            env.step(random.nextInt(env.firstLegal(), env.auction().size()));
            List<Double> figures =
                    new ArrayList<>(List.of((double) env.auction().size(), env.hour(), env.cost(), env.discount()));
            IntStream.range(0, RACKS.count()).forEach(agent -> figures.add(env.cost(agent)));
            played.add(figures);
        }
        return played;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 40, 100_000})
    void a_second_reset_begins_anew_however_far_the_episode_before_went(int steps) {
        ClusterEnv again = new ClusterEnv(new JctReward(), 5, 20, RACKS);
        play(again, 2, steps);

        assertThat(play(again, 1, 100_000))
                .isEqualTo(play(new ClusterEnv(new JctReward(), 5, 20, RACKS), 1, 100_000))
                .hasSizeGreaterThan(100);
    }

    @Test
    void an_episode_ends_at_its_horizon() {
        Simulator simulator = simulator(1);
        ClusterEnv env = new ClusterEnv(new JctReward(), Double.POSITIVE_INFINITY, 2, RACKS);
        env.reset(simulator, auctioneer(simulator, RACKS), null);
        double hours = env.elapsedHours();
        while (!env.isOver()) {
            env.step(env.auction().size() - 1);
            hours += env.elapsedHours();
        }
        assertThat(env.isDone()).isFalse();
        assertThat(env.hour()).isEqualTo(2);
        assertThat(hours).isCloseTo(2, within(1e-9));
        assertThatThrownBy(() -> env.step(1)).hasMessageContaining("no auction is open");
    }
}
