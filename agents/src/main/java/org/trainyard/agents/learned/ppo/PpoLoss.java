package org.trainyard.agents.learned.ppo;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.util.List;
import org.trainyard.agents.learned.policy.PolicyNetwork;
import org.trainyard.agents.learned.training.FiniteCheck;

/** The PPO loss of a minibatch: clipped surrogate or cross-entropy with the teacher, value loss, entropy and divergence from the teacher. */
final class PpoLoss {
    /** Names of the parts, in order. */
    static final List<String> PARTS =
            List.of("policy loss", "value loss", "entropy", "teacher divergence", "divergence", "clip fraction");

    static final int POLICY = 0;
    static final int VALUE = 1;
    static final int ENTROPY = 2;
    static final int TEACHER_KL = 3;
    static final int KL = 4;
    static final int CLIPPED = 5;

    /**
     * Coefficients of the parts in an update.
     *
     * @param imitates whether the policy loss is the cross-entropy of the teacher's actions rather than the surrogate objective
     * @param clip clip range of the probability ratio
     */
    record Weights(boolean imitates, double clip, double value, double entropy, double teacher) {
        boolean hasTeacher() {
            return imitates || teacher > 0;
        }
    }

    /**
     * @param total the weighted sum, to minimise
     * @param parts scalars in the order of {@link #PARTS}, without coefficients
     */
    record Losses(NDArray total, NDList parts) {}

    /** Sums over the minibatches of an update. */
    static final class Sums {
        final double[] parts = new double[PARTS.size()];
        double gradientNorm;
        int minibatches;

        /** Adds the losses of a minibatch, which come in parts. */
        void add(double[][] ofParts, FiniteCheck check) {
            for (int part = 0; part < parts.length; part++) {
                double sum = 0;
                for (double[] losses : ofParts) {
                    sum += losses[part];
                }
                parts[part] += check.loss(PARTS.get(part), sum);
            }
            minibatches++;
        }

        /** The mean of a part over minibatches. */
        double mean(int part) {
            return parts[part] / minibatches;
        }
    }

    private PpoLoss() {}

    static Losses of(PolicyNetwork.Output output, Minibatch.Tensors batch, Weights weights) {
        NDArray logProbabilities = output.logProbabilities();
        NDArray weight = batch.weight();
        NDArray chosen = logProbabilities.mul(batch.chosen()).sum(new int[] {1});
        // Rows of agents without a choice have no weight, but their ratios must be finite; in imitation there is no
        // ratio.
        NDArray counts = weights.imitates() ? weight.mul(0) : weight.sign();
        NDArray change = chosen.sub(batch.oldLogProbability()).mul(counts);
        NDArray ratio = change.exp();
        NDArray probabilities = logProbabilities.exp();
        NDArray error = output.values().sub(batch.target());
        NDArray apart = ratio.sub(1);
        NDList parts = new NDList(
                (weights.imitates() ? chosen : surrogate(ratio, batch.advantage(), weights.clip()))
                        .mul(weight)
                        .sum()
                        .neg(),
                error.square().mul(batch.valueWeight()).sum(),
                probabilities
                        .mul(logProbabilities)
                        .sum(new int[] {1})
                        .mul(weight)
                        .sum()
                        .neg(),
                teacherKl(logProbabilities, batch),
                apart.sub(change).mul(weight).sum(),
                apart.abs()
                        .gt(weights.clip())
                        .toType(DataType.FLOAT32, false)
                        .mul(weight)
                        .sum());
        return new Losses(total(parts, weights), parts);
    }

    private static NDArray surrogate(NDArray ratio, NDArray advantage, double clip) {
        NDArray clipped = ratio.clip(1 - clip, 1 + clip);
        return ratio.mul(advantage).minimum(clipped.mul(advantage));
    }

    /** KL(teacher || policy), weighted mean over rows; zero without a teacher. */
    private static NDArray teacherKl(NDArray logProbabilities, Minibatch.Tensors batch) {
        NDArray taught = batch.taught();
        if (taught == null) {
            return logProbabilities.getManager().zeros(new Shape());
        }
        return taught.exp()
                .mul(taught.sub(logProbabilities))
                .sum(new int[] {1})
                .mul(batch.weight())
                .sum();
    }

    private static NDArray total(NDList parts, Weights weights) {
        // Tensors of the scope rather than numbers: DJL wraps a number in a Java buffer that may be collected before
        // the
        // backward pass reads it.
        NDManager scope = parts.get(0).getManager();
        NDArray valueWeight = scope.create((float) weights.value());
        NDArray entropyWeight = scope.create((float) weights.entropy());
        NDArray teacherWeight = scope.create((float) weights.teacher());
        return parts.get(POLICY)
                .add(parts.get(VALUE).mul(valueWeight))
                .sub(parts.get(ENTROPY).mul(entropyWeight))
                .add(parts.get(TEACHER_KL).mul(teacherWeight));
    }
}
