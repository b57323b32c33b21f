package org.trainyard.agents.learned.expert;

import java.util.Arrays;
import java.util.List;

/**
 * The distribution over bids to which a policy moves, given the advantages of some: the policy's own times {@code exp(eta x advantage)}, a step of
 * mirror descent (E. Even-Dar, S. Kakade, Y. Mansour: Online Markov decision processes, 2009; Y. Abbasi-Yadkori et al.: POLITEX, ICML 2019).
 *
 * <p>1. Advantages are weighted by their precision: each by {@code m / (m + e)}, with its squared standard error {@code e} and the mean {@code m} of
 * those of all decisions. 2. The exponent is cut off at {@value #MOST}. 3. Bids that were not tried keep their probability.
 */
final class ImprovedBids {
    private static final double MOST = 3;

    private final double step;
    private final double meanSquaredError;

    /**
     * Takes the mean squared error of some decisions.
     *
     * @param step eta, per job-hour
     */
    ImprovedBids(List<LabelledDecision> labels, double step) {
        this.step = step;
        double squares = 0;
        int arms = 0;
        for (LabelledDecision label : labels) {
            ArmCosts costs = label.costs();
            for (int arm = 0; arm < costs.arms() && costs.matters(); arm++) {
                squares += costs.standardError(arm) * costs.standardError(arm);
                arms++;
            }
        }
        meanSquaredError = arms == 0 ? 0 : squares / arms;
    }

    /** The wanted probability of every bid. */
    double[] target(LabelledDecision label) {
        double[] target = new double[label.bids()];
        Arrays.setAll(target, label::probability);
        ArmCosts costs = label.costs();
        double before = 0;
        double after = 0;
        for (int arm = 0; arm < costs.arms(); arm++) {
            int bid = label.bid(arm);
            before += target[bid];
            target[bid] *= Math.exp(exponent(costs, arm));
            after += target[bid];
        }
        for (int arm = 0; arm < costs.arms() && after > 0; arm++) {
            target[label.bid(arm)] *= before / after;
        }
        return target;
    }

    private double exponent(ArmCosts costs, int arm) {
        if (!costs.matters()) {
            return 0;
        }
        double squaredError = costs.standardError(arm) * costs.standardError(arm);
        double weight = meanSquaredError / (meanSquaredError + squaredError);
        return Math.max(-MOST, Math.min(MOST, step * weight * costs.advantage(arm)));
    }
}
