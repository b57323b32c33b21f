package org.trainyard.experiments.service.journal;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.FolderLock;

/** The folder of the write-ahead files of a service, two for each cluster. One process has it at a time. */
public final class StateFolder implements Closeable {
    private static final String EVENTS = ".journal";
    private static final String QUESTIONS = ".questions";
    private static final String DAMAGED = ".damaged";

    private final Path folder;
    private final boolean isSalvaging;
    private final FolderLock lock;
    private final List<String> remarks = new ArrayList<>();

    /**
     * @param isSalvaging whether a file is cut before its first damaged line, rather than refused
     * @throws InputException when another process has it
     */
    public StateFolder(Path folder, boolean isSalvaging) {
        this.folder = folder;
        this.isSalvaging = isSalvaging;
        lock = FolderLock.take(folder);
    }

    /** Makes a cluster again. */
    @FunctionalInterface
    public interface Replay {
        /**
         * Reads all entries of events.
         *
         * @param questions that its scheduler remembers
         */
        void replay(RegisteredCluster cluster, JournalReader events, List<AskedQuestion> questions);
    }

    /** The files of all clusters. */
    public List<Path> files() {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> String.valueOf(file.getFileName()).endsWith(EVENTS))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Notes for the user about what was found, a line each. */
    public List<String> remarks() {
        return List.copyOf(remarks);
    }

    /** Makes a cluster again and gives its journal; null when its registration was never acknowledged. */
    public @Nullable ClusterJournal reopen(Path file, Replay replay) {
        try {
            while (true) {
                try {
                    return reread(file, replay);
                } catch (DamagedLine e) {
                    if (!isSalvaging) {
                        throw new InputException(String.valueOf(e.getMessage()));
                    }
                    salvage(file, e);
                }
            }
        } catch (IOException e) {
            throw new InputException("%s: cannot be opened (%s): expected a file of this service".formatted(file, e));
        }
    }

    private @Nullable ClusterJournal reread(Path file, Replay replay) throws IOException {
        Path asked = questions(file);
        List<AskedQuestion> questions = List.of();
        long bytes = 0;
        if (Files.exists(asked)) {
            try (JournalReader reader = new JournalReader(asked)) {
                questions = ClusterJournal.questions(reader);
                bytes = questions.isEmpty() ? 0 : reader.soundBytes();
            }
        }
        int dropped = Compaction.of(file, Compaction.last(questions));
        if (dropped > 0) {
            remarks.add(
                    Counted.say("%s: %d reports of progress were dropped, which later ones replace", file, dropped));
        }
        try (JournalReader reader = new JournalReader(file)) {
            return replayed(file, reader, questions, bytes, replay);
        }
    }

    private @Nullable ClusterJournal replayed(
            Path file, JournalReader reader, List<AskedQuestion> questions, long questionBytes, Replay replay)
            throws IOException {
        JsonNode first = reader.next();
        if (first == null) {
            String where = keep(file, 0);
            Files.delete(file);
            remarks.add("%s: an incomplete registration was dropped, and is in %s; perhaps nobody was told of it"
                    .formatted(file, where));
            return null;
        }
        RegisteredCluster registered = RegisteredCluster.of(first);
        if (registered == null) {
            throw InputException.at(
                    file + ":1",
                    first.path("format").asText("no format"),
                    RegisteredCluster.FORMAT + " and the topology of its hash");
        }
        String name = registered.id() + EVENTS;
        if (!file.endsWith(name)) {
            throw InputException.at(
                    file.toString(),
                    "the cluster " + registered.id(),
                    "it in %s alone; a copy belongs in another folder".formatted(name));
        }
        replay.replay(registered, reader, questions);
        if (reader.isTorn()) {
            remarks.add("%s: an incomplete last line was dropped, and is in %s; perhaps nobody was told of it"
                    .formatted(file, keep(file, reader.soundBytes())));
        }
        return open(file, reader.soundBytes(), questionBytes, questions);
    }

    private static ClusterJournal open(Path file, long eventBytes, long questionBytes, List<AskedQuestion> asked)
            throws IOException {
        AppendedFile events = new AppendedFile(file, eventBytes);
        try {
            return new ClusterJournal(file, events, new AppendedFile(questions(file), questionBytes), asked);
        } catch (IOException | RuntimeException e) {
            events.close();
            throw e;
        }
    }

    private static Path questions(Path file) {
        return file.resolveSibling(
                String.valueOf(file.getFileName()).replaceFirst("\\%s$".formatted(EVENTS), QUESTIONS));
    }

    /** Cuts a file, and keeps the rest in a file beside it, whose name it returns. */
    private static String keep(Path file, long from) throws IOException {
        Path rest = file.resolveSibling(file.getFileName() + DAMAGED);
        for (int i = 2; Files.exists(rest); i++) {
            rest = file.resolveSibling(file.getFileName() + DAMAGED + i);
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            channel.position(from);
            AtomicFiles.write(rest, out -> Channels.newInputStream(channel).transferTo(out));
            AppendedFile.hide(rest);
            channel.truncate(from);
            channel.force(true);
        }
        return rest.toString();
    }

    /** Keeps the lines before a damaged one. */
    private void salvage(Path file, DamagedLine damage) throws IOException {
        String rest = keep(file, damage.begin());
        Files.deleteIfExists(questions(file));
        remarks.add("%s; the lines before it were kept, and the rest is in %s".formatted(damage.getMessage(), rest));
    }

    /** Begins the files of a cluster. */
    public ClusterJournal create(RegisteredCluster cluster) {
        Path file = folder.resolve(cluster.id() + EVENTS);
        try {
            byte[] line = JournalLine.of(cluster.entry()).array();
            Files.deleteIfExists(questions(file));
            AtomicFiles.write(file, line);
            return open(file, line.length, 0, List.of());
        } catch (IOException e) {
            throw new UncheckedIOException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Deletes the files of a cluster, whose journal is closed: first the one without which it does not come back. */
    public void delete(String id) {
        Path file = folder.resolve(id + EVENTS);
        try {
            Files.deleteIfExists(file);
            Files.deleteIfExists(questions(file));
        } catch (IOException e) {
            throw new UncheckedIOException(String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public void close() {
        lock.close();
    }
}
