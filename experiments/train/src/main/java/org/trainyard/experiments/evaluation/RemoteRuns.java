package org.trainyard.experiments.evaluation;

import java.util.List;
import java.util.ServiceLoader;
import org.trainyard.env.InputException;
import org.trainyard.env.ServiceProviders;
import org.trainyard.experiments.distributed.Fleet;
import org.trainyard.experiments.run.EpisodeSet;
import org.trainyard.experiments.run.Experiment;

/** Runs of an experiment on machines, which a module offers by a {@link Source}. */
public interface RemoteRuns {
    /** Connects to machines, as {@link ServiceLoader} finds it. */
    interface Source {
        /** @param place of the master in the command line, for messages */
        Fleet connect(String place, String master);

        RemoteRuns of(Fleet fleet, Experiment experiment, EpisodeSet episodes);

        /** @throws InputException where no module offers machines */
        static Source installed(String place, String master) {
            return ServiceProviders.first(Source.class)
                    .orElseThrow(() ->
                            InputException.at(place, master, "no machines, for experiments/simulate is not here"));
        }
    }

    /**
     * Mean JCTs in seconds by scheduler and episode.
     *
     * @param schedulers with an origin each
     * @param done called after every run
     */
    List<List<Double>> meanJctSeconds(List<SchedulerFactory> schedulers, Runnable done);

    /** The results and processor times of a scheduler that has an origin. */
    List<TimedScheduler.Run> results(SchedulerFactory scheduler);
}
