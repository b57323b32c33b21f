package org.trainyard.experiments.service.journal;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Reads a write-ahead file line by line, however long it is.
 *
 * <p>A last line that is incomplete or damaged is what a killed process leaves; it ends the file, for nobody was told
 * that it was accepted. Any other damaged line is a {@link DamagedLine}.
 */
public final class JournalReader implements Closeable {
    private static final int BUFFER = 1 << 16;
    /** More than the events of a request. */
    private static final int LONGEST = 1 << 28;

    private final Path file;
    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER];
    private int at;
    private int filled;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private long lines;
    private long begin;
    private long end;
    private boolean isTorn;

    JournalReader(Path file) {
        this.file = file;
        try {
            in = Files.newInputStream(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The next entry, or null at the end. */
    public @Nullable JsonNode next() {
        try {
            begin = end;
            boolean isEnded = readLine();
            if (end == begin) {
                return null;
            }
            JsonNode entry = isEnded && end - begin <= LONGEST ? JournalLine.read(line.toByteArray()) : null;
            if (entry == null) {
                isTorn = !isEnded || !fill();
                if (isTorn) {
                    end = begin;
                    return null;
                }
                throw damaged("a damaged line", "a line as it was written, checksum and all");
            }
            lines++;
            return entry;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads a line, and keeps it if it is not too long to be one; returns whether it has an end. */
    private boolean readLine() throws IOException {
        line.reset();
        while (fill()) {
            int from = at;
            while (at < filled && buffer[at] != '\n') {
                at++;
            }
            boolean isEnded = at < filled;
            if (end - begin < LONGEST) {
                line.write(buffer, from, at - from);
            }
            at += isEnded ? 1 : 0;
            end += at - from;
            if (isEnded) {
                return true;
            }
        }
        return false;
    }

    /** Whether there is more to read. */
    private boolean fill() throws IOException {
        if (at == filled) {
            at = 0;
            filled = Math.max(0, in.read(buffer));
        }
        return filled > 0;
    }

    /** The failure that the last line, whose checksum may be right, cannot be used. */
    public DamagedLine refused(String value, String expected) {
        lines--;
        return damaged(value, expected);
    }

    private DamagedLine damaged(String value, String expected) {
        return new DamagedLine(file, lines + 1, begin, value, expected);
    }

    /** Number of bytes up to the end of the last sound line. */
    long soundBytes() {
        return end;
    }

    /** Whether the file ended with a line that is not whole. */
    public boolean isTorn() {
        return isTorn;
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
