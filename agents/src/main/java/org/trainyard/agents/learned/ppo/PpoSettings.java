package org.trainyard.agents.learned.ppo;

/**
 * How {@link Ppo} learns.
 *
 * @param updates in the whole run
 * @param environments stepped together
 * @param stepsPerUpdate of every environment
 * @param workers parts in which experience is gathered and gradients are summed, at once where the crew can; part of what is computed,
 *     for sums in another order round otherwise
 * @param group environments that play the same episodes side by side, so that their returns tell luck from skill; 1 for none
 * @param descent how gradients are made and followed
 * @param discountHours simulated hours after which pay counts 1/e
 * @param gaeHours simulated hours after which the critic is trusted more than what happened
 * @param teaching what the policy is held to besides its reward
 */
public record PpoSettings(
        int updates,
        int environments,
        int stepsPerUpdate,
        int workers,
        int group,
        Descent descent,
        double discountHours,
        double gaeHours,
        Teaching teaching) {
    /**
     * @param epochs passes over a rollout, at most
     * @param minibatch joint states per gradient step
     * @param learningRate of the first update; falls linearly to a tenth
     * @param clip how far the ratio of new to old probability may pay; infinite for as far as it likes
     * @param entropyStart weight of the entropy bonus at the first update
     * @param entropyEnd and at the last
     * @param valueWeight of the critic's loss
     * @param maxGradientNorm of all gradients together
     * @param targetKl divergence at which an update stops; infinite for never
     */
    public record Descent(
            int epochs,
            int minibatch,
            double learningRate,
            double clip,
            double entropyStart,
            double entropyEnd,
            double valueWeight,
            double maxGradientNorm,
            double targetKl) {
        public Descent {
            atLeastOne("epochs", epochs);
            atLeastOne("minibatch", minibatch);
            positive("learningRate", learningRate);
            positive("clip", clip);
            positive("maxGradientNorm", maxGradientNorm);
            positive("targetKl", targetKl);
            notNegative("entropyStart", entropyStart);
            notNegative("entropyEnd", entropyEnd);
            notNegative("valueWeight", valueWeight);
        }

        /** Advantage actor-critic: one gradient step on all joint states of an update, however far it leads. */
        public static Descent actorCritic(
                int states,
                double learningRate,
                double entropyStart,
                double entropyEnd,
                double valueWeight,
                double maxGradientNorm) {
            double never = Double.POSITIVE_INFINITY;
            return new Descent(
                    1, states, learningRate, never, entropyStart, entropyEnd, valueWeight, maxGradientNorm, never);
        }
    }

    /**
     * @param keepRule whether the rule inside the network stays as it is, so that only what is added to its scores is learned
     * @param weightStart weight of the divergence of the policy from its teacher at the first update
     * @param weightEnd and at the last
     * @param imitationUpdates first updates, in which the policy learns to do what the teacher would rather than what pays
     */
    public record Teaching(boolean keepRule, double weightStart, double weightEnd, int imitationUpdates) {
        /** Nobody teaches. */
        public static final Teaching NONE = new Teaching(false, 0, 0, 0);

        public Teaching {
            notNegative("weightStart", weightStart);
            notNegative("weightEnd", weightEnd);
            notNegative("imitationUpdates", imitationUpdates);
        }

        boolean needsTeacher() {
            return weightStart > 0 || weightEnd > 0 || imitationUpdates > 0;
        }
    }

    public PpoSettings {
        atLeastOne("updates", updates);
        atLeastOne("environments", environments);
        atLeastOne("stepsPerUpdate", stepsPerUpdate);
        atLeastOne("workers", workers);
        atLeastOne("group", group);
        positive("discountHours", discountHours);
        positive("gaeHours", gaeHours);
        if (environments % (workers * group) != 0) {
            throw new IllegalArgumentException(
                    "environments (%d) must be a multiple of workers (%d) times the size of a group (%d)"
                            .formatted(environments, workers, group));
        }
    }

    /** From the first value at the first update to the other at the last. */
    double linear(double start, double end, int update) {
        double done = updates == 1 ? 0 : (double) update / (updates - 1);
        return start + Math.min(1, done) * (end - start);
    }

    private static void atLeastOne(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException("%s (%d) must be at least 1".formatted(name, value));
        }
    }

    private static void positive(String name, double value) {
        if (!(value > 0)) {
            throw new IllegalArgumentException("%s (%s) must be above zero".formatted(name, value));
        }
    }

    private static void notNegative(String name, double value) {
        if (!(value >= 0)) {
            throw new IllegalArgumentException("%s (%s) must not be negative".formatted(name, value));
        }
    }
}
