package org.trainyard.experiments.io;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.POJONode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.io.IOException;
import java.util.Map;

/** Writes trees without an object mapper, which takes longer to build than most trees take to write. */
final class JsonTree {
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
