package org.trainyard.experiments.simulation;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.env.InputException;
import org.trainyard.experiments.io.InputFiles;

/** The text of {@code --cluster}: as the user gives it, or as a slurm.conf says. */
public final class ClusterOption {
    private ClusterOption() {}

    /**
     * The text of a log's cluster: as the user gives it, or as a slurm.conf says that is given in its place, or that
     * stands beside the log where nothing is given.
     *
     * @param log null for a live cluster
     * @param told is given a sentence where a slurm.conf says it
     * @return null where nothing says it
     * @throws InputException when the slurm.conf has no shorthand
     */
    public static @Nullable String named(
            @Nullable String given, @Nullable Path log, List<String> schedulers, Consumer<String> told) {
        Path conf = given == null ? LoggedCluster.conf(log, schedulers) : InputFiles.path(given);
        if (conf == null || !Files.isRegularFile(conf) || (given != null && !SlurmFiles.isOne(conf))) {
            return given;
        }
        String own = SlurmFiles.read(conf.toString()).shorthand();
        if (own == null || own.endsWith("=SPEED") || own.contains("=SPEED+")) {
            String expected = own == null
                    ? "a shorthand or a topology file, for %s names no nodes, or several types of GPUs on one"
                            .formatted(conf)
                    : own + ", with a number for SPEED: how fast the type is against a V100";
            throw given == null
                    ? InputException.missing("--cluster", expected)
                    : InputException.at("--cluster", given, expected);
        }
        told.accept("note: --cluster %s, as %s says".formatted(own, conf));
        return own;
    }

    /** The text of a log's cluster, as above; where nothing says it, the command is refused. */
    public static String required(
            @Nullable String given, @Nullable Path log, List<String> schedulers, Consumer<String> told) {
        String named = named(given, log, schedulers, told);
        if (named == null) {
            throw InputException.missing(
                    "--cluster", "the cluster of the log, such as 24x8:H100, or a slurm.conf beside the log");
        }
        return named;
    }
}
