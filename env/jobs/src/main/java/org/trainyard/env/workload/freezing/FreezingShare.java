package org.trainyard.env.workload.freezing;

import java.util.List;
import java.util.function.Supplier;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.TrainingPlan;
import org.trainyard.env.workload.generator.FreezingSettings;
import org.trainyard.env.workload.generator.JobMaker;

/**
 * Lets a share of the jobs of a trace have frozen layers: jobs on a ring are drawn one by one, all runs of a group
 * alike.
 */
public final class FreezingShare implements JobMaker<FreezingSettings> {
    @Override
    public Class<FreezingSettings> settings() {
        return FreezingSettings.class;
    }

    /** The jobs, of which a share allows frozen layers; one that the trace gives terms keeps them. */
    @Override
    public List<TraceJob> make(FreezingSettings settings, Supplier<List<TraceJob>> others, Episode episode) {
        FreezingTerms terms = FreezingTerms.of(settings);
        return others.get().stream()
                .map(job -> isDrawn(job, settings.share(), episode.seed())
                        ? job.attaching(FreezingTerms.class, terms)
                        : job)
                .toList();
    }

    private static boolean isDrawn(TraceJob job, double share, long seed) {
        String who = job.group() == null ? "job " + job.id() : "group " + job.group();
        return job.of(FreezingTerms.class) == null
                && job.plan() instanceof TrainingPlan.RingAllReduce
                && RandomStreams.stream(seed, "freezing of " + who).nextDouble() < share;
    }
}
