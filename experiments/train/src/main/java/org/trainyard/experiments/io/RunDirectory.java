package org.trainyard.experiments.io;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.FailedWriteException;
import org.trainyard.env.InputException;
import org.trainyard.gnn.CheckedFile;

/**
 * The folder of a run: {@code config.yaml summary.json timing.json jobs.csv series.csv report.html tensorboard/
 * checkpoints/{last,best}/}.
 *
 * <p>A folder belongs to one configuration. A run of the same configuration may reuse it, to resume or to write the
 * same results again; another configuration is refused unless it is told to replace the content. The process that
 * created the folder holds its {@linkplain FolderLock lock} until it closes this object.
 */
public final class RunDirectory implements AutoCloseable {
    /** Treatment of a folder that holds an earlier run. */
    public enum OtherRun {
        /**
         * An earlier run of another configuration throws an {@link InputException}, one of this configuration stays.
         */
        REFUSE,
        /** Deletes the files that this class knows, and no others. */
        REPLACE
    }

    private static final String CONFIG = "config.yaml";
    /** Name of the folder of the last checkpoint. */
    public static final String LAST = "last";

    private static final String SUMMARY = "summary.json";

    /** Files in the order of deletion: without the first two a run counts neither as finished nor as one to resume. */
    private static final List<String> OUTPUTS = List.of(
            SUMMARY,
            "checkpoints/" + LAST,
            "timing.json",
            "tuning.json",
            "jobs.csv",
            "series.csv",
            "events.jsonl.gz",
            "decisions.jsonl.gz",
            "cluster.json",
            "report.html",
            "hardest.csv",
            "pool",
            "runs",
            "results.csv",
            "results.duckdb",
            "results.parquet",
            "tensorboard",
            "checkpoints");

    private final Path root;
    /** Null in a folder that is only read. */
    private final @Nullable FolderLock lock;

    private RunDirectory(Path root, @Nullable FolderLock lock) {
        this.root = root;
        this.lock = lock;
    }

    /**
     * Creates the folder of a run, or reuses it, and takes its lock.
     *
     * @param root the folder; created when absent
     * @param config the resolved configuration, as text
     * @throws InputException when the folder is not free for this run
     */
    public static RunDirectory create(Path root, String config, OtherRun otherRun) {
        requireFolder(root);
        RunDirectory run = new RunDirectory(root, FolderLock.take(root));
        boolean isClaimed = false;
        try {
            run.claim(config, otherRun);
            List.of(root, run.pool(), run.runs()).forEach(AtomicFiles::deleteUnfinished);
            Files.createDirectories(run.tensorboard());
            Files.createDirectories(run.checkpoints());
            isClaimed = true;
            return run;
        } catch (IOException e) {
            throw new FailedWriteException(root, e);
        } finally {
            if (!isClaimed) {
                run.close();
            }
        }
    }

    private static void requireFolder(Path root) {
        for (Path folder = root.toAbsolutePath(); folder != null; folder = folder.getParent()) {
            if (Files.exists(folder) && !Files.isDirectory(folder)) {
                throw InputException.at(
                        "--out",
                        root,
                        folder.equals(root.toAbsolutePath())
                                ? "a folder, not a file"
                                : "a folder, but %s is a file".formatted(folder));
            }
        }
    }

    /** Opens the folder of an earlier run. */
    public static RunDirectory open(Path root) {
        if (!Files.isRegularFile(root.resolve(CONFIG))) {
            throw InputException.at("run folder", root, "a folder with a %s in it".formatted(CONFIG));
        }
        return new RunDirectory(root, null);
    }

    /** Whether a folder holds a run of this configuration. */
    public static boolean isOf(Path root, String config) {
        return Files.isRegularFile(root.resolve(CONFIG))
                && open(root).configText().equals(config);
    }

    /** Assigns the folder to this configuration. */
    private void claim(String config, OtherRun otherRun) throws IOException {
        Path file = config();
        boolean present = Files.exists(file);
        if (otherRun == OtherRun.REFUSE && isOf(root, config)) {
            return;
        }
        if (!present && !isEmpty(root)) {
            throw new InputException("%s is not empty and holds no run: give --out another folder".formatted(root));
        }
        if (present && otherRun == OtherRun.REFUSE) {
            ConfigDifference first = ConfigDifference.first(configText(), config);
            throw new InputException(
                    "%s holds a run of another configuration%s: give --out another folder, or --replace"
                            .formatted(root, first == null ? "" : " (%s)".formatted(first)));
        }
        // Outputs are deleted before their configuration, so that a kill in between leaves a folder that is still
        // refused.
        deleteOutputs();
        AtomicFiles.write(file, config);
    }

