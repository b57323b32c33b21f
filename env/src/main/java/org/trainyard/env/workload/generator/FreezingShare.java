package org.trainyard.env.workload.generator;

import java.util.List;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.TrainingPlan;

/**
 * Lets a share of the jobs of a trace have frozen layers: jobs on a ring are drawn one by one, all runs of a group
 * alike.
 */
public final class FreezingShare {
    private FreezingShare() {}

    /** The jobs, of which a share allows frozen layers; one that the trace gives terms keeps them. */
    public static List<TraceJob> of(List<TraceJob> jobs, FreezingSettings settings, long seed) {
        return jobs.stream()
                .map(job -> isDrawn(job, settings.share(), seed) ? job.freezable(settings.terms()) : job)
                .toList();
    }

    private static boolean isDrawn(TraceJob job, double share, long seed) {
        String who = job.group() == null ? "job " + job.id() : "group " + job.group();
        return job.freezing() == null
                && job.plan() instanceof TrainingPlan.RingAllReduce
                && RandomStreams.stream(seed, "freezing of " + who).nextDouble() < share;
    }
}
