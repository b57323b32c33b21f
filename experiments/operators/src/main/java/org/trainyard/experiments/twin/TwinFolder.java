package org.trainyard.experiments.twin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.log.FileText;
import org.trainyard.env.workload.trace.slurm.DelimitedTable;
import org.trainyard.env.workload.trace.slurm.SlurmText;

/**
 * The files of a recording: {@code slurm.conf}, {@code sacct.txt}, and where they are there {@code gres.conf},
 * {@code qos.txt}, {@code assoc.txt}, {@code slurmctld.log}, {@code decisions.csv}, and {@code trace.csv} with
 * {@code submitted.csv}; each plain or with the suffix gz.
 */
final class TwinFolder {
    private final Path folder;
    private final SlurmFiles files;
    private final RecordedJobs jobs;
    private final @Nullable ControllerLog log;

    private TwinFolder(Path folder) {
        this.folder = folder;
        files = SlurmFiles.of(folder.resolve("slurm.conf").toString(), needed("slurm.conf"), this::beside);
        SlurmCluster cluster = files.cluster();
        jobs = RecordedJobs.of(needed("sacct.txt"), lines("trace.csv"), lines("submitted.csv"), name -> {
            int node = cluster.node(name);
            return node < 0 ? 0 : cluster.nodes().get(node).cpus();
        });
        List<String> text = lines("slurmctld.log");
        log = text == null
                ? null
                : ControllerLog.parse(folder.resolve("slurmctld.log").toString(), text);
        if (log != null) {
            log.cancel(jobs.runs());
        }
    }

    /** Whether it has the controller's log, without which its jobs need not be read. */
    static boolean hasLog(Path folder) {
        return Files.exists(folder.resolve("slurmctld.log")) || Files.exists(folder.resolve("slurmctld.log.gz"));
    }

    /** Reads a folder. */
    static TwinFolder read(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new InputException("%s: is no folder: expected one with slurm.conf and sacct.txt".formatted(folder));
        }
        return new TwinFolder(folder);
    }

    /** A file by its path from the folder; of one that is not there the namesake in it. */
    private @Nullable List<String> beside(String name) {
        List<String> lines = lines(name);
        return lines == null ? lines(Path.of(name).getFileName().toString()) : lines;
    }

    private List<String> needed(String name) {
        List<String> lines = lines(name);
        if (lines == null) {
            throw new InputException(
                    "%s: no such file: expected it in the folder of a twin".formatted(folder.resolve(name)));
        }
        return lines;
    }

    /** The lines of a file, or null when it is absent. */
    @Nullable List<String> lines(String name) {
        Path plain = folder.resolve(name);
        Path zipped = folder.resolve(name + ".gz");
        Path file = Files.exists(plain) ? plain : zipped;
        if (!Files.exists(file)) {
            return null;
        }
        try {
            return FileText.lines(file);
        } catch (IOException | UncheckedIOException bad) {
            throw new InputException("%s: cannot be read (%s): expected text".formatted(file, bad.getMessage()));
        }
    }

    /** The cluster, as it was before its first job. */
    SlurmCluster cluster() {
        return files.cluster();
    }

    /** When the trace began: as {@code t0.csv} says, else at the first submission. */
    long zeroMillis() {
        List<String> zero = lines("t0.csv");
        if (zero != null) {
            DelimitedTable file = DelimitedTable.ofCommas("t0.csv", zero, "t0_iso");
            if (file.rows() == 0) {
                throw InputException.at("t0.csv", "no row", "a time in the column t0_iso");
            }
            return SlurmText.millis(file.place(0, "t0_iso"), file.text(0, "t0_iso"));
        }
        return 1000
                * jobs.jobs().values().stream()
                        .mapToLong(TwinJob::submitSecond)
                        .min()
                        .orElse(0);
    }

    RecordedJobs jobs() {
        return jobs;
    }

    /** The controller's log, or null. */
    @Nullable ControllerLog log() {
        return log;
    }

    Path path() {
        return folder;
    }
}
