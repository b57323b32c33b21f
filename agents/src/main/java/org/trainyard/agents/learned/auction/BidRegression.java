package org.trainyard.agents.learned.auction;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.trainyard.agents.learned.training.ArrayAdam;
import org.trainyard.agents.learned.training.FiniteCheck;
import org.trainyard.agents.learned.training.WorkerPool;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.BidKind;

/** Fits a network to wanted distributions over the bids of some auctions, by minibatch descent on the cross-entropy. */
public final class BidRegression {
    /** Equal parts of a minibatch whose gradients are summed in this order, whatever the number of threads. */
    private static final int PARTS = 4;

    private final BidNetwork network;
    private final WorkerPool pool;
    private final ArrayAdam adam;
    private final EpisodeRecord record = new EpisodeRecord();
    private final List<double[]> targets = new ArrayList<>();
    private final List<BidGradient> parts;
    private final float[] gradient;

    /**
     * Figures of a fit.
     *
     * @param divergenceBefore KL(target || policy) in the first epoch, nats
     * @param divergenceAfter KL(target || policy) in the last epoch, nats
     * @param entropy of the policy in the first epoch, nats
     * @param gradientNorm mean over the steps, before clipping
     * @param steps gradient steps
     */
    public record Result(
            double divergenceBefore, double divergenceAfter, double entropy, double gradientNorm, int steps) {}

    /** Of a network that changes with every step. */
    public BidRegression(BidNetwork network, WorkerPool pool) {
        this.network = network;
        this.pool = pool;
        adam = new ArrayAdam(network.weights().length);
        parts = IntStream.range(0, PARTS)
                .mapToObj(part -> new BidGradient(network, 1, 0))
                .toList();
        gradient = new float[network.weights().length];
    }

    /** Forgets all auctions. */
    public void clear() {
        record.clear();
        targets.clear();
    }

    /**
     * Adds an auction, whose columns are copied.
     *
     * @param kinds {@link BidKind#index} by bid
     * @param columns {@link BidColumn#COUNT} by bid
     * @param mayWait whether its first bid, to wait, is legal
     * @param target wanted probability by bid; sums to 1 over the legal bids
     */
    public void add(byte[] kinds, float[] columns, boolean mayWait, double[] target) {
        record.addAuction(kinds, columns, mayWait);
        targets.add(target.clone());
    }

    /** Makes epochs of gradient steps. Auctions that fill no minibatch are left out of an epoch; fewer than one make one. */
    public Result fit(int epochs, int minibatch, double learningRate, RandomGenerator random, FiniteCheck check) {
        int[] order = IntStream.range(0, targets.size()).toArray();
        int size = Math.min(minibatch, order.length);
        double[] divergence = new double[epochs];
        double entropy = 0;
        double norm = 0;
        int steps = 0;
        for (int epoch = 0; epoch < epochs && size > 0; epoch++) {
            shuffle(order, random);
            int batches = order.length / size;
            for (int batch = 0; batch < batches; batch++) {
                BidGradient.Sums sums = gradients(order, batch * size, size);
                divergence[epoch] += sums.kl / size / batches;
                entropy += epoch == 0 ? sums.entropy / size / batches : 0;
                norm += check.loss("norm of the gradient", adam.step(network.weights(), gradient, learningRate));
                steps++;
            }
        }
        return new Result(divergence[0], divergence[epochs - 1], entropy, norm / Math.max(1, steps), steps);
    }

    private BidGradient.Sums gradients(int[] order, int from, int size) {
        pool.each(PARTS, part -> {
            BidGradient sum = parts.get(part);
            sum.clear();
            for (int i = from + part * size / PARTS; i < from + (part + 1) * size / PARTS; i++) {
                sum.addTarget(record, order[i], targets.get(order[i]));
            }
        });
        Arrays.fill(gradient, 0);
        BidGradient.Sums all = new BidGradient.Sums();
        for (BidGradient part : parts) {
            part.addTo(gradient, 1f / size);
            all.add(part.sums());
        }
        return all;
    }

    private static void shuffle(int[] order, RandomGenerator random) {
        for (int i = order.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int swap = order[i];
            order[i] = order[j];
            order[j] = swap;
        }
    }

    /** Writes the moments of the descent. */
    public void write(DataOutput out) throws IOException {
        adam.write(out);
    }

    /** Reads what {@link #write} wrote. */
    public void read(DataInput in) throws IOException {
        adam.read(in);
    }
}
