package org.trainyard.experiments.io;

import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.trainyard.env.FailedWriteException;
import org.trainyard.env.InputException;

/**
 * Atomic writes: a temporary file in the same folder is written, synced to disk, and renamed to the target.
 *
 * <p>Readers see the old or the new content, never a part of it. After a failed write the old file remains and the
 * temporary one is deleted.
 */
public final class AtomicFiles {
    /** Ending of temporary files, which only remain when the process is killed or the machine stops. */
    static final String TEMPORARY = ".part";

    private static final Pattern UNFINISHED = Pattern.compile("\\..+\\.\\d+-\\d+" + Pattern.quote(TEMPORARY));

    private static final AtomicLong COUNTER = new AtomicLong();

    private AtomicFiles() {}

    /** The content of a file. */
    @FunctionalInterface
    public interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    /** Creates a folder and its parents, unless they exist. */
    public static void makeFolder(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new InputException("%s: cannot be made (%s): expected a folder or a free name"
                    .formatted(folder, FailedWriteException.reason(e)));
        }
    }

    /** Deletes a file, or a folder with all that is in it; links are deleted and not followed. */
    public static void deleteTree(Path path) throws IOException {
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
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

    /** Whether it is the temporary file of a write that goes on, or was killed. */
    public static boolean isUnfinished(Path file) {
        return UNFINISHED.matcher(String.valueOf(file.getFileName())).matches();
    }

    /** Deletes what killed writes have left in a folder to which nobody else writes; nothing when it is absent. */
    public static void deleteUnfinished(Path folder) {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (DirectoryStream<Path> left = Files.newDirectoryStream(folder, AtomicFiles::isUnfinished)) {
            for (Path file : left) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new FailedWriteException(folder, e);
        }
    }

    /** Writes text as UTF-8. */
    public static void write(Path file, String text) {
        write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    public static void write(Path file, byte[] bytes) {
        write(file, out -> out.write(bytes));
    }

    /** Copies a file, replacing the target atomically. */
    public static void copy(Path from, Path to) {
        write(to, stream -> Files.copy(from, stream));
    }

    /** Writes what {@code content} writes to its buffered stream; the folder of {@code file} must exist. */
    public static void write(Path file, Content content) {
        Path target = file.toAbsolutePath();
        Path folder = target.getParent();
        if (folder == null) {
            throw new IllegalArgumentException("%s is not a file".formatted(file));
        }
        Path temporary = folder.resolve(".%s.%d-%d%s"
                .formatted(file.getFileName(), ProcessHandle.current().pid(), COUNTER.getAndIncrement(), TEMPORARY));
        try {
            try {
                fill(file, temporary, content);
                Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(temporary);
            }
            sync(folder);
        } catch (IOException e) {
            throw new FailedWriteException(file, e);
        }
    }

    /** A stream whose failures name the file: content may pass them on as failures of its own. */
    private static final class Blamed extends FilterOutputStream {
        private final Path file;

        Blamed(Path file, OutputStream out) {
            super(out);
            this.file = file;
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            try {
                out.write(bytes, from, length);
            } catch (IOException e) {
                throw new FailedWriteException(file, e);
            }
        }
    }

    private static void fill(Path file, Path temporary, Content content) throws IOException {
        // Not Files.createTempFile, whose files only their owner can read.
        try (FileChannel channel =
                FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            OutputStream out = new BufferedOutputStream(new Blamed(file, Channels.newOutputStream(channel)), 1 << 16);
            content.writeTo(out);
            out.flush();
            channel.force(true);
        }
    }

    /** Syncs the rename to disk; not on Windows, where folders cannot be opened. */
    private static void sync(Path folder) throws IOException {
        if (!folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return;
        }
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
