package org.trainyard.agents.learned.training;

import static org.trainyard.env.InvalidFieldException.above;
import static org.trainyard.env.InvalidFieldException.atLeast;
import static org.trainyard.env.InvalidFieldException.within;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.FormerKey;
import org.trainyard.env.InvalidFieldException;
import org.trainyard.env.binding.OptionalKey;

/**
 * The loss of proximal policy optimisation and its gradient steps.
 *
 * @param epochs passes over the auctions of an update, at most
 * @param minibatch auctions per gradient step
 * @param learningRate Adam's, at the first update
 * @param finalLearningRate Adam's, after the last update; linear in between
 * @param clip PPO clip range epsilon
 * @param entropy entropy coefficient
 * @param targetKl divergence of the new policy from the old, nats, at which an update stops early; 0 disables the check
 * @param ema part of the exponential moving average of the weights that an update keeps: the policy is the running mean
 *     of the weights, 0..0.999; 0 for the last weights
 * @param logitDecay part of all scores that the first update takes away before its plays, 0..0.5; linear to 0 over the
 *     run. Bids that are hardly ever drawn, and so learn nothing, come back into play
 * @param device of the tensors, {@value #CPU} or {@value #GPU}; null for {@value #CPU}
 */
public record OptimiserSettings(
        int epochs,
        int minibatch,
        double learningRate,
        double finalLearningRate,
        double clip,
        double entropy,
        double targetKl,
        @FormerKey("average") double ema,
        @FormerKey("score_decay") double logitDecay,
        @OptionalKey @Nullable String device) {
    public static final String CPU = "cpu";
    public static final String GPU = "gpu";

    public OptimiserSettings {
        atLeast(1, "epochs", epochs);
        atLeast(1, "minibatch", minibatch);
        above(0, "learningRate", learningRate);
        atLeast(0, "finalLearningRate", finalLearningRate);
        above(0, "clip", clip);
        within(0, 1, "clip", clip);
        atLeast(0, "entropy", entropy);
        atLeast(0, "targetKl", targetKl);
        within(0, 0.999, "ema", ema);
        within(0, 0.5, "logitDecay", logitDecay);
        if (device != null && !List.of(CPU, GPU).contains(device)) {
            throw new InvalidFieldException("device", device, "%s or %s".formatted(CPU, GPU));
        }
    }

    /** The learning rate when this part of the run has passed, 0..1. */
    public double learningRate(double progress) {
        return learningRate + progress * (finalLearningRate - learningRate);
    }
}
