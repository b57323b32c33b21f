package org.trainyard.experiments.fleet;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Serialisation of the inputs and outputs of tasks. */
public final class FleetBytes {
    private FleetBytes() {}

    /** Puts values down. */
    @FunctionalInterface
    public interface Writing {
        void to(DataOutputStream out) throws IOException;
    }

    /** Takes values up again. */
    @FunctionalInterface
    public interface Reading<R> {
        R of(DataInputStream in) throws IOException;
    }

    /** The bytes of the written values. */
    public static byte[] of(Writing writing) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            writing.to(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /**
     * The value read from bytes.
     *
     * @throws UncheckedIOException when the bytes end too soon
     */
    public static <R> R read(byte[] bytes, Reading<R> reading) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            return reading.of(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
