package org.trainyard.env.gym;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.gym.EnvChecker.Finding;
import org.trainyard.env.gym.EnvChecker.Rule;
import org.trainyard.env.gym.auction.AuctionSettings;
import org.trainyard.env.gym.auction.Auctioneer;
import org.trainyard.env.gym.auction.ClusterEnv;
import org.trainyard.env.gym.auction.RemainingTime;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.reward.DelayReward;
import org.trainyard.env.gym.reward.JobSpeeds;
import org.trainyard.env.gym.reward.NormalisedProgressReward;
import org.trainyard.env.gym.reward.Reward;
import org.trainyard.env.gym.reward.SlowdownReward;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Workload;

class EnvCheckerTest {
    private static final Topology TOPOLOGY = Topologies.small();
    private static final Domains RACKS = Domains.even(TOPOLOGY, 2);

    private static Simulator simulator(long episode) {
        Workload workload = RandomWorkloads.ofFewModels(episode, 30, TOPOLOGY.gpus());
        return new World(
                        TOPOLOGY,
                        new RingPerformance(TOPOLOGY, AnalyticInterference.DEFAULT),
                        new Simulator.Options(30_000_000_000L, true))
                .simulator(workload);
    }

    private static Auctioneer auctioneer(Simulator simulator) {
        return new Auctioneer(
                simulator.view(),
                new AuctionSettings(RemainingTime.GITTINS, 6, 5, 2, false, true),
                RACKS,
                AnalyticInterference.DEFAULT);
    }

    private static List<Finding> check(Supplier<Reward> rewards, int mostSteps) {
        return EnvChecker.check(
                () -> new ClusterEnv(rewards.get(), 8, Double.POSITIVE_INFINITY, RACKS),
                EnvCheckerTest::simulator,
                EnvCheckerTest::auctioneer,
                3,
                mostSteps);
    }

    @Test
    void our_rewards_pass() {
        JobSpeeds speeds = JobSpeeds.believed(TOPOLOGY, AnalyticInterference.DEFAULT);
        assertThat(check(() -> new DelayReward(speeds, false), 100_000)).isEmpty();
        assertThat(check(() -> new SlowdownReward(speeds), 100_000)).isEmpty();
        assertThat(check(() -> new NormalisedProgressReward(speeds), 100_000)).isEmpty();
    }

    @Test
    void one_player_passes_to_a_horizon() {
        assertThat(EnvChecker.check(
                        () -> new ClusterEnv((view, job) -> -1, Double.POSITIVE_INFINITY, 4, null),
                        EnvCheckerTest::simulator,
                        EnvCheckerTest::auctioneer,
                        3,
                        100_000))
                .isEmpty();
    }

    @Test
    void a_reward_that_is_no_number_is_found() {
        List<Finding> findings = check(() -> (view, job) -> view.runningCount() > 3 ? Double.NaN : -1, 100_000);

        assertThat(findings).extracting(Finding::rule).contains(Rule.COST);
        assertThat(findings.get(0).toString()).contains("COST, episode ").contains("the cost is NaN");
    }

    @Test
    void a_reward_with_a_memory_is_found() {
        AtomicInteger calls = new AtomicInteger();
        List<Finding> findings = check(() -> (view, job) -> -calls.incrementAndGet(), 100_000);

        assertThat(findings).extracting(Finding::rule).contains(Rule.DETERMINISM);
    }

    @Test
    void a_reward_that_remembers_the_last_episode_is_found() {
        List<Finding> findings = check(
                () -> {
                    long[] latest = new long[1];
                    return (view, job) -> {
                        latest[0] = Math.max(latest[0], view.nowNanos());
                        return latest[0] > view.nowNanos() ? -2 : -1;
                    };
                },
                100_000);

        assertThat(findings).extracting(Finding::rule).contains(Rule.DETERMINISM);
        assertThat(findings).extracting(Finding::episode).containsOnly(1L);
    }

    @Test
    void an_episode_that_does_not_end_is_found() {
        assertThat(check(() -> (view, job) -> -1, 5)).extracting(Finding::rule).containsExactly(Rule.END);
    }
}
