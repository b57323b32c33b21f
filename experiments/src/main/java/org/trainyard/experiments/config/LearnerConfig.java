package org.trainyard.experiments.config;

import static org.trainyard.experiments.config.BadField.above;
import static org.trainyard.experiments.config.BadField.atLeast;
import static org.trainyard.experiments.config.BadField.within;

/** How a policy learns. */
public sealed interface LearnerConfig {
    /**
     * Proximal policy optimisation with generalised advantages over irregular time.
     *
     * @param updates rounds of collecting and learning; 0 trains nothing
     * @param environments episodes run side by side
     * @param stepsPerUpdate steps collected per update, over all environments
     * @param epochs passes over what was collected
     * @param minibatch steps per gradient
     * @param learningRate of Adam
     * @param clip bound on the probability ratio's distance from 1
     * @param entropyStart weight of the entropy at the first update
     * @param entropyEnd weight of the entropy at the last update, linear in between
     * @param discountHours simulated time after which a reward counts 1/e
     * @param gaeHours simulated time after which an advantage's evidence counts 1/e
     * @param valueWeight weight of the value loss
     * @param maxGradientNorm gradients longer than this are shortened
     * @param targetKl an update ends early when the policy has moved this far
     */
    record Ppo(
            int updates,
            int environments,
            int stepsPerUpdate,
            int epochs,
            int minibatch,
            double learningRate,
            double clip,
            double entropyStart,
            double entropyEnd,
            double discountHours,
            double gaeHours,
            double valueWeight,
            double maxGradientNorm,
            double targetKl)
            implements LearnerConfig {
        public Ppo {
            atLeast(0, "updates", updates);
            atLeast(1, "environments", environments);
            atLeast(environments, "stepsPerUpdate", stepsPerUpdate);
            atLeast(1, "epochs", epochs);
            within(1, stepsPerUpdate, "minibatch", minibatch);
            above(0, "learningRate", learningRate);
            above(0, "clip", clip);
            within(0, 1, "clip", clip);
            atLeast(0, "entropyStart", entropyStart);
            atLeast(0, "entropyEnd", entropyEnd);
            above(0, "discountHours", discountHours);
            above(0, "gaeHours", gaeHours);
            atLeast(0, "valueWeight", valueWeight);
            above(0, "maxGradientNorm", maxGradientNorm);
            above(0, "targetKl", targetKl);
        }
    }
}
