package org.trainyard.agents.learned.ppo;

import ai.djl.ndarray.NDManager;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.random.RandomGenerator;
import org.trainyard.agents.learned.policy.ActorHead;
import org.trainyard.agents.learned.policy.PolicyNetwork;
import org.trainyard.agents.learned.training.FiniteCheck;
import org.trainyard.agents.learned.training.GradientStep;
import org.trainyard.agents.learned.training.SavedAdam;

/** Makes the gradient steps of an update: shuffles joint states, sums the workers' gradients, clips them together and follows them. */
final class MinibatchOptimiser {
    /** What the gradient steps of an update add up to. */
    static final class Learning {
        final double[] parts = new double[PpoLoss.PARTS.size()];
        double gradientNorm;
        int minibatches;

        /** The mean of a part over minibatches. */
        double mean(int part) {
            return parts[part] / minibatches;
        }
    }

    private final PolicyNetwork policy;
    private final PpoSettings.Descent settings;
    private final GradientStep step;
    private final List<GradientWorker> workers;
    private final WorkerPool crew;
    private SavedAdam adam;

    /** @param workers the first of which works on the policy itself */
    MinibatchOptimiser(
            PolicyNetwork policy,
            PpoSettings.Descent settings,
            boolean keepRule,
            List<GradientWorker> workers,
            WorkerPool crew) {
        this.policy = policy;
        this.settings = settings;
        step = new GradientStep(
                policy.parameters(), name -> keepRule && ActorHead.isOfRule(name), 1, settings.maxGradientNorm());
        this.workers = List.copyOf(workers);
        this.crew = crew;
        adam = new SavedAdam(policy.parameters(), 0);
    }

    /** Passes over the states of the lesson until the policy has moved too far, or often enough. */
    Learning learn(
            UpdateTargets lesson,
            PpoLoss.Weights weights,
            double learningRate,
            RandomGenerator random,
            FiniteCheck check) {
        Learning learning = new Learning();
        int[] states = lesson.rollout.madeStates();
        for (int epoch = 0; epoch < settings.epochs(); epoch++) {
            shuffle(states, random);
            double before = learning.parts[PpoLoss.DIVERGENCE];
            int count = 0;
            for (int from = 0; from < states.length; from += settings.minibatch()) {
                int to = Math.min(states.length, from + settings.minibatch());
                sum(lesson, weights, states, from, to, learning, check);
                learning.gradientNorm += step.make(adam, learningRate, check);
                learning.minibatches++;
                count++;
            }
            if ((learning.parts[PpoLoss.DIVERGENCE] - before) / count > settings.targetKl()) {
                break;
            }
        }
        return learning;
    }

    private static void shuffle(int[] order, RandomGenerator random) {
        for (int i = order.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int swap = order[i];
            order[i] = order[j];
            order[j] = swap;
        }
    }

    /** Gradients of {@code states[from .. to - 1]}, a part of them by each worker. */
    private void sum(
            UpdateTargets lesson,
            PpoLoss.Weights weights,
            int[] states,
            int from,
            int to,
            Learning learning,
            FiniteCheck check) {
        int[] whole = Minibatch.weigh(lesson.rollout, states, from, to);
        double[][] parts = new double[workers.size()][];
        int size = to - from;
        crew.each(workers.size(), worker -> {
            int begin = from + (int) ((long) size * worker / workers.size());
            int end = from + (int) ((long) size * (worker + 1) / workers.size());
            parts[worker] = workers.get(worker).work(policy, lesson, weights, states, begin, end, whole);
        });
        for (int part = 0; part < learning.parts.length; part++) {
            double sum = 0;
            for (double[] ofWorker : parts) {
                sum += ofWorker[part];
            }
            learning.parts[part] += check.loss(PpoLoss.PARTS.get(part), sum);
        }
        try (NDManager scope = policy.parameters().newScope()) {
            for (int worker = 1; worker < workers.size() && worker < size; worker++) {
                workers.get(worker).handOver(policy.parameters(), scope);
            }
        }
    }

    void write(DataOutput out) throws IOException {
        adam.write(out);
    }

    void read(DataInput in, String source) throws IOException {
        adam.free();
        adam = SavedAdam.read(policy.parameters(), in, source);
    }
}
