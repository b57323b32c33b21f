package org.trainyard.agents.learned.dqn;

import ai.djl.modality.rl.agent.QAgent;
import ai.djl.modality.rl.env.RlEnv;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import ai.djl.training.Trainer;
import java.nio.FloatBuffer;
import org.trainyard.gnn.Parameters;

/**
 * DJL's {@code QAgent} with target weights, and with batches that are batches: {@code QAgent} makes one forward and one
 * backward pass for every step, this agent one for all. The loss is summed over the batch.
 */
final class BidQAgent extends QAgent {
    private final Trainer trainer;
    private final BidQNetwork network;

    /** @param trainer of {@code network}, with the loss */
    BidQAgent(Trainer trainer, BidQNetwork network) {
        super(trainer, 1);
        this.trainer = trainer;
        this.network = network;
    }

    @Override
    public void trainBatch(RlEnv.Step[] batch) {
        float[] targets = targets(batch);
        FloatBuffer states = FloatBuffer.allocate(batch.length * AuctionSnapshot.STATE);
        FloatBuffer rows = FloatBuffer.allocate(batch.length * AuctionSnapshot.ROW);
        for (RlEnv.Step each : batch) {
            BidTransition step = (BidTransition) each;
            states.put(step.before().state());
            rows.put(step.before().rows(), step.bid() * AuctionSnapshot.ROW, AuctionSnapshot.ROW);
        }
        try (NDManager scope = network.online().newScope();
                GradientCollector collector = trainer.newGradientCollector()) {
            NDArray qValues = qValues(scope, network.online(), states, rows);
            collector.backward(trainer.getLoss().evaluate(new NDList(scope.create(targets)), new NDList(qValues)));
        }
    }

    /** The reward of each step plus the discounted greatest Q value after it, by the target weights. */
    private float[] targets(RlEnv.Step[] batch) {
        int bids = 0;
        for (RlEnv.Step step : batch) {
            bids += ((BidTransition) step).after().bids();
        }
        FloatBuffer states = FloatBuffer.allocate(bids * AuctionSnapshot.STATE);
        FloatBuffer rows = FloatBuffer.allocate(bids * AuctionSnapshot.ROW);
        for (RlEnv.Step step : batch) {
            AuctionSnapshot after = ((BidTransition) step).after();
            rows.put(after.rows());
            for (int bid = 0; bid < after.bids(); bid++) {
                states.put(after.state());
            }
        }
        float[] next = {};
        if (bids > 0) {
            try (NDManager scope = network.online().newScope()) {
                next = qValues(scope, network.target(), states, rows).toFloatArray();
            }
        }
        float[] targets = new float[batch.length];
        int at = 0;
        for (int i = 0; i < batch.length; i++) {
            BidTransition step = (BidTransition) batch[i];
            float most = step.isDone() ? 0 : Float.NEGATIVE_INFINITY;
            for (int bid = 0; bid < step.after().bids(); bid++) {
                most = Math.max(most, next[at++]);
            }
            targets[i] = step.reward() + (float) step.discount() * most;
        }
        return targets;
    }

    private NDArray qValues(NDManager scope, Parameters weights, FloatBuffer states, FloatBuffer rows) {
        int bids = rows.position() / AuctionSnapshot.ROW;
        return network.qValues(
                weights,
                scope.create(states.array(), new Shape(bids, AuctionSnapshot.STATE)),
                scope.create(rows.array(), new Shape(bids, AuctionSnapshot.ROW)));
    }
}
