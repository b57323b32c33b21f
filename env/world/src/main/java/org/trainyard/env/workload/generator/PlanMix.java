package org.trainyard.env.workload.generator;

import java.util.List;
import java.util.Objects;
import org.trainyard.env.Invalid;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.TrainingPlan;

/**
 * A plan that a share of the jobs has: a model of synchronisation or training on a graph.
 *
 * @param plan label of a {@link TrainingPlan} that needs no layers
 * @param share of the jobs of a fixed number of GPUs without another plan, 0..1
 * @param cpuMilliPerGpu host CPU that such a job asks for, thousandths of a core; 0 to leave its demand
 * @param memoryMibPerGpu host memory, MiB; 0 to leave its demand
 */
public record PlanMix(String plan, double share, long cpuMilliPerGpu, long memoryMibPerGpu) {
    private static final long MOST_HOST = 1_000_000_000L;

    public PlanMix {
        if (TrainingPlan.parse(plan, null) == null) {
            throw new IllegalArgumentException(
                    "plan (%s) must be sync:MODEL or gnn:GRAPH:CACHE, as in traces".formatted(plan));
        }
        Invalid.when(!(share >= 0 && share <= 1), "share (%s) must be 0 to 1", share);
        if (cpuMilliPerGpu < 0 || memoryMibPerGpu < 0 || Math.max(cpuMilliPerGpu, memoryMibPerGpu) > MOST_HOST) {
            throw new IllegalArgumentException("CPU (%d milli) and memory (%d MiB) for each GPU must be 0 to %d"
                    .formatted(cpuMilliPerGpu, memoryMibPerGpu, MOST_HOST));
        }
    }

    /** The jobs with their plans, which all runs of a group share; the shares add up to 1 at most. */
    public static List<TraceJob> of(List<TraceJob> jobs, List<PlanMix> mix, long seed) {
        return jobs.stream().map(job -> drawn(job, mix, seed)).toList();
    }

    private static TraceJob drawn(TraceJob job, List<PlanMix> mix, long seed) {
        if (job.gpus() < 1 || job.demand().isElastic() || !(job.plan() instanceof TrainingPlan.RingAllReduce)) {
            return job;
        }
        String who = job.group() == null ? "job " + job.id() : "group " + job.group();
        double left = RandomStreams.stream(seed, "plan mix of " + who).nextDouble();
        for (PlanMix part : mix) {
            if (left < part.share) {
                return part.applied(job);
            }
            left -= part.share;
        }
        return job;
    }

    private TraceJob applied(TraceJob job) {
        Demand demand = job.demand();
        long cpuMilli = cpuMilliPerGpu == 0 ? demand.cpuMilli() : cpuMilliPerGpu * demand.gpus();
        long memoryMib = memoryMibPerGpu == 0 ? demand.memoryMib() : memoryMibPerGpu * demand.gpus();
        return job.demanding(demand.withHost(cpuMilli, memoryMib))
                .parallel(Objects.requireNonNull(TrainingPlan.parse(plan, null)));
    }
}
