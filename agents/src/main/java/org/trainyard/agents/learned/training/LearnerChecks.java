package org.trainyard.agents.learned.training;

import static org.trainyard.env.InvalidFieldException.above;
import static org.trainyard.env.InvalidFieldException.atLeast;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InvalidFieldException;

/** Checks of hyperparameters that several learners share. */
final class LearnerChecks {
    private LearnerChecks() {}

    /** A copy of arrival-rate multipliers. */
    static List<Double> speeds(List<Double> arrivalSpeeds) {
        if (arrivalSpeeds.isEmpty() || !arrivalSpeeds.stream().allMatch(speed -> speed > 0)) {
            throw new InvalidFieldException("arrivalSpeeds", arrivalSpeeds, "at least one number above zero");
        }
        return List.copyOf(arrivalSpeeds);
    }

    static void rollout(int updates, int environments, int stepsPerUpdate, int workers, ReturnBaseline baseline) {
        atLeast(0, "updates", updates);
        atLeast(1, "environments", environments);
        atLeast(environments, "stepsPerUpdate", stepsPerUpdate);
        atLeast(1, "workers", workers);
        int multiple = Math.multiplyExact(workers, baseline.environmentsPerEpisode());
        if (environments % multiple != 0) {
            throw new InvalidFieldException(
                    "environments",
                    environments,
                    "a multiple of %d, workers times the environments of a group".formatted(multiple));
        }
        if (stepsPerUpdate % environments != 0) {
            throw new InvalidFieldException(
                    "stepsPerUpdate", stepsPerUpdate, "a multiple of environments (%d)".formatted(environments));
        }
    }

    static void loss(
            double learningRate, double entropyStart, double entropyEnd, double valueWeight, double maxGradientNorm) {
        above(0, "learningRate", learningRate);
        atLeast(0, "entropyStart", entropyStart);
        atLeast(0, "entropyEnd", entropyEnd);
        atLeast(0, "valueWeight", valueWeight);
        above(0, "maxGradientNorm", maxGradientNorm);
    }

    static void teacher(
            @Nullable String startFrom,
            double inverseTemperature,
            boolean residual,
            double teacherWeightStart,
            double teacherWeightEnd,
            Imitation imitate) {
        above(0, "inverseTemperature", inverseTemperature);
        if (startFrom == null && inverseTemperature != 1) {
            throw new InvalidFieldException(
                    "inverseTemperature",
                    inverseTemperature,
                    "1, or a checkpoint in start_from, whose logits it scales");
        }
        atLeast(0, "teacherWeightStart", teacherWeightStart);
        atLeast(0, "teacherWeightEnd", teacherWeightEnd);
        boolean imitates = imitate.updates() > 0;
        if (imitates && startFrom != null) {
            throw new InvalidFieldException("imitate", imitate, "{type: None}, for start_from names a policy already");
        }
        if (residual && startFrom == null) {
            throw new InvalidFieldException("residual", true, "false, or a checkpoint in start_from");
        }
        if (teacherWeightStart + teacherWeightEnd > 0 && startFrom == null && !imitates) {
            throw new InvalidFieldException(
                    teacherWeightStart > 0 ? "teacherWeightStart" : "teacherWeightEnd",
                    Math.max(teacherWeightStart, teacherWeightEnd),
                    "0, or a checkpoint in start_from, or somebody to imitate");
        }
    }
}
