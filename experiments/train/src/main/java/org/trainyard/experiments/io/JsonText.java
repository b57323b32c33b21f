package org.trainyard.experiments.io;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;

/** JSON as this project writes it. */
public final class JsonText {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
            .build();

    private static final DefaultIndenter INDENTER = new DefaultIndenter("  ", "\n");
    private static final DefaultPrettyPrinter PRETTY =
            new DefaultPrettyPrinter().withObjectIndenter(INDENTER).withArrayIndenter(INDENTER);

    /** Apart, because most result files are trees and a mapper takes long to build. */
    private static final class Mapper {
        private static final JsonMapper MAPPER = JsonMapper.builder(FACTORY).build();

        private Mapper() {}
    }

    private JsonText() {}

    /** What a command prints with {@code --json}: maps, lists and plain values, indented, arrays on one line. */
    public static String of(Object value) {
        return write(Mapper.MAPPER.writer(SerializationFeature.INDENT_OUTPUT), value);
    }

    /** Maps, lists, records and plain values on one line. */
    public static String line(Object value) {
        return write(Mapper.MAPPER.writer(), value);
    }

    /**
     * A result file: two spaces, a line for each value, {@code \n} on every system, plain decimals, a newline at
     * the end.
     */
    public static String pretty(JsonNode tree) {
        return write(tree, PRETTY.createInstance()) + "\n";
    }

    /** One line without spaces, plain decimals. */
    public static String compact(JsonNode tree) {
        return write(tree, null);
    }

    /** Maps, lists and plain values as a tree. */
    public static JsonNode tree(Object value) {
        return Mapper.MAPPER.valueToTree(value);
    }

    /** The tree of a text that this class wrote. */
    public static JsonNode read(String text) {
        try {
            return Mapper.MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not JSON: " + e.getOriginalMessage(), e);
        }
    }

    private static String write(JsonNode tree, @Nullable PrettyPrinter printer) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            if (printer != null) {
                json.setPrettyPrinter(printer);
            }
            JsonTree.write(tree, json);
        } catch (IOException e) {
            throw new IllegalStateException("a tree can always be written as JSON", e);
        }
        return text.toString();
    }

    private static String write(ObjectWriter writer, Object value) {
        try {
            return writer.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("plain values can always be written as JSON", e);
        }
    }
}
