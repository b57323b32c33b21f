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
 * The folder one run writes: {@code config.yaml summary.json timing.json jobs.csv report.html tensorboard/ checkpoints/{last,best}/}.
 *
 * <p>A folder belongs to one configuration. The same run may come back to it (to resume, or to write the same again); another
 * configuration is refused unless asked to replace what is there.
 */
public final class RunDirectory {
    /** What becomes of a folder that holds a run of another configuration. */
    public enum OtherRun {
        /** An {@link InputException}. */
        REFUSE,
        /** Its files are deleted, all that this class knows of and nothing else. */
        REPLACE
    }

    private static final String CONFIG = "config.yaml";
    /** The folder of the last checkpoint, in that of the checkpoints. */
    public static final String LAST = "last";

    private static final List<String> OUTPUTS = List.of(
            "summary.json", "timing.json", "tuning.json", "jobs.csv", "report.html", "tensorboard", "checkpoints");

    private final Path root;
    private final boolean fresh;

    private RunDirectory(Path root, boolean fresh) {
        this.root = root;
        this.fresh = fresh;
    }

    /**
     * Makes the folder of a run, or comes back to it.
     *
     * @param root the folder, made when absent
     * @param config the resolved configuration, as text
     */
    public static RunDirectory create(Path root, String config, OtherRun otherRun) {
        try {
            if (Files.exists(root) && !Files.isDirectory(root)) {
                throw InputException.at("--out", root, "a folder, not a file");
            }
            Files.createDirectories(root);
            boolean fresh = claim(root, config, otherRun);
            RunDirectory run = new RunDirectory(root, fresh);
            Files.createDirectories(run.tensorboard());
            Files.createDirectories(run.checkpoints());
            return run;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make the run folder %s: %s".formatted(root, e), e);
        }
    }

    /** The folder of a run that was made before. */
    public static RunDirectory open(Path root) {
        if (!Files.isRegularFile(root.resolve(CONFIG))) {
            throw InputException.at("run folder", root, "a folder with a %s in it".formatted(CONFIG));
        }
        return new RunDirectory(root, false);
    }

    /** Makes the folder this configuration's own; says whether it starts anew. */
    private static boolean claim(Path root, String config, OtherRun otherRun) throws IOException {
        deleteUnfinished(root);
        Path file = root.resolve(CONFIG);
        boolean present = Files.exists(file);
        if (present && Files.readString(file).equals(config)) {
            return false;
        }
        if (!present && !isEmpty(root)) {
            throw new InputException("%s is not empty and holds no run: give --out another folder".formatted(root));
        }
        if (present && otherRun == OtherRun.REFUSE) {
            throw new InputException(
                    "%s holds a run of another configuration: give --out another folder, or ask to replace it"
                            .formatted(root));
        }
        // The outputs go before their configuration does, so that a kill in between leaves a folder that is still
        // refused.
        for (String output : OUTPUTS) {
            deleteTree(root.resolve(output));
        }
        AtomicFiles.write(file, config);
        return true;
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

    /** Whether this run is the first in the folder: nothing to resume. */
    public boolean fresh() {
        return fresh;
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

    /** How the member of the tuned family was chosen. */
    public Path tuning() {
        return root.resolve("tuning.json");
    }

    public Path jobs() {
        return root.resolve("jobs.csv");
    }

    public Path report() {
        return root.resolve("report.html");
    }

    public Path tensorboard() {
        return root.resolve("tensorboard");
    }

    /** The folder of the checkpoints; whoever writes one makes its own folder in it. */
    public Path checkpoints() {
        return root.resolve("checkpoints");
    }

    public Path lastCheckpoint() {
        return checkpoints().resolve(LAST);
    }

    public Path bestCheckpoint() {
        return checkpoints().resolve("best");
    }

    /** Makes the folders of the checkpoints; what a run that was killed had only begun to write there goes. */
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
