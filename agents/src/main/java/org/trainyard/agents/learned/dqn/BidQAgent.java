package org.trainyard.agents.learned.dqn;

import ai.djl.modality.rl.agent.QAgent;
import ai.djl.modality.rl.env.RlEnv;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import ai.djl.training.Trainer;

/**
 * DJL's {@code QAgent} with batches that are batches: {@code QAgent} makes one forward and one backward pass for every step of a batch, this agent
 * one for all. The loss and its gradient are the same, summed over the batch.
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
        BidTransition[] steps = new BidTransition[batch.length];
        for (int i = 0; i < batch.length; i++) {
            steps[i] = (BidTransition) batch[i];
        }
        try (NDManager scope = network.online().newScope()) {
            NDArray labels = scope.create(targets(steps));
            NDArray states = states(scope, steps);
            NDArray rows = taken(scope, steps);
            try (GradientCollector collector = trainer.newGradientCollector()) {
                NDArray qValues = network.qValues(network.online(), states, rows);
                collector.backward(trainer.getLoss().evaluate(new NDList(labels), new NDList(qValues)));
            }
        }
    }

    private static NDArray states(NDManager scope, BidTransition[] steps) {
        float[] states = new float[steps.length * AuctionSnapshot.STATE];
        for (int i = 0; i < steps.length; i++) {
            System.arraycopy(steps[i].before().state(), 0, states, i * AuctionSnapshot.STATE, AuctionSnapshot.STATE);
        }
        return scope.create(states, new Shape(steps.length, AuctionSnapshot.STATE));
    }

    private static NDArray taken(NDManager scope, BidTransition[] steps) {
        float[] rows = new float[steps.length * AuctionSnapshot.ROW];
        for (int i = 0; i < steps.length; i++) {
            int from = steps[i].bid() * AuctionSnapshot.ROW;
            System.arraycopy(steps[i].before().rows(), from, rows, i * AuctionSnapshot.ROW, AuctionSnapshot.ROW);
        }
        return scope.create(rows, new Shape(steps.length, AuctionSnapshot.ROW));
    }

    /** The reward of each step plus the discounted greatest Q value after it, by the target weights. */
    private float[] targets(BidTransition[] steps) {
        float[] targets = new float[steps.length];
        int bids = 0;
        for (BidTransition step : steps) {
            bids += step.isDone() ? 0 : step.after().bids();
        }
        float[] next = bids == 0 ? new float[0] : next(steps, bids);
        int at = 0;
        for (int i = 0; i < steps.length; i++) {
            targets[i] = steps[i].reward();
            if (!steps[i].isDone()) {
                float most = Float.NEGATIVE_INFINITY;
                for (int bid = 0; bid < steps[i].after().bids(); bid++) {
                    most = Math.max(most, next[at++]);
                }
                targets[i] += (float) steps[i].discount() * most;
            }
        }
        return targets;
    }

    private float[] next(BidTransition[] steps, int bids) {
        float[] states = new float[bids * AuctionSnapshot.STATE];
        float[] rows = new float[bids * AuctionSnapshot.ROW];
        int at = 0;
        for (BidTransition step : steps) {
            AuctionSnapshot after = step.after();
            for (int bid = 0; bid < after.bids() && !step.isDone(); bid++) {
                System.arraycopy(after.state(), 0, states, at * AuctionSnapshot.STATE, AuctionSnapshot.STATE);
                System.arraycopy(
                        after.rows(), bid * AuctionSnapshot.ROW, rows, at * AuctionSnapshot.ROW, AuctionSnapshot.ROW);
                at++;
            }
        }
        try (NDManager scope = network.online().newScope()) {
            return network.qValues(
                            network.target(),
                            scope.create(states, new Shape(bids, AuctionSnapshot.STATE)),
                            scope.create(rows, new Shape(bids, AuctionSnapshot.ROW)))
                    .toFloatArray();
        }
    }
}
