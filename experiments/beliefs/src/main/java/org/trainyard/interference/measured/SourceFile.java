package org.trainyard.interference.measured;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * A source file of a table's rows.
 *
 * @param file the file's name without its folder
 * @param sha256 of the file as it was read, compressed or not
 * @param citation authors and publication of the measurements
 * @param rows number of rows taken from it
 * @param notes rows that were left out or changed, with reasons
 */
public record SourceFile(String file, String sha256, String citation, String licence, int rows, List<String> notes) {
    public SourceFile {
        notes = List.copyOf(notes);
    }

    /** The SHA-256 of a file's bytes in hexadecimal. */
    public static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
