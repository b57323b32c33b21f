package org.trainyard.agents.learned.dqn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.Model;
import ai.djl.modality.rl.agent.RlAgent;
import ai.djl.modality.rl.env.RlEnv;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.Trainer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.learned.auction.AuctionWorlds;
import org.trainyard.agents.learned.bids.BidNetwork;
import org.trainyard.agents.learned.bids.BidRows;
import org.trainyard.agents.learned.bids.InitialBids;
import org.trainyard.agents.learned.training.WorkerPool;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.BidKind;
import org.trainyard.env.gym.reward.JctReward;

class BidQAgentTest {
    private final RandomGenerator random = RandomStreams.stream(1, "test/agent");
    private final BidNetwork bids = InitialBids.random(6, random);
    private final BidQNetwork network = new BidQNetwork(bids, 1);
    private final NDManager manager = NDManager.newBaseManager();
    private final Model model = Model.newInstance("q");
    private final HuberLoss loss = new HuberLoss();
    private final TimedReplayBuffer replay = new TimedReplayBuffer(12, 500, 1);
    private final AuctionEnv env = new AuctionEnv(
            manager,
            new ReferencePlays(
                    AuctionWorlds.policy(bids),
                    AuctionWorlds.deployment(),
                    JctReward::new,
                    4,
                    List.of(),
                    WorkerPool.SEQUENTIAL,
                    1),
            number -> () -> AuctionWorlds.simulator(number),
            replay,
            0.3);
    private final Trainer trainer = trainer();

    private Trainer trainer() {
        model.setBlock(network);
        return model.newTrainer(new DefaultTrainingConfig(loss));
    }

    /** Weights at random, of the target others than online, and a buffer of two episodes. */
    @BeforeEach
    void play() {
        for (String name : network.online().names()) {
            scatter(network.online().get(name));
            scatter(network.target().get(name));
        }
        network.stopTargetGradients();
        RlAgent agent = new BidAgent(bids);
        for (int episode = 0; episode < 2; episode++) {
            env.reset();
            while (!env.game().isOver()) {
                env.step(agent.chooseAction(env, true), true);
            }
        }
        replay.drawFrom(random);
    }

    private void scatter(NDArray weights) {
        weights.setRequiresGradient(false);
        float[] values = weights.toFloatArray();
        for (int i = 0; i < values.length; i++) {
            values[i] += (float) (0.2 * random.nextGaussian());
        }
        try (NDArray changed = manager.create(values, weights.getShape())) {
            weights.subi(weights);
            weights.addi(changed);
        }
        weights.setRequiresGradient(true);
    }

    @AfterEach
    void free() {
        trainer.close();
        model.close();
        env.close();
        manager.close();
        network.free();
    }

    private static double huber(double error) {
        return Math.abs(error) < 1 ? error * error / 2 : Math.abs(error) - 0.5;
    }

    private float[] gradient(String name) {
        try (NDArray gradient = network.online().get(name).getGradient()) {
            float[] values = gradient.toFloatArray();
            gradient.subi(gradient);
            return values;
        }
    }

    @Test
    void a_batch_at_once_has_the_gradient_of_its_steps_one_by_one() {
        BidQAgent agent = new BidQAgent(trainer, network);
        RlEnv.Step[] batch = replay.getBatch();
        for (RlEnv.Step step : batch) {
            agent.trainBatch(new RlEnv.Step[] {step});
        }
        double expected = loss.mean();
        Map<String, float[]> stepByStep = new HashMap<>();
        network.online().names().forEach(name -> stepByStep.put(name, gradient(name)));

        loss.clear();
        agent.trainBatch(batch);
        assertThat(loss.mean()).isCloseTo(expected, within(1e-5));
        stepByStep.forEach((name, values) -> {
            assertThat(values).as(name).isNotEqualTo(new float[values.length]);
            assertThat(gradient(name)).as(name).containsExactly(values, within(1e-4f));
        });
    }

    @Test
    void djls_agent_chooses_the_greatest_q_value_of_the_online_weights() {
        env.reset();
        while (!env.game().isOver()) {
            NDList chosen = new BidQAgent(trainer, network).chooseAction(env, false);
            BidTransition step = (BidTransition) env.step(chosen, false);
            double taken = qValue(step.before(), step.bid(), true);
            for (int bid = 0; bid < step.before().bids(); bid++) {
                assertThat(taken).isGreaterThan(qValue(step.before(), bid, true) - 1e-4);
            }
        }
    }

    @Test
    void a_target_is_the_reward_and_the_discounted_greatest_q_value_of_the_target_weights() {
        BidTransition step = (BidTransition) replay.getBatch()[0];
        assertThat(step.isDone()).isFalse();
        double most = Double.NEGATIVE_INFINITY;
        for (int bid = 0; bid < step.after().bids(); bid++) {
            most = Math.max(most, qValue(step.after(), bid, false));
        }
        double target = step.reward() + step.discount() * most;

        loss.clear();
        new BidQAgent(trainer, network).trainBatch(new RlEnv.Step[] {step});
        assertThat(loss.mean()).isCloseTo(huber(target - qValue(step.before(), step.bid(), true)), within(1e-4));
    }

    private double qValue(AuctionSnapshot auction, int bid, boolean isOnline) {
        float[] row = java.util.Arrays.copyOfRange(
                auction.rows(), bid * AuctionSnapshot.ROW, (bid + 1) * AuctionSnapshot.ROW);
        try (NDManager scope = manager.newSubManager()) {
            return network.qValues(
                            isOnline ? network.online() : network.target(),
                            scope.create(auction.state(), new Shape(1, AuctionSnapshot.STATE)),
                            scope.create(row, new Shape(1, AuctionSnapshot.ROW)))
                    .toFloatArray()[0];
        }
    }

    @Test
    void q_values_differ_between_bids_as_the_scores_of_the_exported_network_do() {
        BidNetwork exported = new BidNetwork(bids.hidden());
        network.exportTo(exported);
        float[] scratch = new float[bids.hidden()];
        int compared = 0;
        for (int age = 0; age < replay.size(); age++) {
            AuctionSnapshot auction = replay.get(age).before();
            double first = 0;
            for (int bid = 0; bid < auction.bids(); bid++) {
                int at = bid * AuctionSnapshot.ROW;
                int kind = 0;
                while (auction.rows()[at + BidColumn.COUNT + kind] == 0) {
                    kind++;
                }
                BidRows row = new BidRows();
                row.add(auction.rows(), at);
                double rest = qValue(auction, bid, true) - exported.score(kind, row, 0, new float[0], 0, scratch, 0);
                first = bid == 0 ? rest : first;
                assertThat(rest).isCloseTo(first, within(1e-4));
                compared += kind == BidKind.WAIT.index() ? 0 : 1;
            }
        }
        assertThat(compared).isGreaterThan(100);
    }
}
