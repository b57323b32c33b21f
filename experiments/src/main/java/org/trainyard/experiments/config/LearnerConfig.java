package org.trainyard.experiments.config;

import static org.trainyard.env.InvalidFieldException.above;
import static org.trainyard.env.InvalidFieldException.atLeast;
import static org.trainyard.env.InvalidFieldException.within;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InvalidFieldException;

/** How a policy learns. */
public sealed interface LearnerConfig {
    /** How many times as fast as the experiment's the jobs of training and validation episodes arrive, one after another. */
    default List<Double> arrivalSpeeds() {
        return List.of(1.0);
    }

    /** A learner that follows gradients: what {@link Ppo} and {@link A2c} have in common, see there. */
    interface Gradient {
        int updates();

        int environments();

        int stepsPerUpdate();

        int workers();

        double learningRate();

        double entropyStart();

        double entropyEnd();

        BaselineConfig baseline();

        double discountHours();

        double gaeHours();

        double valueWeight();

        double maxGradientNorm();

        @Nullable String startFrom();

        double sharpness();

        boolean residual();

        double teacherWeightStart();

        double teacherWeightEnd();

        ImitationConfig imitate();
    }

    /**
     * Proximal policy optimisation with generalised advantages over irregular time.
     *
     * @param updates rounds of collecting and learning; 0 trains nothing
     * @param environments episodes run side by side
     * @param stepsPerUpdate steps collected per update, over all environments
     * @param workers parts in which experience is collected and gradients are summed, at once where there are processors
     * @param epochs passes over what was collected
     * @param minibatch steps per gradient
     * @param learningRate of Adam
     * @param clip bound on the probability ratio's distance from 1
     * @param entropyStart weight of the entropy at the first update
     * @param entropyEnd weight of the entropy at the last update, linear in between
     * @param baseline what a return is compared with
     * @param discountHours simulated time after which a reward counts 1/e
     * @param gaeHours simulated time after which an advantage's evidence counts 1/e
     * @param valueWeight weight of the value loss
     * @param maxGradientNorm gradients longer than this are shortened
     * @param targetKl an update ends early when the policy has moved this far
     * @param startFrom a checkpoint whose policy is where training starts, or null for an untrained one
     * @param sharpness what the scores of that policy are multiplied by at the start
     * @param residual whether the rule in that policy stays as it is
     * @param teacherWeightStart weight of the divergence from the policy it started from, or imitated, at the first update
     * @param teacherWeightEnd that weight at the last update, linear in between
     * @param imitate whom an untrained policy imitates before it learns by reward
     */
    record Ppo(
            int updates,
            int environments,
            int stepsPerUpdate,
            int workers,
            int epochs,
            int minibatch,
            double learningRate,
            double clip,
            double entropyStart,
            double entropyEnd,
            BaselineConfig baseline,
            double discountHours,
            double gaeHours,
            double valueWeight,
            double maxGradientNorm,
            double targetKl,
            @Nullable String startFrom,
            double sharpness,
            boolean residual,
            double teacherWeightStart,
            double teacherWeightEnd,
            ImitationConfig imitate)
            implements LearnerConfig, Gradient {
        public Ppo {
            GradientChecks.run(updates, environments, stepsPerUpdate, workers, baseline);
            atLeast(1, "epochs", epochs);
            within(1, stepsPerUpdate, "minibatch", minibatch);
            above(0, "clip", clip);
            within(0, 1, "clip", clip);
            above(0, "targetKl", targetKl);
            GradientChecks.descent(learningRate, entropyStart, entropyEnd, valueWeight, maxGradientNorm);
            GradientChecks.time(discountHours, gaeHours);
            GradientChecks.teacher(startFrom, sharpness, residual, teacherWeightStart, teacherWeightEnd, imitate);
        }
    }

