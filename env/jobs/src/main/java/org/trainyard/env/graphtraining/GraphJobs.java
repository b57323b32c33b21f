package org.trainyard.env.graphtraining;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.ring.ServerDivision;
import org.trainyard.env.workload.JobKind;
import org.trainyard.env.workload.TrainingPlan;

/** Jobs that train graph neural networks. */
public final class GraphJobs implements JobKind, ServerDivision.Source {
    @Override
    public List<ServerDivision> divisions() {
        return List.of(GraphIsolation.values());
    }

    @Override
    public @Nullable TrainingPlan plan(String label, @Nullable String model) {
        return label.startsWith(GraphTraining.PREFIX) ? GraphTraining.parse(label) : null;
    }

    @Override
    public String planForms(@Nullable String model) {
        return ", gnn:papers100m:CACHE (random, degree, bgl)";
    }
}
