package org.trainyard.agents.learned.training;

import java.util.List;
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
}
