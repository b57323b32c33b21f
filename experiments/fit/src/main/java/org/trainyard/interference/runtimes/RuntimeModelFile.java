package org.trainyard.interference.runtimes;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.trainyard.env.InputException;
import org.trainyard.interference.runtime.ForestRuntimePredictor;
import org.trainyard.interference.runtime.SubmissionFeatures;

/**
 * Fitted run-time models as files: 8 bytes of kind, 4 of version, 32 of SHA-256 over the rest, and the deflated
 * content. No Java serialisation: a file holds numbers and names only.
 */
public final class RuntimeModelFile {
    /** File name of a model in the folder of a fit. */
    public static final String NAME = "runtime.model";

    private static final byte[] KIND = "TYRUNTIM".getBytes(StandardCharsets.US_ASCII);
    private static final int VERSION = 2;
    private static final int CHECKSUM = 32;
    private static final int HEAD = KIND.length + Integer.BYTES + CHECKSUM;

    private RuntimeModelFile() {}

    /** The model as the bytes of its file; the caller writes them atomically. */
    public static byte[] bytes(RuntimeModel model) {
        try {
            ByteArrayOutputStream content = new ByteArrayOutputStream();
            try (DataOutputStream out = new DataOutputStream(new DeflaterOutputStream(content))) {
                out.writeUTF(String.join(",", SubmissionFeatures.NAMES));
                out.writeInt(model.jobs());
                model.predictor().write(out);
            }
            byte[] body = content.toByteArray();
            return ByteBuffer.allocate(HEAD + body.length)
                    .put(KIND)
                    .putInt(VERSION)
                    .put(sha256(body))
                    .put(body)
                    .array();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
    }

    /**
     * Reads a model.
     *
     * @throws InputException when the file is missing, foreign, of another version or damaged
     */
    public static RuntimeModel load(Path file) {
        byte[] bytes = read(file);
        ByteBuffer head = ByteBuffer.wrap(bytes);
        byte[] kind = new byte[KIND.length];
        byte[] checksum = new byte[CHECKSUM];
        if (bytes.length >= KIND.length) {
            head.get(kind);
        }
        if (!Arrays.equals(kind, KIND)) {
            throw InputException.at(
                    file.toString(), "another kind of file", "a run-time model written by `fit runtime`");
        }
        if (bytes.length < HEAD) {
            throw damaged(file, "%d bytes".formatted(bytes.length));
        }
        int version = head.getInt();
        if (version != VERSION) {
            throw InputException.at(file + ", version", version, Integer.toString(VERSION));
        }
        head.get(checksum);
        byte[] body = Arrays.copyOfRange(bytes, HEAD, bytes.length);
        if (!Arrays.equals(checksum, sha256(body))) {
            throw damaged(file, "damaged: its checksum does not match");
        }
        try (DataInputStream in = new DataInputStream(new InflaterInputStream(new ByteArrayInputStream(body)))) {
            String features = in.readUTF();
            if (!features.equals(String.join(",", SubmissionFeatures.NAMES))) {
                throw InputException.at(file + ", features", features, "those of this version; fit it anew");
            }
            int jobs = in.readInt();
            return new RuntimeModel(ForestRuntimePredictor.read(in), jobs);
        } catch (IOException e) {
            throw damaged(file, "damaged: it ends too early");
        }
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw InputException.at(file.toString(), "no such file", "a run-time model written by `fit runtime`");
        } catch (IOException e) {
            throw InputException.at(file.toString(), "unreadable", "a file that can be read");
        }
    }

    private static InputException damaged(Path file, String how) {
        return InputException.at(file.toString(), how, "a whole run-time model written by `fit runtime`");
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
