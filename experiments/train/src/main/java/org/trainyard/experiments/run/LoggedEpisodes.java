package org.trainyard.experiments.run;

import java.util.List;
import java.util.function.UnaryOperator;
import org.trainyard.env.InputException;
import org.trainyard.env.ServiceProviders;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.config.ExperimentConfig;

/** Episodes of the files of jobs that a config names, which a module offers. */
public interface LoggedEpisodes {
    /**
     * The jobs of a config's files.
     *
     * @param all in the order of the files
     * @param remarks for the user on their making, a sentence each
     */
    record Made(Episodes episodes, List<TraceJob> all, List<String> remarks) {}

    /** @param completed adds to the jobs of a file what the config says of them */
    Made of(ExperimentConfig config, Topology topology, UnaryOperator<List<TraceJob>> completed);

    /** @throws InputException where no module offers them */
    static LoggedEpisodes installed(String file) {
        return ServiceProviders.first(LoggedEpisodes.class)
                .orElseThrow(
                        () -> InputException.at("workload", file, "no trace, for experiments/simulate is not here"));
    }
}
