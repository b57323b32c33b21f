package org.trainyard.agents.learned.ppo;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDManager;
import org.trainyard.agents.learned.policy.PolicyNetwork;
import org.trainyard.gnn.Parameters;

/** Works out the gradients of its part of a minibatch by a copy of the policy. Not for several threads, but several may work at once. */
final class GradientWorker {
    private final PolicyNetwork policy;
    private final Minibatch minibatch;

    /** @param policy this worker's own, which may be the one in training */
    GradientWorker(PolicyNetwork policy, RolloutBuffer rollout) {
        this.policy = policy;
        minibatch = new Minibatch(rollout);
    }

    /**
     * Adds the gradients of the loss of these states to those of its copy; returns the loss's parts.
     *
     * @param original whose weights to take over first
     */
    double[] work(
            PolicyNetwork original,
            UpdateTargets lesson,
            PpoLoss.Weights weights,
            int[] states,
            int from,
            int to,
            int[] whole) {
        if (from == to) {
            return new double[PpoLoss.PARTS.size()];
        }
        if (original != policy) {
            Autograd.unrecorded(() -> {
                policy.follow(original);
                return policy;
            });
        }
        try (NDManager scope = policy.parameters().newScope()) {
            return Autograd.recorded(() -> {
                Minibatch.Tensors tensors = minibatch.stage(lesson, states, from, to, whole, scope);
                PpoLoss.Losses losses = PpoLoss.of(policy.forward(tensors.rows()), tensors, weights);
                Autograd.backward(losses.total(), scope);
                float[] parts = NDArrays.stack(losses.parts()).toFloatArray();
                double[] sums = new double[parts.length];
                for (int i = 0; i < parts.length; i++) {
                    sums[i] = parts[i];
                }
                return sums;
            });
        }
    }

    /** Hands its gradients over to those of the original, and has none afterwards. */
    void handOver(Parameters original, NDManager scope) {
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
