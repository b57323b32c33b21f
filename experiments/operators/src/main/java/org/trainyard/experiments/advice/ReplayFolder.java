package org.trainyard.experiments.advice;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.FailedWriteException;
import org.trainyard.env.InputException;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.FolderLock;
import org.trainyard.experiments.io.Sha256;
import org.trainyard.gnn.CheckedFile;

/**
 * A folder that keeps finished replays of one log, so that an interrupted answer goes on where it stopped, and another
 * metric needs no new replay. It belongs to one question: the jobs, the cluster, the seed and the learned policy. Who
 * has opened it has its {@linkplain FolderLock lock}.
 */
public final class ReplayFolder implements AutoCloseable {
    private static final String QUESTION = "question.txt";
    private static final String REPLAYS = "replays";
    private static final List<String> ANSWERS = List.of("answer.json", "answer.txt", "report.html", "series.csv");
    private static final String KIND = "TYREPLAY";
    private static final int VERSION = 1;
    /** Characters of a name in that of its file. */
    private static final int READABLE = 80;

    private final Path folder;
    private final FolderLock lock;

    private ReplayFolder(Path folder, FolderLock lock) {
        this.folder = folder;
        this.lock = lock;
    }

    /**
     * Makes the folder of a question, or opens it again.
     *
     * @param place names the folder in messages
     * @param question all that replays depend on
     * @param isReplaced whether replays of another question are deleted
     * @throws InputException when the folder holds another question and may not be replaced, or other files, or another
     *     process writes to it
     */
    public static ReplayFolder open(String place, Path root, String question, boolean isReplaced) {
        FolderLock lock = FolderLock.take(root);
        boolean isOpen = false;
        try {
            ReplayFolder folder = new ReplayFolder(claim(place, root, question, isReplaced), lock);
            isOpen = true;
            return folder;
        } finally {
            if (!isOpen) {
                lock.close();
            }
        }
    }

    private static Path claim(String place, Path root, String question, boolean isReplaced) {
        Path file = root.resolve(QUESTION);
        Path replays = root.resolve(REPLAYS);
        try {
            if (Files.exists(file)) {
                boolean isOther = !Files.readString(file).equals(question);
                if (isOther && !isReplaced) {
                    throw InputException.at(
                            place, root, "a folder of the same log, cluster, seed and policy, a new one, or --replace");
                }
                if (isOther) {
                    for (String answer : ANSWERS) {
                        Files.deleteIfExists(root.resolve(answer));
                    }
                    delete(replays);
                }
            } else if (hasFiles(root)) {
                throw InputException.at(place, root, "an empty folder, or one that advise wrote");
            }
            AtomicFiles.deleteUnfinished(root);
            // The question first: a kill in between leaves a folder that is still ours.
            AtomicFiles.write(file, question);
            AtomicFiles.makeFolder(replays);
        } catch (IOException e) {
            throw new FailedWriteException(root, e);
        }
        return replays;
    }

    @Override
    public void close() {
        lock.close();
    }

    private static boolean hasFiles(Path root) throws IOException {
        try (Stream<Path> files = Files.list(root)) {
            return files.anyMatch(file -> !file.endsWith(FolderLock.FILE) && !AtomicFiles.isUnfinished(file));
        }
    }

    private static void delete(Path replays) throws IOException {
        if (Files.isDirectory(replays)) {
            try (Stream<Path> files = Files.list(replays)) {
                for (Path file :
                        files.filter(file -> file.toString().endsWith(".bin")).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    /** The number of replays that it holds. */
    public int size() {
        try (Stream<Path> files = Files.list(folder)) {
            return (int) files.filter(file -> file.toString().endsWith(".bin")).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The replay of a scheduler with durations times a factor, or null; one that is damaged counts as missing. */
    @Nullable LogOutcome find(String name, double durationFactor) {
        Path file = file(name, durationFactor);
        if (!Files.isRegularFile(file)) {
            return null;
        }
        try (DataInputStream in = CheckedFile.read(file, KIND, VERSION)) {
            return LogOutcome.read(in);
        } catch (InputException damaged) {
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read %s: %s".formatted(file, e), e);
        }
    }

    /** Keeps a replay; threads may keep different ones at once. */
    void keep(LogOutcome replay, double durationFactor) {
        CheckedFile.write(file(replay.name(), durationFactor), KIND, VERSION, replay::write);
    }

    private Path file(String name, double durationFactor) {
        String words = name.replaceAll("[^A-Za-z0-9.-]+", "-");
        String readable = words.substring(0, Math.min(READABLE, words.length()));
        String exact =
                Sha256.of(name + " " + Double.doubleToLongBits(durationFactor)).substring(0, 8);
        return folder.resolve(String.format(Locale.ROOT, "%s-%.3f-%s.bin", readable, durationFactor, exact));
    }
}
