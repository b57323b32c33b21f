package org.trainyard.experiments.io;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.trainyard.env.Digests;

/** SHA-256 in lower-case hexadecimal. */
public final class Sha256 {
    private static final Pattern TEXT = Pattern.compile("[0-9a-f]{64}");

    private Sha256() {}

    /** Whether a text is written as a hash is. */
    public static boolean isWritten(String text) {
        return TEXT.matcher(text).matches();
    }

    /** SHA-256 of text as UTF-8. */
    public static String of(String text) {
        return of(out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** SHA-256 of a file, which is read piece by piece. */
    public static String of(Path file) {
        return of(out -> {
            try (InputStream in = Files.newInputStream(file)) {
                in.transferTo(out);
            }
        });
    }

    /** SHA-256 of what {@code content} writes. */
    public static String of(AtomicFiles.Content content) {
        try {
            MessageDigest digest = Digests.sha256();
            content.writeTo(new DigestOutputStream(OutputStream.nullOutputStream(), digest));
            return HexFormat.of().formatHex(digest.digest());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read what is to be hashed: " + e, e);
        }
    }
}
