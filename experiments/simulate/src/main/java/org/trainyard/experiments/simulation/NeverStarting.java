package org.trainyard.experiments.simulation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.workload.LeftOut;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.generator.ModelCatalog;

/**
 * Jobs that a scheduler never starts, not even on the empty cluster.
 *
 * @param others the jobs that it may start, in their order
 * @param leftOut those that it never starts, by reason
 */
public record NeverStarting(List<TraceJob> others, List<LeftOut> leftOut) {
    /** Asks a scheduler that has not run yet. */
    public static NeverStarting of(Scheduler scheduler, List<TraceJob> jobs) {
        ModelProfile model = ModelCatalog.standard().neutral();
        return of(jobs, List.of(), job -> scheduler.refusal(WorkloadBuilder.spec(0, job, 0, model, 1)));
    }

    /** These, found among the others of earlier ones, and the earlier ones. */
    public NeverStarting after(NeverStarting earlier) {
        List<LeftOut> all = new ArrayList<>(earlier.leftOut);
        all.addAll(leftOut);
        return new NeverStarting(others, all);
    }

    /** These without jobs for which there are reasons, by id. */
    public NeverStarting without(Map<String, String> reasons) {
        return of(others, leftOut, job -> reasons.get(job.id()));
    }

    private static NeverStarting of(
            List<TraceJob> jobs, List<LeftOut> before, Function<TraceJob, @Nullable String> refusal) {
        List<TraceJob> others = new ArrayList<>();
        Map<String, LeftOut> reasons = new LinkedHashMap<>();
        before.forEach(one -> reasons.put(one.reason(), one));
        for (TraceJob job : jobs) {
            String reason = refusal.apply(job);
            if (reason == null) {
                others.add(job);
            } else {
                reasons.merge(
                        reason,
                        new LeftOut("can never start: " + reason, 1, job.gpuHours()),
                        (a, b) -> new LeftOut(a.reason(), a.jobs() + b.jobs(), a.gpuHours() + b.gpuHours()));
            }
        }
        return new NeverStarting(others, List.copyOf(reasons.values()));
    }
}
