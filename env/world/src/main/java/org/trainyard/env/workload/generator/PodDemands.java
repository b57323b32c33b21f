package org.trainyard.env.workload.generator;

import java.util.List;
import java.util.random.RandomGenerator;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.TraceJob;

/**
 * Draws for each job what it asks for beside whole GPUs, all runs of a group alike, from the {@link PodDemand} of jobs
 * of as many GPUs.
 */
public final class PodDemands {
    private PodDemands() {}

    /**
     * The jobs with their demands; a job of which no demand has as many GPUs, or that asks for more than whole GPUs
     * already, stays as it is.
     */
    public static List<TraceJob> of(List<TraceJob> jobs, List<PodDemand> demands, long seed) {
        return jobs.stream().map(job -> drawn(job, demands, seed)).toList();
    }

    private static TraceJob drawn(TraceJob job, List<PodDemand> demands, long seed) {
        List<PodDemand> fitting =
                demands.stream().filter(demand -> demand.gpus() == job.gpus()).toList();
        if (fitting.isEmpty() || !job.demand().equals(Demand.ofGpus(job.gpus()))) {
            return job;
        }
        String who = job.group() == null ? "job " + job.id() : "group " + job.group();
        RandomGenerator random = RandomStreams.stream(seed, "pod of " + who);
        double left = random.nextDouble()
                * fitting.stream().mapToDouble(PodDemand::weight).sum();
        int at = 0;
        while (at < fitting.size() - 1 && left >= fitting.get(at).weight()) {
            left -= fitting.get(at++).weight();
        }
        return job.demanding(fitting.get(at).demand());
    }
}
