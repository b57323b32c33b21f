package org.trainyard.experiments.service.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file that only grows at its end, whatever others do to it, or is cut. */
final class AppendedFile implements Closeable {
    private final FileChannel channel;

    /** Opens the file, or makes it, and cuts it to this length. */
    AppendedFile(Path file, long bytes) throws IOException {
        channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        try {
            cut(bytes);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    void append(ByteBuffer line, boolean isForced) throws IOException {
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
