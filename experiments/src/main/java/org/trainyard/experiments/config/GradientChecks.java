package org.trainyard.experiments.config;

import static org.trainyard.env.InvalidFieldException.above;
import static org.trainyard.env.InvalidFieldException.atLeast;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.InvalidFieldException;

/** Refuses what a {@link LearnerConfig.Gradient} must not be set to. */
final class GradientChecks {
    private GradientChecks() {}

    static void run(int updates, int environments, int stepsPerUpdate, int workers, BaselineConfig baseline) {
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
    }

    static void descent(
            double learningRate, double entropyStart, double entropyEnd, double valueWeight, double maxGradientNorm) {
        above(0, "learningRate", learningRate);
        atLeast(0, "entropyStart", entropyStart);
        atLeast(0, "entropyEnd", entropyEnd);
        atLeast(0, "valueWeight", valueWeight);
        above(0, "maxGradientNorm", maxGradientNorm);
    }

    static void time(double discountHours, double gaeHours) {
        above(0, "discountHours", discountHours);
        above(0, "gaeHours", gaeHours);
    }

    static void teacher(
            @Nullable String startFrom,
            double sharpness,
            boolean residual,
            double teacherWeightStart,
            double teacherWeightEnd,
            ImitationConfig imitate) {
        above(0, "sharpness", sharpness);
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
