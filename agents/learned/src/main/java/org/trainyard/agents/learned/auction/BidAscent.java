package org.trainyard.agents.learned.auction;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.bids.BidNetwork;
import org.trainyard.agents.learned.training.ArrayAdam;
import org.trainyard.agents.learned.training.FiniteCheck;
import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.agents.learned.training.WorkerPool;

/**
 * Moves the weights of a network uphill: epochs of minibatches of auctions in random order, until the policy has
 * diverged too far.
 */
final class BidAscent {
    /** Equal parts of a minibatch whose gradients are summed in this order, whatever the number of threads. */
    private static final int PARTS = 4;

    private final BidNetwork network;
    private final @Nullable EncoderAscent encoder;
    private final LearnerSettings.Auction settings;
    private final ArrayAdam adam;
    private final WorkerPool pool;
    private final List<BidGradient> parts;
    private final float[] gradient;

    /**
     * Metrics of an update, means over its minibatches.
     *
     * @param surrogate objective without the entropy bonus
     * @param kl of the last epoch
     * @param gradientNorm before clipping
     */
    record Result(
            double surrogate, double kl, double entropy, double clipFraction, double gradientNorm, int minibatches) {}

    /** @param encoder null for a policy without encoder */
    BidAscent(
            BidNetwork network,
            @Nullable EncoderAscent encoder,
            LearnerSettings.Auction settings,
            ArrayAdam adam,
            WorkerPool pool) {
        this.network = network;
        this.encoder = encoder;
        this.settings = settings;
        this.adam = adam;
        this.pool = pool;
        parts = IntStream.range(0, encoder == null ? PARTS : encoder.parts())
                .mapToObj(part -> new BidGradient(network, settings.clip(), settings.entropy()))
                .toList();
        gradient = new float[network.weights().length];
    }

    /**
     * Learns from the auctions of some episodes. An update of fewer auctions than a minibatch has one minibatch of
     * all of them.
     */
    Result learn(
            List<EpisodeRecord> records,
            GroupAdvantages advantages,
            double learningRate,
            RandomGenerator random,
            FiniteCheck check) {
        AuctionBatch batch = new AuctionBatch(records, advantages::of);
        int size = Math.min(settings.minibatch(), batch.size());
        int[][] columns = batch.columns(network);
        parts.forEach(part -> part.begin(columns));
        BidGradient.Sums all = new BidGradient.Sums();
        double norm = 0;
        double kl = 0;
        int minibatches = 0;
        for (int epoch = 0; epoch < settings.epochs() && size > 0; epoch++) {
            batch.shuffle(random);
            double before = all.kl;
            int first = minibatches;
            for (int from = 0; from + size <= batch.size(); from += size) {
                gradients(batch, from, size, all);
                norm += check.loss("norm of the gradient", adam.step(network.weights(), gradient, learningRate));
                if (encoder != null) {
                    check.loss("norm of the encoder's gradient", encoder.step(size, learningRate));
                }
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

    private void gradients(AuctionBatch batch, int from, int size, BidGradient.Sums all) {
        int count = parts.size();
        pool.each(count, part -> {
            BidGradient sum = parts.get(part);
            sum.clear();
            int first = from + part * size / count;
            int end = from + (part + 1) * size / count;
            if (encoder != null) {
                encoder.compute(part, batch, first, end, sum);
                return;
            }
            sum.addAll(batch, first, end, null);
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
}
