package org.trainyard.experiments.service.live;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a JSON object in a request, read strictly: unknown, repeated and missing fields and other types are
 * refused.
 */
public final class JsonFields {
    private static final int MOST_CHARS = 200;
    private static final JsonMapper STRICT = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    static {
        STRICT.getFactory()
                .setStreamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(60)
                        .maxNumberLength(60)
                        .build());
    }

    private final JsonNode node;
    private final String place;
    private final Set<String> known = new LinkedHashSet<>();

    private JsonFields(JsonNode node, String place) {
        this.node = node;
        this.place = place;
    }

    /** The fields of an object at a place of a request; the place of the whole body is empty. */
    public static JsonFields of(JsonNode node, String place) {
        if (!node.isObject()) {
            throw new RequestException(
                    RequestException.MALFORMED, place.isEmpty() ? "body" : place, node, "a JSON object");
        }
        return new JsonFields(node, place);
    }

    /** Parses a body. */
    public static JsonNode parse(String body) {
        try {
            JsonNode tree = STRICT.readTree(body);
            if (tree == null || tree.isMissingNode()) {
                throw new RequestException(RequestException.MALFORMED, "body", body, "a JSON object");
            }
            return tree;
        } catch (JsonProcessingException e) {
            String where = e.getLocation() == null
                    ? "body"
                    : "body, line %d, column %d"
                            .formatted(
                                    e.getLocation().getLineNr(), e.getLocation().getColumnNr());
            throw new RequestException(
                    RequestException.MALFORMED,
                    where,
                    e.getOriginalMessage()
                            .replaceAll(",? from `[^`]*`|\\(bound as `[^`]*`\\)", "")
                            .replaceAll("\\s+", " "),
                    "one JSON object");
        }
    }

    /** The place of one of its fields. */
    String at(String name) {
        if (place.isEmpty()) {
            return name.isEmpty() ? "body" : name;
        }
        return place + "." + name;
    }

    private RequestException bad(String name, Object value, String expected) {
        return new RequestException(RequestException.MALFORMED, at(name), value, expected);
    }

    private @Nullable JsonNode value(String name) {
        known.add(name);
        JsonNode value = node.get(name);
        return value == null || value.isNull() ? null : value;
    }

    private JsonNode required(String name, String expected) {
        JsonNode value = value(name);
        if (value == null) {
            throw bad(name, node.has(name) ? "null" : "nothing", expected);
        }
        return value;
    }

    /** A text of 1 to 200 printable characters. */
    public String text(String name) {
        String expected = "a text of 1 to %d printable characters".formatted(MOST_CHARS);
        JsonNode value = required(name, expected);
        String text = value.asText();
        if (!value.isTextual()
                || text.isBlank()
                || text.length() > MOST_CHARS
                || text.chars().anyMatch(Character::isISOControl)) {
            throw bad(name, value, expected);
        }
        return text;
    }

    public @Nullable String textOrNull(String name) {
        return value(name) == null ? null : text(name);
    }

    public long whole(String name, long least, long most) {
        String expected = "a whole number in %d..%d".formatted(least, most);
        JsonNode value = required(name, expected);
        if (!value.isIntegralNumber()
                || !value.canConvertToLong()
                || value.longValue() < least
                || value.longValue() > most) {
            throw bad(name, value, expected);
        }
        return value.longValue();
    }

    public long wholeOr(String name, long least, long most, long otherwise) {
        return value(name) == null ? otherwise : whole(name, least, most);
    }

    /** A finite number of at least this, or null. */
    @Nullable Double numberOrNull(String name, double least) {
        JsonNode value = value(name);
        if (value == null) {
            return null;
        }
        double number = value.isNumber() ? value.doubleValue() : Double.NaN;
        if (!(number >= least) || Double.isInfinite(number)) {
            throw bad(name, value, "a finite number, at least " + least);
        }
        return number;
    }

    double number(String name, double least) {
        Double number = numberOrNull(name, least);
        if (number == null) {
            throw bad(name, "nothing", "a finite number, at least " + least);
        }
        return number;
    }

    boolean flagOr(String name, boolean otherwise) {
        JsonNode value = value(name);
        if (value != null && !value.isBoolean()) {
            throw bad(name, value, "true or false");
        }
        return value == null ? otherwise : value.booleanValue();
    }

    public List<JsonNode> list(String name, int most) {
        String expected = "a list of at most %d items".formatted(most);
        JsonNode value = required(name, expected);
        if (!value.isArray() || value.size() > most) {
            throw bad(name, value.isArray() ? value.size() + " items" : value, expected);
        }
        List<JsonNode> items = new ArrayList<>();
        value.forEach(items::add);
        return items;
    }

    List<String> texts(String name, int most) {
        List<String> texts = new ArrayList<>();
        if (value(name) != null) {
            for (JsonNode item : list(name, most)) {
                if (!item.isTextual()
                        || item.asText().isBlank()
                        || item.asText().length() > MOST_CHARS) {
                    throw bad(name, item, "texts of 1 to %d characters".formatted(MOST_CHARS));
                }
                texts.add(item.asText());
            }
        }
        return texts;
    }

    /** Refuses fields that nobody has asked for. */
    public void end() {
        node.fieldNames().forEachRemaining(name -> {
            if (!known.contains(name)) {
                throw bad(name, name, "one of the fields " + String.join(", ", known));
            }
        });
    }
}
