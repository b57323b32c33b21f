package org.trainyard.agents.learned.dqn;

import ai.djl.modality.rl.ActionSpace;
import ai.djl.modality.rl.env.RlEnv;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.function.Supplier;

/**
 * A step of the auction's environment, or several in a row, as plain numbers until its tensors are asked for.
 *
 * @param scope in which tensors are made; its owner frees them
 * @param bid that won, counted among the legal ones
 * @param reward discounted inside the step
 * @param discount what a reward after the step counts
 * @param hours simulated time that the step took
 */
record BidTransition(
        Supplier<NDManager> scope,
        AuctionSnapshot before,
        int bid,
        AuctionSnapshot after,
        float reward,
        double discount,
        double hours,
        boolean isDone)
        implements RlEnv.Step {
    /** This step and the one after it, as one. */
    BidTransition then(BidTransition next) {
        return new BidTransition(
                scope,
                before,
                bid,
                next.after,
                (float) (reward + discount * next.reward),
                discount * next.discount,
                hours + next.hours,
                next.isDone);
    }

    /** Writes the step without the auction before it. */
    void write(DataOutput out) throws IOException {
        out.writeInt(bid);
        out.writeFloat(reward);
        out.writeDouble(discount);
        out.writeDouble(hours);
        out.writeBoolean(isDone);
        after.write(out);
    }

    /** Reads what {@link #write} wrote of a step from {@code before}. */
    static BidTransition read(DataInput in, AuctionSnapshot before, Supplier<NDManager> scope) throws IOException {
        int bid = in.readInt();
        float reward = in.readFloat();
        double discount = in.readDouble();
        double hours = in.readDouble();
        boolean isDone = in.readBoolean();
        return new BidTransition(scope, before, bid, AuctionSnapshot.read(in), reward, discount, hours, isDone);
    }

    @Override
    public NDList getPreObservation() {
        return before.observation(scope.get(), 1);
    }

    @Override
    public NDList getAction() {
        return before.actions(scope.get()).get(bid);
    }

    @Override
    public NDList getPostObservation() {
        return after.observation(scope.get(), discount);
    }

    @Override
    public ActionSpace getPostActionSpace() {
        return after.actions(scope.get());
    }

    @Override
    public NDArray getReward() {
        return scope.get().create(reward);
    }

    @Override
    public void close() {
        // Tensors are freed with their scope.
    }
}
