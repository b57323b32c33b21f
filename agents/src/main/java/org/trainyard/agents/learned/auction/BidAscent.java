package org.trainyard.agents.learned.auction;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.trainyard.agents.learned.training.FiniteCheck;
import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.agents.learned.training.WorkerPool;

/** Moves the weights of a network uphill: epochs of minibatches of auctions in random order, until the policy has diverged too far. */
final class BidAscent {
    /** Equal parts of a minibatch whose gradients are summed in this order, whatever the number of threads. */
    private static final int PARTS = 4;

    private final BidNetwork network;
    private final LearnerSettings.Auction settings;
    private final BidAdam adam;
    private final WorkerPool pool;
    private final List<BidGradient> parts;
    private final float[] gradient;

    /**
     * Figures of an update, means over its minibatches.
     *
     * @param surrogate objective without the entropy bonus
     * @param kl of the last epoch
     * @param gradientNorm before clipping
     */
    record Result(
            double surrogate, double kl, double entropy, double clipFraction, double gradientNorm, int minibatches) {}

    BidAscent(BidNetwork network, LearnerSettings.Auction settings, BidAdam adam, WorkerPool pool) {
        this.network = network;
        this.settings = settings;
        this.adam = adam;
        this.pool = pool;
        parts = IntStream.range(0, PARTS)
                .mapToObj(part -> new BidGradient(network, settings.clip(), settings.entropy()))
                .toList();
        gradient = new float[network.weights().length];
    }

    /** Learns from the auctions of some episodes. An update of fewer auctions than a minibatch has one minibatch of all of them. */
    Result learn(
            List<EpisodeRecord> records,
            GroupAdvantages advantages,
            double learningRate,
            RandomGenerator random,
            FiniteCheck check) {
        long[] order = order(records);
        int size = Math.min(settings.minibatch(), order.length);
        BidGradient.Sums all = new BidGradient.Sums();
        double norm = 0;
        double kl = 0;
        int minibatches = 0;
        for (int epoch = 0; epoch < settings.epochs() && size > 0; epoch++) {
            shuffle(order, random);
            double before = all.kl;
            int first = minibatches;
            for (int from = 0; from + size <= order.length; from += size) {
                gradients(records, advantages, order, from, size, all);
                norm += check.loss("norm of the gradient", adam.step(network.weights(), gradient, learningRate));
                minibatches++;
            }
            kl = (all.kl - before) / (minibatches - first);
            if (settings.targetKl() > 0 && kl > settings.targetKl()) {
                break;
            }
        }
        double made = Math.max(1, minibatches);
        return new Result(all.surrogate / made, kl, all.entropy / made, all.clipped / made, norm / made, minibatches);
    }

    /** All auctions: the episode in the upper, the auction in the lower half. */
    private static long[] order(List<EpisodeRecord> records) {
        long[] order =
                new long[records.stream().mapToInt(record -> record.auctions).sum()];
        int next = 0;
        for (int episode = 0; episode < records.size(); episode++) {
            for (int auction = 0; auction < records.get(episode).auctions; auction++) {
                order[next++] = ((long) episode << 32) | auction;
            }
        }
        return order;
    }

    private void gradients(
            List<EpisodeRecord> records,
            GroupAdvantages advantages,
            long[] order,
            int from,
            int size,
            BidGradient.Sums all) {
        pool.each(PARTS, part -> {
            BidGradient sum = parts.get(part);
            sum.clear();
            for (int i = from + part * size / PARTS; i < from + (part + 1) * size / PARTS; i++) {
                int episode = (int) (order[i] >>> 32);
                int auction = (int) order[i];
                sum.add(records.get(episode), auction, advantages.of(episode)[auction]);
            }
        });
        Arrays.fill(gradient, 0);
        BidGradient.Sums minibatch = new BidGradient.Sums();
        for (BidGradient part : parts) {
            part.addTo(gradient, 1f / size);
            minibatch.add(part.sums());
        }
        all.surrogate += minibatch.surrogate / size;
        all.kl += minibatch.kl / size;
        all.entropy += minibatch.entropy / size;
        all.clipped += minibatch.clipped / size;
    }

    private static void shuffle(long[] order, RandomGenerator random) {
        for (int i = order.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            long swap = order[i];
            order[i] = order[j];
            order[j] = swap;
        }
    }
}
