package org.trainyard.agents.learned.policy;

import java.util.random.RandomGenerator;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.action.ActionSpace;

/** Picks one action of an agent from the log-probabilities of all actions, {@code [at .. at + size - 1]}. */
public final class ActionSampler {
    private ActionSampler() {}

    /**
     * The likeliest action of the likeliest kind of action, the first among equals.
     *
     * <p>The kind comes first because one action waits and many take up a job: a policy that waits with probability 0.12 and takes up each
     * of ten jobs with probability 0.088 takes up a job seven times as often as it waits, although waiting is the likeliest single action.
     */
    static int likeliestOfLikeliestKind(float[] logProbabilities, int at, ActionSpace layout) {
        int choice = ActionSpace.WAIT;
        double most = 0;
        for (ActionSpace.Kind kind : ActionSpace.Kind.values()) {
            double mass = 0;
            int best = -1;
            for (int action = 0; action < layout.size(); action++) {
                if (layout.kindOf(action) == kind) {
                    mass += Math.exp(logProbabilities[at + action]);
                    best = best < 0 || logProbabilities[at + action] > logProbabilities[at + best] ? action : best;
                }
            }
            if (mass > most) {
                most = mass;
                choice = best;
            }
        }
        if (most == 0) {
            throw new InputException(
                    "the policy's scores are not finite: its weights are too large to compute with; a lower learner.learning_rate may help");
        }
        return choice;
    }

    /** The index of the greatest entry, the first among equals. */
    public static int argMax(float[] logProbabilities, int at, int size) {
        int best = 0;
        for (int i = 1; i < size; i++) {
            if (logProbabilities[at + i] > logProbabilities[at + best]) {
                best = i;
            }
        }
        return best;
    }

    /** Draws an action by inversion; takes one number from the stream. */
    public static int sample(float[] logProbabilities, int at, int size, RandomGenerator random) {
        double left = random.nextDouble();
        int last = 0;
        for (int i = 0; i < size; i++) {
            double probability = Math.exp(logProbabilities[at + i]);
            if (probability > 0) {
                last = i;
                left -= probability;
                if (left < 0) {
                    return i;
                }
            }
        }
        return last;
    }
}
