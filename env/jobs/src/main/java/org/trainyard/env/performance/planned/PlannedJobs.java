package org.trainyard.env.performance.planned;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.Labelled;
import org.trainyard.env.pipeline.LayerProfile;
import org.trainyard.env.pipeline.ModelArchitectures;
import org.trainyard.env.pipeline.planning.PlannerKind;
import org.trainyard.env.workload.JobKind;
import org.trainyard.env.workload.TrainingPlan;

/** Pipelines and mixed parallelism of the models of {@link ModelArchitectures}. */
public final class PlannedJobs implements JobKind {
    private static final String PIPELINE = "pipeline:";

    /** The plan of a label, in {@value Planned#MICRO_BATCHES} micro-batches. */
    @Override
    public @Nullable TrainingPlan plan(String label, @Nullable String model) {
        LayerProfile profile = model == null ? null : ModelArchitectures.find(model);
        if (profile == null) {
            return null;
        }
        if (label.equals(Mixed.LABEL)) {
            return new Mixed(profile, Planned.MICRO_BATCHES);
        }
        PlannerKind planner = label.startsWith(PIPELINE)
                ? Labelled.parse(PlannerKind.class, label.substring(PIPELINE.length()))
                : null;
        return planner == null ? null : new Pipeline(profile, planner, Planned.MICRO_BATCHES);
    }

    @Override
    public String planForms(@Nullable String model) {
        return ", mixed:sbp or pipeline:PLANNER with a profile (%s) of %s"
                .formatted(model, String.join(", ", ModelArchitectures.names()));
    }
}
