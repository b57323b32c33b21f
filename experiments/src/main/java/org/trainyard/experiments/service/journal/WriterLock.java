package org.trainyard.experiments.service.journal;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.trainyard.env.InputException;

/** The right to write to a folder of state, which one process has at a time and which ends with it. */
final class WriterLock implements Closeable {
    private static final String FILE = ".lock";
    private static final int MOST_BYTES = 32;

    private final FileChannel channel;

    /** @throws InputException when another service has it */
    WriterLock(Path folder) {
        Path file = folder.resolve(FILE);
        try {
            channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new InputException(
                    "%s: cannot be locked (%s): expected a folder that this user may write to".formatted(folder, e));
        }
        try {
            // Behind the text, which others read.
            if (channel.tryLock(MOST_BYTES, 1, false) == null) {
                throw new OverlappingFileLockException();
            }
            byte[] self = Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII);
            channel.truncate(0).write(ByteBuffer.wrap(self), 0);
        } catch (OverlappingFileLockException e) {
            throw InputException.at(
                    "--state", folder, "a folder that no other service uses; process %s has it".formatted(owner()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String owner() {
        ByteBuffer text = ByteBuffer.allocate(MOST_BYTES);
        try (channel) {
            channel.read(text, 0);
        } catch (IOException e) {
            return "?";
        }
        return StandardCharsets.US_ASCII.decode(text.flip()).toString();
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
