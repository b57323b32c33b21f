package org.trainyard.experiments.fleet;

import org.trainyard.experiments.distributed.Fleet;
import org.trainyard.experiments.evaluation.RemoteRuns;
import org.trainyard.experiments.run.EpisodeSet;
import org.trainyard.experiments.run.Experiment;

/** Runs of evaluations on a Spark cluster. */
public final class SparkMachines implements RemoteRuns.Source {
    @Override
    public Fleet connect(String place, String master) {
        return SparkInstallation.connect(place, master);
    }

    @Override
    public RemoteRuns of(Fleet fleet, Experiment experiment, EpisodeSet episodes) {
        return new EpisodeFleet(fleet, experiment, episodes);
    }
}
