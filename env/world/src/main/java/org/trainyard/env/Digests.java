package org.trainyard.env;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Hashes. */
public final class Digests {
    private Digests() {}

    /** A SHA-256 of no bytes yet. */
    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
