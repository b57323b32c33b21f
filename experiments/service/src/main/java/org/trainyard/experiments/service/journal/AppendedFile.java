package org.trainyard.experiments.service.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;

/** A file that only grows at its end, whatever others do to it, or is cut. */
final class AppendedFile implements Closeable {
    private final Path file;
    private final FileChannel channel;

    /** Opens the file, or makes it, and cuts it to this length. */
    AppendedFile(Path file, long bytes) throws IOException {
        this.file = file;
        channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        try {
            hide(file);
            cut(bytes);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Lets its owner alone read a file, where the file system knows owners. */
    static void hide(Path file) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        if (view != null) {
            view.setPermissions(PosixFilePermissions.fromString("rw-------"));
        }
    }

    /** Whether the file is still where it was; what is written to a removed one is lost. */
    boolean isThere() {
        return Files.exists(file);
    }

    void append(ByteBuffer line, boolean isForced) throws IOException {
        if (!isThere()) {
            throw new NoSuchFileException(file.toString(), null, "it was removed");
        }
        while (line.hasRemaining()) {
            channel.write(line);
        }
        if (isForced) {
            channel.force(false);
        }
    }

    void cut(long bytes) throws IOException {
        if (channel.size() > bytes) {
            channel.truncate(bytes);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            channel.force(true);
        } finally {
            channel.close();
        }
    }
}
