package org.trainyard.experiments.io;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.trainyard.env.InputException;
import org.trainyard.gnn.CheckedFile;

/**
 * The folder of a run: {@code config.yaml summary.json timing.json jobs.csv series.csv series.parquet report.html tensorboard/ checkpoints/{last,best}/}.
 *
 * <p>A folder belongs to one configuration. A run of the same configuration may reuse it, to resume or to write the same results
 * again; another configuration is refused unless it is told to replace the content.
 */
public final class RunDirectory {
    /** What happens to a folder with a run of another configuration. */
    public enum OtherRun {
        /** Throws an {@link InputException}. */
        REFUSE,
        /** Deletes the files that this class knows, and no others. */
        REPLACE
    }

    private static final String CONFIG = "config.yaml";
    /** Name of the folder of the last checkpoint. */
    public static final String LAST = "last";

    private static final List<String> OUTPUTS = List.of(
            "summary.json",
            "timing.json",
            "tuning.json",
            "jobs.csv",
            "series.csv",
            "series.parquet",
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

    private RunDirectory(Path root) {
        this.root = root;
    }

    /**
     * Creates the folder of a run, or reuses it.
     *
     * @param root the folder; created when absent
     * @param config the resolved configuration, as text
     */
    public static RunDirectory create(Path root, String config, OtherRun otherRun) {
        try {
            requireFolder(root);
            Files.createDirectories(root);
            claim(root, config, otherRun);
            RunDirectory run = new RunDirectory(root);
            Files.createDirectories(run.tensorboard());
            Files.createDirectories(run.checkpoints());
            return run;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make the run folder %s: %s".formatted(root, e), e);
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
        return new RunDirectory(root);
    }

    /** Assigns the folder to this configuration. */
    private static void claim(Path root, String config, OtherRun otherRun) throws IOException {
        deleteUnfinished(root);
        Path file = root.resolve(CONFIG);
        boolean present = Files.exists(file);
        if (present && Files.readString(file).equals(config)) {
            return;
        }
        if (!present && !isEmpty(root)) {
            throw new InputException("%s is not empty and holds no run: give --out another folder".formatted(root));
        }
        if (present && otherRun == OtherRun.REFUSE) {
            throw new InputException(
                    "%s holds a run of another configuration: give --out another folder, or --replace".formatted(root));
        }
        // Outputs are deleted before their configuration, so that a kill in between leaves a folder that is still
        // refused.
        for (String output : OUTPUTS) {
            deleteTree(root.resolve(output));
        }
        AtomicFiles.write(file, config);
    }

    /** Gives the folder up if its configuration is all that was written so far, so that a corrected one may have it. */
    public void releaseIfUnused() {
        Path config = root.resolve(CONFIG);
        try (Stream<Path> entries = Files.walk(root)) {
            if (entries.allMatch(entry -> Files.isDirectory(entry) || entry.equals(config))) {
                deleteTree(tensorboard());
                deleteTree(checkpoints());
                Files.deleteIfExists(config);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot give up the run folder %s: %s".formatted(root, e), e);
        }
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.findAny().isEmpty();
        }
    }

    private static void deleteUnfinished(Path folder) throws IOException {
        deleteAll(folder, RunDirectory::isUnfinished);
    }

    private static void deleteAll(Path folder, Predicate<Path> which) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            for (Path entry : entries.filter(which).toList()) {
                Files.deleteIfExists(entry);
            }
        }
    }

    private static boolean isUnfinished(Path file) {
        String name = String.valueOf(file.getFileName());
        return (name.startsWith("." + CONFIG) || OUTPUTS.stream().anyMatch(o -> name.startsWith("." + o)))
                && name.endsWith(AtomicFiles.TEMPORARY);
    }

    private static void deleteTree(Path path) throws IOException {
        if (Files.isDirectory(path) && !Files.isSymbolicLink(path)) {
            List<Path> entries;
            try (Stream<Path> list = Files.list(path)) {
                entries = list.toList();
            }
            for (Path entry : entries) {
                deleteTree(entry);
            }
        }
        Files.deleteIfExists(path);
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
        } catch (NoSuchFileException e) {
            throw new IllegalStateException("%s has gone".formatted(config()), e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read %s: %s".formatted(config(), e), e);
        }
    }

    public Path summary() {
        return root.resolve("summary.json");
    }

    /** Wall-clock figures, kept apart from the deterministic ones. */
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

    /** Creates the folders of the checkpoints and deletes temporary files of a killed run in them. */
    public void makeCheckpoints() {
        for (Path folder : List.of(lastCheckpoint(), bestCheckpoint())) {
            AtomicFiles.makeFolder(folder);
            try {
                deleteAll(
                        folder,
                        file -> file.toString().endsWith(AtomicFiles.TEMPORARY)
                                || file.toString().endsWith(CheckedFile.TEMPORARY));
            } catch (IOException e) {
                throw new UncheckedIOException("cannot tidy up %s: %s".formatted(folder, e), e);
            }
        }
    }
}
