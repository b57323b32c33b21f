package org.trainyard.experiments.cli.operator;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.forecast.ClusterMoment;
import org.trainyard.experiments.forecast.StartForecaster;
import org.trainyard.experiments.simulation.LoggedServers;
import picocli.CommandLine;

/** A log as {@code when} reads it, and what it forecasts with. */
public record LogHistory(List<TraceJob> jobs, LoggedServers servers, ClusterMoment now, StartForecaster forecaster) {
    /** Reads the log of a folder that has a cluster.yaml too, by the options of {@code when}. */
    public static LogHistory read(Path folder, String... more) {
        HistoryOptions options = new HistoryOptions();
        new CommandLine(options)
                .parseArgs(Stream.concat(
                                Stream.of(
                                        folder.resolve("sacct.txt").toString(),
                                        "--cluster",
                                        folder.resolve("cluster.yaml").toString(),
                                        "--scheduler",
                                        "slurm:" + folder.resolve("slurm.conf")),
                                Stream.of(more))
                        .toArray(String[]::new));
        HistoryOptions.History read = options.read(null, new PrintWriter(new StringWriter()));
        return new LogHistory(
                read.jobs(),
                read.servers(),
                read.now(),
                options.forecaster(
                        read.topology(), options.scheduler(read, read.now().ended())));
    }
}
