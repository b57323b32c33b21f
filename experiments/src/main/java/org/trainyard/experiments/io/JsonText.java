package org.trainyard.experiments.io;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** JSON as this project writes it. */
public final class JsonText {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
            .build();
    private static final DefaultIndenter INDENTER = new DefaultIndenter("  ", "\n");
    private static final ObjectWriter PRETTY = MAPPER.writer(
            new DefaultPrettyPrinter().withObjectIndenter(INDENTER).withArrayIndenter(INDENTER));

    private JsonText() {}

    /** What a command prints with {@code --json}: maps, lists and plain values, indented, arrays on one line. */
    public static String of(Object value) {
        return write(MAPPER.writer(SerializationFeature.INDENT_OUTPUT), value);
    }

    /** A result file: two spaces, a line for each value, {@code \n} on every system, plain decimals, a newline at the end. */
    public static String pretty(JsonNode tree) {
        return write(PRETTY, tree) + "\n";
    }

    /** One line without spaces, plain decimals. */
    public static String compact(JsonNode tree) {
        return write(MAPPER.writer(), tree);
    }

    /** Maps, lists and plain values as a tree. */
    public static JsonNode tree(Object value) {
        return MAPPER.valueToTree(value);
    }

    /** The tree of a text that this class wrote. */
    public static JsonNode read(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not JSON: " + e.getOriginalMessage(), e);
        }
    }

    private static String write(ObjectWriter writer, Object value) {
        try {
            return writer.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("plain values can always be written as JSON", e);
        }
    }
}