    private void deleteOutputs() throws IOException {
        for (String output : OUTPUTS) {
            AtomicFiles.deleteTree(root.resolve(output));
        }
    }

    /** Deletes the output of an earlier run of the same configuration, so that none is taken for the new run's. */
    public void clear() {
        try {
            deleteOutputs();
            Files.createDirectories(tensorboard());
            Files.createDirectories(checkpoints());
        } catch (IOException e) {
            throw new FailedWriteException(root, e);
        }
    }

    /** Deletes the summary, whose presence says that all files of the run are there. */
    public void unfinish() {
        try {
            Files.deleteIfExists(summary());
        } catch (IOException e) {
            throw new FailedWriteException(root, e);
        }
    }

    /** Gives the folder up if its configuration is all that was written so far, so that a corrected one may have it. */
    public void releaseIfUnused() {
        Path config = root.resolve(CONFIG);
        try (Stream<Path> entries = Files.walk(root)) {
            if (entries.allMatch(entry -> Files.isDirectory(entry) || entry.equals(config) || isLock(entry))) {
                AtomicFiles.deleteTree(tensorboard());
                AtomicFiles.deleteTree(checkpoints());
                Files.deleteIfExists(config);
            }
        } catch (IOException e) {
            throw new FailedWriteException(root, e);
        }
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.allMatch(entry -> isLock(entry) || AtomicFiles.isUnfinished(entry));
        }
    }

    private static boolean isLock(Path file) {
        return file.endsWith(FolderLock.FILE);
    }

    public Path root() {
        return root;
    }

    public Path config() {
        return root.resolve(CONFIG);
    }

    /** The text of the configuration. */
    public String configText() {
        try {
            return Files.readString(config());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read %s: %s".formatted(config(), e), e);
        }
    }

    public Path summary() {
        return root.resolve(SUMMARY);
    }

    /** Wall-clock values, kept apart from the deterministic ones. */
    public Path timing() {
        return root.resolve("timing.json");
    }

    /** The trials of the tuned family. */
    public Path tuning() {
        return root.resolve("tuning.json");
    }

    public Path jobs() {
        return root.resolve("jobs.csv");
    }

    /** The hardest workload that a search found, as a trace. */
    public Path hardest() {
        return root.resolve("hardest.csv");
    }

    /** The folder of hard workloads, each a trace. */
    public Path pool() {
        return root.resolve("pool");
    }

    /** The folder of the runs of a sweep: answers, and the folders of trainings. */
    public Path runs() {
        return root.resolve("runs");
    }

    /** The means over the seeds of a sweep. */
    public Path seedMeans() {
        return root.resolve("means.csv");
    }

    /** A file with the results of all runs of a sweep. */
    public Path results(String suffix) {
        return root.resolve("results." + suffix);
    }

    /** Every event of the runs, when they were recorded. */
    public Path events() {
        return root.resolve("events.jsonl.gz");
    }

    /** Every decision of the runs, when they were recorded. */
    public Path decisions() {
        return root.resolve("decisions.jsonl.gz");
    }

    /** The servers of the cluster, when the runs were recorded. */
    public Path cluster() {
        return root.resolve("cluster.json");
    }

    public Path report() {
        return root.resolve("report.html");
    }

    public Path tensorboard() {
        return root.resolve("tensorboard");
    }

    /** The parent folder of all checkpoints. */
    public Path checkpoints() {
        return root.resolve("checkpoints");
    }

    public Path lastCheckpoint() {
        return checkpoints().resolve(LAST);
    }

    public Path bestCheckpoint() {
        return checkpoints().resolve("best");
    }

    /** Gives up the lock. */
    @Override
    public void close() {
        if (lock != null) {
            lock.close();
        }
    }

    /** Creates the folders of the checkpoints and deletes temporary files of a killed run in them. */
    public void makeCheckpoints() {
        for (Path folder : List.of(lastCheckpoint(), bestCheckpoint())) {
            AtomicFiles.makeFolder(folder);
            AtomicFiles.deleteUnfinished(folder);
            try (DirectoryStream<Path> left = Files.newDirectoryStream(folder, "*" + CheckedFile.TEMPORARY)) {
                for (Path file : left) {
                    Files.deleteIfExists(file);
                }
            } catch (IOException e) {
                throw new FailedWriteException(folder, e);
            }
        }
    }
}
