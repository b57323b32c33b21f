package org.trainyard.env;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** Random numbers by purpose: one root seed, and a stream of its own for everything that draws. */
public final class RandomStreams {
    private RandomStreams() {}

    /**
     * A fresh {@code L64X128MixRandom} for a purpose; equal seeds and purposes give equal streams, on every platform.
     */
    public static RandomGenerator stream(long seed, String purpose) {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(derive(seed, purpose));
    }

    /** The seed a purpose has under a root seed. */
    public static long derive(long seed, String purpose) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(ByteBuffer.allocate(8).putLong(seed).array());
            return ByteBuffer.wrap(sha.digest(purpose.getBytes(StandardCharsets.UTF_8)))
                    .getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
