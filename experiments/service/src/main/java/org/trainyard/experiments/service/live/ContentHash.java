package org.trainyard.experiments.service.live;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;

/** The beginning of the SHA-256 of JSON content: blanks and the order of fields do not matter. */
final class ContentHash {
    private ContentHash() {}

    static long of(JsonNode node) {
        StringBuilder text = new StringBuilder();
        write(node, text);
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(hash).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static void write(JsonNode node, StringBuilder text) {
        if (node.isObject()) {
            List<String> names = new ArrayList<>();
            node.fieldNames().forEachRemaining(names::add);
            names.sort(null);
            text.append('{');
            for (String name : names) {
                text.append(name.length()).append(':').append(name).append('=');
                write(node.get(name), text);
            }
            text.append('}');
        } else if (node.isArray()) {
            text.append('[');
            node.forEach(item -> {
                write(item, text);
                text.append(',');
            });
            text.append(']');
        } else {
            text.append(node);
        }
    }
}
