package org.trainyard.agents.learned.dqn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.djl.modality.rl.LruReplayBuffer;
import ai.djl.modality.rl.agent.RlAgent;
import ai.djl.modality.rl.env.RlEnv;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.learned.LearnedWorlds;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.bids.InitialBids;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.agents.learned.training.WorkerPool;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.AuctionSettings;
import org.trainyard.env.gym.auction.ClusterEnv;
import org.trainyard.env.gym.auction.RemainingTime;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.reward.DelayReward;
import org.trainyard.env.gym.reward.JctReward;
import org.trainyard.env.gym.reward.JobSpeeds;
import org.trainyard.env.gym.reward.Reward;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

class AuctionEnvTest {
    private static final Topology SMALL = Topologies.small();
    private static final Deployment DEPLOYMENT =
            new Deployment(SMALL, Domains.racks(SMALL), true, LearnedWorlds.BELIEF);

    private final List<Simulator> played = new ArrayList<>();

    private static BidPolicy policy(long seed) {
        return new BidPolicy(
                InitialBids.random(8, RandomStreams.stream(seed, "test/weights")),
                new AuctionSettings(RemainingTime.GITTINS, 6, 4, 2, true, true));
    }

    private Simulator simulator(long episode) {
        Simulator simulator = LearnedWorlds.world(SMALL).simulator(LearnedWorlds.random(episode, 40));
        played.add(simulator);
        return simulator;
    }

    private AuctionEnv env(NDManager manager, ReferencePlays plays) {
        return new AuctionEnv(manager, plays, episode -> () -> simulator(episode), new LruReplayBuffer(4, 64), 0.5);
    }

    private AuctionEnv env(NDManager manager) {
        return env(manager, plays(new JctReward(), Double.POSITIVE_INFINITY, 0));
    }

    private static ReferencePlays plays(Reward reward, double discountHours, int plays) {
        return new ReferencePlays(
                policy(1),
                DEPLOYMENT,
                () -> reward,
                discountHours,
                ReferencePlays.records(plays),
                WorkerPool.SEQUENTIAL,
                1);
    }

    /** Chooses among the bids on offer, and looks at every batch. */
    private static final class RandomAgent implements RlAgent {
        private final RandomGenerator random = RandomStreams.stream(1, "test/agent");
        private int batches;

        @Override
        public NDList chooseAction(RlEnv env, boolean training) {
            return env.getActionSpace().get(random.nextInt(env.getActionSpace().size()));
        }

        @Override
        public void trainBatch(RlEnv.Step[] batch) {
            for (RlEnv.Step step : batch) {
                assertThat(step.getReward().getFloat()).isNotPositive();
                assertThat(step.getPreObservation().get(0).size())
                        .isEqualTo(step.getPostObservation().get(0).size());
                assertThat(step.getPostObservation().get(1).getFloat()).isBetween(0f, 1f);
                assertThat(step.getPostActionSpace().isEmpty()).isEqualTo(step.isDone());
                step.close();
            }
            batches++;
        }
    }

    @Test
    void a_bid_policy_played_through_djl_makes_the_same_schedule_as_its_scheduler() {
        try (NDManager manager = NDManager.newBaseManager()) {
            int preempted = 0;
            for (int seed = 1; seed <= 4; seed++) {
                BidPolicy policy = policy(seed);
                try (AuctionEnv env = env(manager, plays(new JctReward(), 10, 0))) {
                    env.runEnvironment(new BidAgent(policy.network()), false);
                    RunResult here = played.get(played.size() - 1).result();
                    RunResult there = simulator(0).run(policy.scheduler(DEPLOYMENT));
                    assertThat(here.eventLogSha256()).isEqualTo(there.eventLogSha256());
                    assertThat(env.game().meanJctSeconds()).isCloseTo(there.meanJctSeconds(), within(1e-6));
                    preempted += here.jobs().stream()
                            .mapToInt(JobOutcome::preemptions)
                            .sum();
                }
            }
            assertThat(preempted).isPositive();
        }
    }

