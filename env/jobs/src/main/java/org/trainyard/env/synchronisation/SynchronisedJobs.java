package org.trainyard.env.synchronisation;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.JobKind;
import org.trainyard.env.workload.TrainingPlan;

/** Jobs with parameter servers, of reserved bandwidth or with a model of synchronisation. */
public final class SynchronisedJobs implements JobKind {
    @Override
    public @Nullable TrainingPlan plan(String label, @Nullable String model) {
        return label.startsWith(ParameterServer.PREFIX)
                ? ParameterServer.parse(label)
                : label.startsWith(Synchronised.PREFIX) ? Synchronised.parse(label) : null;
    }

    @Override
    public String planForms(@Nullable String model) {
        return ", sync:MODEL (%s), ps:SAMPLE_S:BATCH:WORKERS_PER_SERVER:GRADIENT_BYTES:INSIDE_BPS:ACROSS_BPS"
                .formatted(String.join(", ", SynchronisationModel.labels()));
    }
}