    /**
     * Advantage actor-critic: one gradient step per update, on all that was collected, without clipping. The rest is as for {@link Ppo}.
     */
    record A2c(
            int updates,
            int environments,
            int stepsPerUpdate,
            int workers,
            double learningRate,
            double entropyStart,
            double entropyEnd,
            BaselineConfig baseline,
            double discountHours,
            double gaeHours,
            double valueWeight,
            double maxGradientNorm,
            @Nullable String startFrom,
            double sharpness,
            boolean residual,
            double teacherWeightStart,
            double teacherWeightEnd,
            ImitationConfig imitate)
            implements LearnerConfig, Gradient {
        public A2c {
            GradientChecks.run(updates, environments, stepsPerUpdate, workers, baseline);
            GradientChecks.descent(learningRate, entropyStart, entropyEnd, valueWeight, maxGradientNorm);
            GradientChecks.time(discountHours, gaeHours);
            GradientChecks.teacher(startFrom, sharpness, residual, teacherWeightStart, teacherWeightEnd, imitate);
        }
    }

    /**
     * Search for a rule by trial (cross-entropy method): whole episodes are played, and the rules with the least mean JCT show the way.
     *
     * @param generations of candidates in the whole run
     * @param population candidates of a generation
     * @param elites best candidates of a generation that show the way
     * @param episodes that every candidate of a generation plays
     * @param step how far the search moves towards the elites, 0..1
     * @param floor least spread of candidates at first, as a part of the first spread; falls to zero over the run
     * @param sharpness how surely the policy takes what scores best: what its weights are multiplied by
     * @param arrivalSpeeds how many times as fast as the experiment's the jobs of training and validation episodes arrive, one after
     *     another
     */
    record Search(
            int generations,
            int population,
            int elites,
            int episodes,
            double step,
            double floor,
            double sharpness,
            List<Double> arrivalSpeeds)
            implements LearnerConfig {
        public Search {
            atLeast(1, "generations", generations);
            atLeast(2, "population", population);
            within(1, population, "elites", elites);
            atLeast(1, "episodes", episodes);
            above(0, "step", step);
            within(0, 1, "step", step);
            atLeast(0, "floor", floor);
            above(0, "sharpness", sharpness);
            arrivalSpeeds = List.copyOf(arrivalSpeeds);
            if (arrivalSpeeds.isEmpty() || !arrivalSpeeds.stream().allMatch(speed -> speed > 0)) {
                throw new InvalidFieldException("arrivalSpeeds", arrivalSpeeds, "at least one number above zero");
            }
        }
    }

    /**
     * Deep Q-learning through DJL's own agent, the classic baseline: one decision at a time, epsilon-greedy, a replay memory.
     *
     * @param updates parts of the run
     * @param decisionsPerUpdate decisions made in each
     * @param remembered latest decisions, to learn from
     * @param warmUp decisions remembered before learning begins
     * @param learnEvery decisions between two gradients
     * @param batch decisions per gradient
     * @param targetEvery gradients between two copies of the network to the target network
     * @param learningRate of Adam
     * @param exploreStart part of the decisions made by lot at first
     * @param exploreEnd and at the end
     * @param exploreShare part of the run over which that falls, linearly, 0..1
     * @param discountHours simulated time after which a reward counts 1/e
     * @param rewardScale what rewards are multiplied by
     * @param maxGradientNorm gradients longer than this are shortened
     */
    record Dqn(
            int updates,
            int decisionsPerUpdate,
            int remembered,
            int warmUp,
            int learnEvery,
            int batch,
            int targetEvery,
            double learningRate,
            double exploreStart,
            double exploreEnd,
            double exploreShare,
            double discountHours,
            double rewardScale,
            double maxGradientNorm)
            implements LearnerConfig {
        public Dqn {
            atLeast(1, "updates", updates);
            atLeast(1, "decisionsPerUpdate", decisionsPerUpdate);
            atLeast(1, "remembered", remembered);
            within(1, remembered, "warmUp", warmUp);
            atLeast(1, "learnEvery", learnEvery);
            atLeast(1, "batch", batch);
            atLeast(1, "targetEvery", targetEvery);
            above(0, "learningRate", learningRate);
            within(0, 1, "exploreStart", exploreStart);
            within(0, 1, "exploreEnd", exploreEnd);
            above(0, "exploreShare", exploreShare);
            within(0, 1, "exploreShare", exploreShare);
            above(0, "discountHours", discountHours);
            above(0, "rewardScale", rewardScale);
            above(0, "maxGradientNorm", maxGradientNorm);
        }
    }
}