    @Test
    void rewards_without_discount_add_up_to_the_job_hours_of_the_episode() {
        try (NDManager manager = NDManager.newBaseManager();
                AuctionEnv env = env(manager)) {
            double total = env.runEnvironment(new RandomAgent(), false);
            assertThat(total).isCloseTo(-0.5 * played.get(0).jobSeconds() / 3600, within(1e-3));
        }
    }

    @Test
    void the_observation_holds_the_columns_that_all_bids_share() {
        try (NDManager manager = NDManager.newBaseManager();
                AuctionEnv env = env(manager)) {
            env.reset();
            float[] state = env.getObservation().get(0).toFloatArray();
            assertThat(env.getActionSpace()).hasSizeGreaterThan(1);
            for (NDList bid : env.getActionSpace()) {
                float[] row = bid.singletonOrThrow().toFloatArray();
                assertThat(row).hasSize(AuctionSnapshot.ROW);
                for (int c = 0; c < AuctionSnapshot.SHARED_COLUMNS; c++) {
                    assertThat(row[AuctionSnapshot.FIRST_SHARED + c]).isEqualTo(state[c]);
                }
            }
        }
    }

    @Test
    void an_action_that_nobody_offered_is_refused() {
        try (NDManager manager = NDManager.newBaseManager();
                AuctionEnv env = env(manager)) {
            env.reset();
            NDList foreign = new NDList(manager.create(new float[AuctionSnapshot.ROW]));
            assertThatThrownBy(() -> env.step(foreign, false))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("none of the (");
        }
    }

    @Test
    void reference_plays_change_the_return_by_their_cost_and_nothing_else() {
        Reward reward = new DelayReward(JobSpeeds.believed(SMALL, LearnedWorlds.BELIEF), false);
        ReferencePlays plays = plays(reward, 5, 3);
        try (NDManager manager = NDManager.newBaseManager();
                AuctionEnv plain = env(manager, plays(reward, 5, 0));
                AuctionEnv shaped = env(manager, plays)) {
            double difference = discountedReturn(shaped) - discountedReturn(plain);
            double cost = plays.play(() -> simulator(0), 0, 0).stream()
                    .mapToDouble(play -> play.atHour(firstHour()) / 3)
                    .sum();
            assertThat(cost).isPositive();
            assertThat(difference).isCloseTo(0.5 * cost, within(1e-4));
        }
    }

    /** When the first choice is. */
    private double firstHour() {
        ClusterEnv game = new ClusterEnv(new JctReward(), 5);
        Simulator simulator = simulator(0);
        game.reset(simulator, policy(1).auctioneer(simulator.view(), DEPLOYMENT), null);
        return game.hour();
    }

    private static double discountedReturn(AuctionEnv env) {
        BidAgent agent = new BidAgent(policy(2).network());
        env.reset();
        double sum = 0;
        double discount = 1;
        while (!env.game().isOver()) {
            RlEnv.Step step = env.step(agent.chooseAction(env, false), false);
            sum += discount * step.getReward().getFloat();
            discount *= step.getPostObservation().get(1).getFloat();
        }
        return sum;
    }

    @Test
    void an_agent_of_djl_plays_whole_episodes_and_leaves_no_tensors_behind() {
        try (NDManager manager = NDManager.newBaseManager();
                AuctionEnv env = env(manager)) {
            RandomAgent agent = new RandomAgent();
            for (int episode = 0; episode < 6; episode++) {
                assertThat(env.runEnvironment(agent, false)).isNegative();
                assertThat(manager.getManagedArrays()).hasSizeLessThan(200);
            }
            env.reset();
            while (!env.game().isOver()) {
                env.step(agent.chooseAction(env, true), true);
                agent.trainBatch(env.getBatch());
            }
            assertThat(agent.batches).isGreaterThan(50);
            assertThat(manager.getManagedArrays()).hasSizeLessThan(200);
        }
    }
}
