package org.trainyard.env;

import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Collections;
import java.util.Enumeration;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** Random numbers by purpose: one root seed, and a stream of its own for everything that draws. */
public final class RandomStreams {
    private static final RandomGeneratorFactory<RandomGenerator> MIX = factory();

    private RandomStreams() {}

    /** The factory from Java's own modules: to look for generators in all jars takes a twelfth of a short command. */
    private static RandomGeneratorFactory<RandomGenerator> factory() {
        Thread thread = Thread.currentThread();
        ClassLoader loader = thread.getContextClassLoader();
        thread.setContextClassLoader(new ClassLoader(RandomStreams.class.getClassLoader()) {
            @Override
            public Enumeration<URL> getResources(String name) {
                return Collections.emptyEnumeration();
            }
        });
        try {
            return RandomGeneratorFactory.of("L64X128MixRandom");
        } finally {
            thread.setContextClassLoader(loader);
        }
    }

    /**
     * A fresh {@code L64X128MixRandom} for a purpose; equal seeds and purposes give equal streams, on every platform.
     */
    public static RandomGenerator stream(long seed, String purpose) {
        return MIX.create(derive(seed, purpose));
    }

    /** The seed a purpose has under a root seed. */
    public static long derive(long seed, String purpose) {
        MessageDigest sha = Digests.sha256();
        sha.update(ByteBuffer.allocate(8).putLong(seed).array());
        return ByteBuffer.wrap(sha.digest(purpose.getBytes(StandardCharsets.UTF_8)))
                .getLong();
    }
}
