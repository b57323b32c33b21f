package org.trainyard.env;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * The columns of a policy's input, by which a file of a policy or trainer is refused when it was saved with other
 * columns.
 *
 * @param name of the input in messages, such as {@code observation}
 * @param hash SHA-256 of the names of the columns, in hexadecimal
 */
public record ColumnSchema(String name, String hash) {
    /** The schema that a text with the names of all columns describes. */
    public static ColumnSchema of(String name, String text) {
        byte[] hash = Digests.sha256().digest(text.getBytes(StandardCharsets.UTF_8));
        return new ColumnSchema(name, HexFormat.of().formatHex(hash));
    }

    /**
     * Refuses a file that was saved with other columns.
     *
     * @param savedHash the hash in the file
     * @throws InputException when it is not that of these columns
     */
    public void require(String file, String savedHash) {
        if (!savedHash.equals(hash)) {
            throw new InputException(
                    "%s: was saved with %s schema %s, but the %ss here have schema %s: their columns differ"
                            .formatted(file, name, savedHash, name, hash));
        }
    }
}
