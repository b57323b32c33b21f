package org.trainyard.agents.learned.ppo;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDManager;
import org.trainyard.agents.learned.policy.PolicyNetwork;
import org.trainyard.agents.learned.training.Autograd;
import org.trainyard.gnn.Parameters;

/** Computes the gradients of its part of a minibatch on a policy of its own, so that several workers can run at once. */
final class GradientWorker {
    private final PolicyNetwork policy;
    private final Minibatch minibatch;

    /** @param policy this worker's own; for one of them the policy in training itself */
    GradientWorker(PolicyNetwork policy, RolloutBuffer rollout) {
        this.policy = policy;
        minibatch = new Minibatch(rollout);
    }

    /**
     * Adds the gradients of the loss of {@code states[from .. to - 1]} to those of this worker's policy.
     *
     * @param original the policy in training
     * @param counts of the whole minibatch
     * @return the parts of the loss, see {@link PpoLoss#PARTS}
     */
    double[] addGradients(
            PolicyNetwork original, PpoLoss.Weights weights, int[] states, int from, int to, Minibatch.Counts counts) {
        double[] parts = new double[PpoLoss.PARTS.size()];
        if (original != policy) {
            Autograd.record(false, () -> policy.copyWeightsFrom(original));
        }
        try (NDManager scope = policy.parameters().newScope()) {
            Autograd.record(true, () -> {
                Minibatch.Tensors tensors = minibatch.stage(weights, states, from, to, counts, scope);
                PpoLoss.Losses losses = PpoLoss.of(policy.forward(tensors.rows()), tensors, weights);
                Autograd.backward(losses.total(), scope);
                float[] values = NDArrays.stack(losses.parts()).toFloatArray();
                for (int i = 0; i < parts.length; i++) {
                    parts[i] = values[i];
                }
            });
        }
        return parts;
    }

    /** Adds its gradients to those of the policy in training, and sets its own to zero. */
    void moveGradientsTo(Parameters original, NDManager scope) {
        for (String name : original.names()) {
            NDArray own = policy.parameters().get(name).getGradient();
            own.attach(scope);
            NDArray sum = original.get(name).getGradient();
            sum.attach(scope);
            sum.addi(own);
            own.subi(own);
        }
    }
}
