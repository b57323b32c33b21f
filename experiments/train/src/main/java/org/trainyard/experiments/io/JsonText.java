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
import com.fasterxml.jackson.databind.node.POJONode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Map;
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

    /** Writes trees without an object mapper, which takes longer to build than most trees take to write. */
    private static final class JsonTree {
        private JsonTree() {}

        /** Writes objects, arrays, plain values and raw texts as the mapper would. */
        static void write(JsonNode node, JsonGenerator json) throws IOException {
            switch (node.getNodeType()) {
                case OBJECT -> {
                    json.writeStartObject();
                    for (Map.Entry<String, JsonNode> field : node.properties()) {
                        json.writeFieldName(field.getKey());
                        write(field.getValue(), json);
                    }
                    json.writeEndObject();
                }
                case ARRAY -> {
                    json.writeStartArray();
                    for (JsonNode element : node) {
                        write(element, json);
                    }
                    json.writeEndArray();
                }
                case STRING -> json.writeString(node.textValue());
                case NUMBER -> writeNumber(node, json);
                case BOOLEAN -> json.writeBoolean(node.booleanValue());
                case NULL -> json.writeNull();
                default -> writeRaw(node, json);
            }
        }

        /** Writes a text that is JSON already, which is all that a tree may hold besides. */
        private static void writeRaw(JsonNode node, JsonGenerator json) throws IOException {
            if (node instanceof POJONode holder && holder.getPojo() instanceof RawValue raw) {
                raw.serialize(json);
            } else {
                throw new IllegalArgumentException("node (%s) has no JSON".formatted(node.getNodeType()));
            }
        }

        private static void writeNumber(JsonNode node, JsonGenerator json) throws IOException {
            switch (node.numberType()) {
                case INT -> json.writeNumber(node.intValue());
                case LONG -> json.writeNumber(node.longValue());
                case BIG_INTEGER -> json.writeNumber(node.bigIntegerValue());
                case FLOAT -> json.writeNumber(node.floatValue());
                case DOUBLE -> json.writeNumber(node.doubleValue());
                case BIG_DECIMAL -> json.writeNumber(node.decimalValue());
            }
        }
    }
}
