package org.trainyard.gnn;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32;
import org.trainyard.env.Digests;
import org.trainyard.env.FailedWriteException;
import org.trainyard.env.InputException;
import org.trainyard.env.Invalid;

/**
 * A binary file with a header and a checksum: 8 bytes of kind, 4 of version, 8 of length, the content, 8 of CRC-32 over
 * the content. Written to a temporary file beside it, which then replaces it atomically.
 */
public final class CheckedFile {
    /** Suffix of temporary files; one is left behind only when the process is killed or the machine stops. */
    public static final String TEMPORARY = ".tmp";

    private static final int KIND = 8;
    private static final int HEAD = KIND + 4 + 8;
    private static final int TAIL = 8;

    /** Writes the content of a file. */
    public interface Writer {
        void write(DataOutputStream out) throws IOException;
    }

    private CheckedFile() {}

    /**
     * Writes a file, replacing one that exists atomically.
     *
     * @param kind 8 ASCII characters
     * @return the SHA-256 of the whole file, in hexadecimal
     */
    public static String write(Path file, String kind, int version, Writer writer) {
        try {
            ByteArrayOutputStream content = new ByteArrayOutputStream();
            writer.write(new DataOutputStream(content));
            byte[] bytes = content.toByteArray();
            ByteBuffer whole = ByteBuffer.allocate(HEAD + bytes.length + TAIL);
            whole.put(kindBytes(kind)).putInt(version).putLong(bytes.length).put(bytes);
            whole.putLong(checksum(bytes, 0, bytes.length)).flip();
            Path temporary = file.resolveSibling(file.getFileName() + TEMPORARY);
            try {
                try (FileChannel channel = FileChannel.open(
                        temporary,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.TRUNCATE_EXISTING)) {
                    while (whole.hasRemaining()) {
                        channel.write(whole);
                    }
                    channel.force(true);
                }
                Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(temporary);
            }
            return sha256(whole.array());
        } catch (IOException e) {
            throw new FailedWriteException(file, e);
        }
    }

    /**
     * Opens the content of a file of this kind and version.
     *
     * @throws InputException when the file is missing, of another kind or version, or damaged
     */
    public static DataInputStream read(Path file, String kind, int version) {
        return content(bytes(file), file.toString(), kind, version);
    }

    /**
     * Opens the content of the bytes of a file.
     *
     * @param file its name, for messages
     * @throws InputException when it is of another kind or version, or damaged
     */
    public static DataInputStream content(byte[] bytes, String file, String kind, int version) {
        ByteBuffer head = ByteBuffer.wrap(bytes);
        byte[] found = new byte[KIND];
        if (bytes.length < HEAD + TAIL) {
            throw new InputException("%s: is too short (%d bytes) to be a %s file".formatted(file, bytes.length, kind));
        }
        head.get(found);
        if (!Arrays.equals(found, kindBytes(kind))) {
            throw new InputException("%s: is not a %s file".formatted(file, kind));
        }
        int foundVersion = head.getInt();
        if (foundVersion != version) {
            throw new InputException("%s: is of version (%d), expected (%d)".formatted(file, foundVersion, version));
        }
        long length = head.getLong();
        if (length != bytes.length - HEAD - TAIL
                || checksum(bytes, HEAD, (int) length) != head.getLong(bytes.length - TAIL)) {
            throw new InputException("%s: is damaged: its checksum does not match".formatted(file));
        }
        return new DataInputStream(new ByteArrayInputStream(bytes, HEAD, (int) length));
    }

    /**
     * The version of a file of this kind; 0 for another file, which {@link #read} refuses.
     *
     * @throws InputException when the file is missing
     */
    public static int version(Path file, String kind) {
        byte[] bytes = bytes(file);
        return isOf(bytes, kind) && bytes.length >= HEAD
                ? ByteBuffer.wrap(bytes).getInt(KIND)
                : 0;
    }

    /**
     * Whether a file begins as one of this kind.
     *
     * @throws InputException when the file is missing
     */
    public static boolean isOf(Path file, String kind) {
        return isOf(bytes(file), kind);
    }

    private static boolean isOf(byte[] bytes, String kind) {
        byte[] expected = kindBytes(kind);
        return bytes.length >= KIND && Arrays.equals(bytes, 0, KIND, expected, 0, KIND);
    }

    /** The SHA-256 of a file, in hexadecimal. */
    public static String sha256(Path file) {
        return sha256(bytes(file));
    }

    private static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new InputException("%s: no such file".formatted(file));
        } catch (IOException e) {
            throw new InputException("%s: cannot be read (%s)".formatted(file, FailedWriteException.reason(e)));
        }
    }

    private static byte[] kindBytes(String kind) {
        byte[] bytes = kind.getBytes(StandardCharsets.US_ASCII);
        Invalid.when(bytes.length != KIND, "kind (%s) must have 8 characters", kind);
        return bytes;
    }

    private static long checksum(byte[] bytes, int from, int length) {
        CRC32 crc = new CRC32();
        crc.update(bytes, from, length);
        return crc.getValue();
    }

    private static String sha256(byte[] bytes) {
        return HexFormat.of().formatHex(Digests.sha256().digest(bytes));
    }
}
