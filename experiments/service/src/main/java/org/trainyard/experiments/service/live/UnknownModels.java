package org.trainyard.experiments.service.live;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.BadLine;

/** Counts jobs whose models the catalogue does not know, or that name none, and has a remark on the first. */
final class UnknownModels {
    private final boolean isBelieved;
    private int jobs;

    /** @param isBelieved whether the service expects interference, which depends on models */
    UnknownModels(boolean isBelieved) {
        this.isBelieved = isBelieved;
    }

    /**
     * Counts a job.
     *
     * @param model as it is named, or null
     * @return a sentence for the first job of those whose interference is expected, else null
     */
    @Nullable String count(String job, @Nullable String model) {
        jobs++;
        if (jobs > 1 || !isBelieved) {
            return null;
        }
        String stands = model == null
                ? "names no model: one that is drawn by its group or user"
                : "has a model that the catalogue lacks (%s): the mean of its models"
                        .formatted(BadLine.printable(model));
        return "job %s %s stands for it in predicted interference, as for others that trainyard_unknown_models counts; --interference-model none expects no interference"
                .formatted(BadLine.printable(job), stands);
    }

    int jobs() {
        return jobs;
    }
}
