package org.trainyard.experiments.io;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;
import org.trainyard.env.InputException;

/**
 * Writes files that are whole or absent: into a temporary file of the same folder, to the disk, then renamed over the target.
 *
 * <p>A reader sees the old content or the new, never a part. When writing fails, the old file stays and the temporary one goes.
 */
public final class AtomicFiles {
    /** Ending of files on their way; one can be left behind only when the process is killed or the machine stops. */
    static final String TEMPORARY = ".part";

    private static final AtomicLong COUNTER = new AtomicLong();

    private AtomicFiles() {}

    /** What a file shall hold. */
    @FunctionalInterface
    public interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    /** Makes a folder and those above it, unless they are there. */
    public static void makeFolder(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new InputException("%s: cannot be made: expected a folder or a free name".formatted(folder));
        }
    }

    /** Writes text as UTF-8. */
    public static void write(Path file, String text) {
        write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    public static void write(Path file, byte[] bytes) {
        write(file, out -> out.write(bytes));
    }

    /** Writes what {@code content} puts on the stream, which is buffered; the folder of {@code file} must exist. */
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
                fill(temporary, content);
                Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(temporary);
            }
            sync(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write %s: %s".formatted(file, e), e);
        }
    }

    private static void fill(Path temporary, Content content) throws IOException {
        // Not Files.createTempFile: its files are readable by their owner alone.
        try (FileChannel channel =
                FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16);
            content.writeTo(out);
            out.flush();
            channel.force(true);
        }
    }

    /** Makes the rename itself last; systems without folders that open (Windows) do without. */
    private static void sync(Path folder) throws IOException {
        if (!folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return;
        }
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
