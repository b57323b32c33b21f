package org.trainyard.env.workload.generator;

import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import org.trainyard.env.workload.TraceJob;

/**
 * Makes jobs of a kind out of others, or in their place. Found by {@link ServiceLoader} and chosen by the class of its
 * settings.
 */
public interface JobMaker<S> {
    /**
     * The episode that the jobs are for.
     *
     * @param jobs how many there should be, where they are made anew
     * @param gpus of the cluster, where they are made anew
     */
    record Episode(int jobs, int gpus, long seed) {}

    Class<S> settings();

    /** @param others asked for at most once */
    List<TraceJob> make(S settings, Supplier<List<TraceJob>> others, Episode episode);

    /** Jobs with a share of a kind. */
    static <S> List<TraceJob> made(S settings, Supplier<List<TraceJob>> others, long seed) {
        return made(settings, others, new Episode(0, 0, seed));
    }

    /** The jobs that the maker for some settings makes. */
    static <S> List<TraceJob> made(S settings, Supplier<List<TraceJob>> others, Episode episode) {
        for (JobMaker<?> maker : ServiceLoader.load(JobMaker.class, JobMaker.class.getClassLoader())) {
            if (maker.settings().isInstance(settings)) {
                return made(maker, settings, others, episode);
            }
        }
        throw new IllegalStateException("no maker of jobs for %s is on the class path".formatted(settings));
    }

    private static <S> List<TraceJob> made(
            JobMaker<S> maker, Object settings, Supplier<List<TraceJob>> others, Episode episode) {
        return maker.make(maker.settings().cast(settings), others, episode);
    }
}
