package org.trainyard.interference.model.gaussianprocess;

import java.util.List;
import org.trainyard.interference.data.JobType;
import org.trainyard.interference.model.Pair;
import org.trainyard.interference.model.PairEncoder;
import org.trainyard.interference.model.PairModel;

/**
 * The posterior mean of a Gaussian process over pairs.
 *
 * <p>C. E. Rasmussen, C. K. I. Williams: Gaussian processes for machine learning, 2006, equation 2.25. Training pairs
 * are made of few job types, so the inverse covariance times the targets is held as a table by hardware, victim and
 * neighbour, and a prediction costs O(types) rather than O(rows). Immutable.
 *
 * @param scale means and standard deviations of the traits, and the kinds of hardware when there are several
 * @param mean ratio of the training rows: the prior mean
 * @param weights variance of each {@link KernelTerm}, in the order of {@link KernelTerm#all}
 * @param evidence inverse covariance times targets of each training pair, by hardware, then victim, then neighbour; 0
 *     where nothing was measured
 */
public record GaussianProcessModel(
        PairEncoder scale, List<JobType> types, double mean, List<Double> weights, List<Double> evidence)
        implements PairModel {
    public GaussianProcessModel {
        types = List.copyOf(types);
        weights = List.copyOf(weights);
        evidence = List.copyOf(evidence);
        int kinds = Math.max(1, scale.hardware().size());
        if (weights.size() != KernelTerm.all(kinds).size() || evidence.size() != kinds * types.size() * types.size()) {
            throw new IllegalArgumentException("(%d) weights and (%d) pairs do not fit (%d) types on (%d) hardware"
                    .formatted(weights.size(), evidence.size(), types.size(), kinds));
        }
    }

    @Override
    public double[] ratios(List<Pair> pairs) {
        return remembering().ratios(pairs);
    }

    @Override
    public PairModel remembering() {
        return new RememberedPairs(this);
    }
}
