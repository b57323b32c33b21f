package org.trainyard.agents.learned.auction;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.inside.InsideAscent;
import org.trainyard.agents.learned.inside.InsideLevel;
import org.trainyard.agents.learned.training.ArrayAdam;

/** Moves the weights of an encoder uphill, with an optimiser and a clipped gradient norm of its own. */
final class EncoderAscent implements AutoCloseable {
    /** Equal parts of a minibatch, as in {@link BidAscent}, but fewer: the larger they are, the more equal rows meet. */
    private static final int PARTS = 2;

    private final BidEncoder encoder;
    private final ArrayAdam adam;
    private final List<EncoderGradient> parts;
    private final float[] gradient;
    private final @Nullable InsideAscent inside;

    EncoderAscent(BidEncoder encoder) {
        this.encoder = encoder;
        adam = new ArrayAdam(encoder.weights().length);
        parts = Stream.generate(() -> new EncoderGradient(encoder)).limit(PARTS).toList();
        gradient = new float[encoder.weights().length];
        InsideLevel level = encoder.inside();
        inside = level == null || !level.learns() ? null : new InsideAscent(level);
    }

    /** Parts that can be computed at once. */
    int parts() {
        return parts.size();
    }

    /** Computes the gradient of a part of a minibatch, and adds that by the bid network's weights to {@code bids}. */
    void compute(int part, AuctionBatch batch, int from, int to, BidGradient bids) {
        parts.get(part).compute(batch, from, to, bids);
    }

    /** Moves the weights by the gradient of a minibatch of so many auctions; returns its norm before clipping. */
    double step(int size, double learningRate) {
        Arrays.fill(gradient, 0);
        for (EncoderGradient part : parts) {
            part.addTo(gradient, 1f / size);
        }
        if (inside != null) {
            inside.step(parts.stream().map(EncoderGradient::ofSets).toList(), size, learningRate);
        }
        return adam.step(encoder.weights(), gradient, learningRate);
    }

    /** Writes the state of the optimiser. */
    void write(DataOutput out) throws IOException {
        adam.write(out);
        if (inside != null) {
            inside.write(out);
        }
    }

    void read(DataInput in) throws IOException {
        adam.read(in);
        if (inside != null) {
            inside.read(in);
        }
    }

    @Override
    public void close() {
        if (inside != null) {
            inside.close();
        }
    }
}
