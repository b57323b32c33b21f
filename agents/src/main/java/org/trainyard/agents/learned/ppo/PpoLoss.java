package org.trainyard.agents.learned.ppo;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.util.List;
import org.trainyard.agents.learned.policy.PolicyNetwork;

/** The loss of a minibatch, and the parts it is made of. */
final class PpoLoss {
    /** Names of the parts, in order. */
    static final List<String> PARTS =
            List.of("policy loss", "value loss", "entropy", "teacher divergence", "divergence", "clip fraction");

    static final int POLICY = 0;
    static final int VALUE = 1;
    static final int ENTROPY = 2;
    static final int TEACHER = 3;
    static final int DIVERGENCE = 4;
    static final int CLIPPED = 5;

    /**
     * How much the parts weigh.
     *
     * @param imitates whether the policy's part is the cross-entropy of the teacher's actions rather than what pays
     * @param clip bound on the probability ratio's distance from one
     */
    record Weights(boolean imitates, double clip, double value, double entropy, double teacher) {}

    /**
     * @param total what to descend
     * @param parts scalars in the order of {@link #PARTS}, not weighed
     */
    record Losses(NDArray total, NDList parts) {}

    private PpoLoss() {}

    static Losses of(PolicyNetwork.Output output, Minibatch.Tensors batch, Weights weights) {
        NDArray logProbabilities = output.logProbabilities();
        NDArray weight = batch.weight();
        NDArray chosen = logProbabilities.mul(batch.chosen()).sum(new int[] {1});
        // Rows of agents without a choice weigh nothing, but their numbers must be finite; nor is there an old policy
        // to be
        // compared with for one that imitates.
        NDArray counts = weights.imitates() ? weight.mul(0) : weight.sign();
        NDArray change = chosen.sub(batch.oldLogProbability()).mul(counts);
        NDArray ratio = change.exp();
        NDArray probabilities = logProbabilities.exp();
        NDArray error = output.values().sub(batch.target());
        NDArray apart = ratio.sub(1);
        NDList parts = new NDList(
                (weights.imitates() ? chosen : gain(ratio, batch.advantage(), weights.clip()))
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
                fromTeacher(logProbabilities, batch),
                apart.sub(change).mul(weight).sum(),
                apart.abs()
                        .gt(weights.clip())
                        .toType(DataType.FLOAT32, false)
                        .mul(weight)
                        .sum());
        return new Losses(total(parts, weights), parts);
    }

    private static NDArray gain(NDArray ratio, NDArray advantage, double clip) {
        NDArray clipped = ratio.clip(1 - clip, 1 + clip);
        return ratio.mul(advantage).minimum(clipped.mul(advantage));
    }

    /** The divergence of the policy from its teacher, KL(teacher || policy), mean over choices; zero without a teacher. */
    private static NDArray fromTeacher(NDArray logProbabilities, Minibatch.Tensors batch) {
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
        // Tensors of the scope rather than numbers: the engine wraps a number in Java memory that it forgets at once,
        // and the
        // backward pass, which needs it again, may find it collected.
        NDManager scope = parts.get(0).getManager();
        NDArray valueWeight = scope.create((float) weights.value());
        NDArray entropyWeight = scope.create((float) weights.entropy());
        NDArray teacherWeight = scope.create((float) weights.teacher());
        return parts.get(POLICY)
                .add(parts.get(VALUE).mul(valueWeight))
                .sub(parts.get(ENTROPY).mul(entropyWeight))
                .add(parts.get(TEACHER).mul(teacherWeight));
    }
}
