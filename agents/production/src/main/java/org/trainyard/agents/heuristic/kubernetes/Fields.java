package org.trainyard.agents.heuristic.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;

/** The fields of an object in a file: those that are read, and at the end those that nobody read. */
public final class Fields {
    private final String place;
    private final JsonNode node;
    private final Set<String> read = new HashSet<>();
    private final List<Fields> parts = new ArrayList<>();

    /** @throws InputException unless the node has fields */
    public Fields(String place, JsonNode node) {
        this.place = place;
        this.node = node;
        if (!node.isObject()) {
            throw InputException.at(place, node.toString(), "fields");
        }
    }

    public String place() {
        return place;
    }

    /** Where a field is, for messages. */
    public String at(String name) {
        return place + ", " + name;
    }

    private @Nullable JsonNode take(String name) {
        read.add(name);
        JsonNode value = node.get(name);
        return value == null || value.isNull() ? null : value;
    }

    /** Fields that say nothing about scheduling. */
    public Fields without(String... names) {
        read.addAll(List.of(names));
        return this;
    }

    public @Nullable String text(String name) {
        JsonNode value = take(name);
        if (value == null) {
            return null;
        }
        if (!value.isValueNode()) {
            throw InputException.at(at(name), value.toString(), "a text");
        }
        return value.asText();
    }

    public String text(String name, String otherwise) {
        String value = text(name);
        return value == null ? otherwise : value;
    }

    /** @throws InputException when it is not there */
    public String needed(String name) {
        String value = text(name);
        if (value == null || value.isEmpty()) {
            throw InputException.at(at(name), "", "a value");
        }
        return value;
    }

    /** The word in a field, which must be among those given. */
    public String word(String name, String otherwise, String... words) {
        String value = text(name, otherwise);
        if (!List.of(words).contains(value)) {
            throw InputException.at(at(name), value, "one of " + String.join(", ", words));
        }
        return value;
    }

    public long integer(String name, long otherwise) {
        String value = text(name);
        if (value == null) {
            return otherwise;
        }
        if (!value.matches("-?\\d{1,10}")) {
            throw InputException.at(at(name), value, "a whole number");
        }
        return Long.parseLong(value);
    }

    /** The part of this name; without one, null. */
    public @Nullable Fields part(String name) {
        JsonNode value = take(name);
        return value == null ? null : keep(new Fields(at(name), value));
    }

    /** The part of this name; without one, a part without fields. */
    public Fields partOrEmpty(String name) {
        Fields value = part(name);
        return value == null ? new Fields(at(name), JsonNodeFactory.instance.objectNode()) : value;
    }

    public List<Fields> parts(String name) {
        List<Fields> list = new ArrayList<>();
        for (JsonNode element : elements(name)) {
            list.add(keep(new Fields("%s[%d]".formatted(at(name), list.size()), element)));
        }
        return list;
    }

    public List<String> texts(String name) {
        List<String> list = new ArrayList<>();
        elements(name).forEach(element -> list.add(element.asText()));
        return list;
    }

    private Iterable<JsonNode> elements(String name) {
        JsonNode value = take(name);
        if (value == null) {
            return List.of();
        }
        if (!value.isArray()) {
            throw InputException.at(at(name), value.toString(), "a list");
        }
        return value;
    }

    /** All fields of a part, as texts. */
    public Map<String, String> pairs(String name) {
        Map<String, String> pairs = new LinkedHashMap<>();
        JsonNode value = take(name);
        if (value != null) {
            value.properties()
                    .forEach(field -> pairs.put(field.getKey(), field.getValue().asText()));
        }
        return pairs;
    }

    private Fields keep(Fields part) {
        parts.add(part);
        return part;
    }

    /**
     * Says of each field that nobody read that it has no effect.
     *
     * @param bounding names of fields that bound who may start, of which it says that; those without content say
     *     nothing
     */
    public void end(Set<String> notes, Set<String> bounding) {
        node.fieldNames().forEachRemaining(name -> {
            boolean bounds = bounding.contains(name);
            if (!read.contains(name)
                    && !(bounds && node.path(name).isEmpty() && node.path(name).isContainerNode())) {
                notes.add(at(name)
                        + (bounds ? ": bounds who may start, and is not applied here" : ": has no effect here"));
            }
        });
        parts.forEach(part -> part.end(notes, bounding));
    }
}
