package org.trainyard.agents.learned.dqn;

import ai.djl.modality.rl.ActionSpace;
import ai.djl.modality.rl.env.RlEnv;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A step of the auction's environment, or several in a row, as plain numbers until its tensors are needed. */
final class BidTransition implements RlEnv.Step {
    private final NDManager parent;
    private final AuctionSnapshot before;
    private final int bid;
    private final AuctionSnapshot after;
    private final float reward;
    private final double discount;
    private final double hours;
    private final boolean done;
    private @Nullable NDManager scope;

    /**
     * @param bid that won, counted among the legal ones
     * @param reward discounted inside the step
     * @param discount what a reward after the step counts
     * @param hours simulated time that the step took
     */
    BidTransition(
            NDManager parent,
            AuctionSnapshot before,
            int bid,
            AuctionSnapshot after,
            float reward,
            double discount,
            double hours,
            boolean done) {
        this.parent = parent;
        this.before = before;
        this.bid = bid;
        this.after = after;
        this.reward = reward;
        this.discount = discount;
        this.hours = hours;
        this.done = done;
    }

    /** This step and the one after it, as one. */
    BidTransition then(BidTransition next) {
        return new BidTransition(
                parent,
                before,
                bid,
                next.after,
                (float) (reward + discount * next.reward),
                discount * next.discount,
                hours + next.hours,
                next.done);
    }

    AuctionSnapshot before() {
        return before;
    }

    int bid() {
        return bid;
    }

    AuctionSnapshot after() {
        return after;
    }

    float reward() {
        return reward;
    }

    double discount() {
        return discount;
    }

    double hours() {
        return hours;
    }

    /**
     * Writes the step.
     *
     * @param withBefore whether the auction before the step is written, too: it need not be where it is the one after the last step
     */
    void write(DataOutput out, boolean withBefore) throws IOException {
        out.writeBoolean(withBefore);
        if (withBefore) {
            before.write(out);
        }
        out.writeInt(bid);
        out.writeFloat(reward);
        out.writeDouble(discount);
        out.writeDouble(hours);
        out.writeBoolean(done);
        after.write(out);
    }

    /** Reads a step that follows one that ended in {@code previous}. */
    static BidTransition read(DataInput in, AuctionSnapshot previous, NDManager parent) throws IOException {
        AuctionSnapshot before = in.readBoolean() ? AuctionSnapshot.read(in) : previous;
        int bid = in.readInt();
        float reward = in.readFloat();
        double discount = in.readDouble();
        double hours = in.readDouble();
        boolean done = in.readBoolean();
        return new BidTransition(parent, before, bid, AuctionSnapshot.read(in), reward, discount, hours, done);
    }

    private NDManager scope() {
        NDManager open = scope;
        if (open == null) {
            open = parent.newSubManager();
            scope = open;
        }
        return open;
    }

    @Override
    public NDList getPreObservation() {
        return before.observation(scope(), 1);
    }

    @Override
    public NDList getAction() {
        return before.action(scope(), bid);
    }

    @Override
    public NDList getPostObservation() {
        return after.observation(scope(), discount);
    }

    @Override
    public ActionSpace getPostActionSpace() {
        return after.actions(scope());
    }

    @Override
    public NDArray getReward() {
        return scope().create(reward);
    }

    @Override
    public boolean isDone() {
        return done;
    }

    /** Frees its tensors; they are made again on demand. */
    @Override
    public void close() {
        if (scope != null) {
            scope.close();
            scope = null;
        }
    }
}
