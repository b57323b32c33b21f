package org.trainyard.agents.learned.ppo;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;

/**
 * The clipped surrogate objective with an entropy bonus (J. Schulman et al.: Proximal policy optimization algorithms,
 * 2017, equations 7 and 9 without the value loss) of auctions whose bids have scores: the winner is drawn from their
 * softmax.
 *
 * @param clip range epsilon of the probability ratio
 * @param bonus coefficient of the entropy
 */
record PpoLoss(double clip, double bonus) {
    /** A score with which no bid is ever drawn. */
    private static final float NEVER = -1e9f;

    /**
     * Sums over auctions.
     *
     * @param objective to be made large, a scalar with a gradient
     * @param figures surrogate, divergence, entropy and clipped auctions, a vector
     */
    record Sums(NDArray objective, NDArray figures) {}

    /** The sums by the scores of all bids, {@code [bids]}. */
    Sums of(NDArray scores, Minibatch batch, NDManager scope) {
        NDArray log = batch.byAuction(scores, NEVER, scope).logSoftmax(1);
        NDArray logRatio =
                log.gather(batch.chosen(scope), 1).reshape(batch.size()).sub(batch.drawn(scope));
        NDArray ratio = logRatio.exp();
        NDArray advantages = batch.advantages(scope);
        NDArray free = ratio.mul(advantages);
        NDArray surrogate = free.minimum(ratio.clip(1 - clip, 1 + clip).mul(advantages));
        NDArray entropy = log.exp().mul(log).sum().neg();
        // Not mul(Number): DJL frees its tensor of the number before the backward pass, which reads it.
        NDArray objective = surrogate.sum().add(entropy.mul(scope.full(new Shape(), (float) bonus)));
        NDArray constant = ratio.stopGradient();
        NDArray divergence = constant.sub(1).sub(logRatio.stopGradient()).sum();
        NDArray clipped = free.stopGradient()
                .gt(surrogate.stopGradient())
                .toType(ratio.getDataType(), false)
                .sum();
        NDList figures = new NDList(
                surrogate.stopGradient().sum().reshape(new Shape(1)),
                divergence.reshape(new Shape(1)),
                entropy.stopGradient().reshape(new Shape(1)),
                clipped.reshape(new Shape(1)));
        return new Sums(objective, NDArrays.concat(figures));
    }
}
