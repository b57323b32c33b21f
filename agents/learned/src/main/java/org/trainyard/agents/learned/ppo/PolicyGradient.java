package org.trainyard.agents.learned.ppo;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.auction.BidEncoder;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.inside.IntraNodeEncoder;
import org.trainyard.agents.learned.training.Autograd;
import org.trainyard.gnn.Parameters;

/**
 * The gradient of {@link PpoLoss} by the weights of a policy, made by PyTorch's automatic differentiation: a copy of
 * the policy in tensors, for one thread at a time.
 *
 * <p>The weights come in groups, of which each has an optimiser of its own: the network of bids, the encoder of the
 * data centre, and the level inside servers where it learns.
 */
final class PolicyGradient implements AutoCloseable {
    /** The group of weights of the level inside servers. */
    static final int INSIDE = 2;

    /** Auctions, and nodes of their data centres, that are in tensors at once. */
    private static final int CHUNK_AUCTIONS = 4096;

    private static final int CHUNK_NODES = 1 << 18;

    private final BidPolicy policy;
    private final PpoLoss loss;
    private final List<Parameters> groups;
    private final BidTensors bids;
    private final @Nullable EncoderTensors encoder;
    private final Minibatch minibatch;
    private final double[] figures = new double[4];

    /** The gradient, on a device, of a loss of a policy whose weights may change between two minibatches. */
    PolicyGradient(BidPolicy policy, PpoLoss loss, Device device) {
        this.policy = policy;
        this.loss = loss;
        groups = Stream.generate(() -> new Parameters(0, device))
                .limit(INSIDE + 1)
                .toList();
        bids = new BidTensors(groups.get(0), policy.network());
        encoder = policy.encoder() == null
                ? null
                : new EncoderTensors(groups.get(1), policy.encoder(), groups.get(INSIDE));
        minibatch = new Minibatch(policy.network());
    }

    /** The arrays of weights of a policy that learn, group by group. */
    static List<float[]> weights(BidPolicy policy) {
        List<float[]> weights = new ArrayList<>(List.of(policy.network().weights()));
        BidEncoder encoder = policy.encoder();
        if (encoder != null) {
            weights.add(encoder.weights());
            IntraNodeEncoder inside = encoder.inside();
            if (inside != null && inside.learns()) {
                weights.add(inside.weights());
            }
        }
        return weights;
    }

    /** Computes the gradient by the present weights of the sum of the objective over some auctions. */
    void compute(Auctions auctions, int from, int to) {
        List<float[]> weights = weights(policy);
        for (int group = 0; group < weights.size(); group++) {
            Parameters tensors = groups.get(group);
            float[] values = weights.get(group);
            Autograd.record(false, () -> tensors.setValues(values));
        }
        Arrays.fill(figures, 0);
        for (int first = from; first < to; ) {
            int end = end(auctions, first, to);
            int begin = first;
            Autograd.record(true, () -> add(auctions, begin, end));
            first = end;
        }
    }

    private int end(Auctions auctions, int first, int to) {
        int end = first;
        int nodes = 0;
        while (end < to && end - first < CHUNK_AUCTIONS && nodes < CHUNK_NODES) {
            nodes += encoder == null
                    ? 0
                    : auctions.record(end).nodes.tree(auctions.auction(end)).nodes();
            end++;
        }
        return end;
    }

    private void add(Auctions auctions, int from, int to) {
        minibatch.fill(auctions, from, to);
        try (NDManager scope = groups.get(0).newScope()) {
            NDArray further = encoder == null ? null : encoder.further(auctions, from, minibatch, scope);
            PpoLoss.Sums sums = loss.of(bids.scores(minibatch, further, scope), minibatch, scope);
            Autograd.backwardFrom(sums.objective(), scope.ones(sums.objective().getShape()));
            float[] values = sums.figures().toFloatArray();
            for (int f = 0; f < figures.length; f++) {
                figures[f] += values[f];
            }
        }
    }

    /** Adds the gradient by the weights of a group and sets it to 0. */
    void takeGradient(int group, float[] sum) {
        groups.get(group).takeGradients(sum);
    }

    /** Surrogate, divergence, entropy and clipped auctions, summed over the auctions. */
    double[] figures() {
        return figures;
    }

    @Override
    public void close() {
        groups.forEach(Parameters::close);
    }
}
