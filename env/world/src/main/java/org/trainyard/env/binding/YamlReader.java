package org.trainyard.env.binding;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.trainyard.env.InputException;

/**
 * Reads one YAML document into {@link Yaml} nodes with positions; anchors, aliases, tags and second documents are
 * refused.
 */
public final class YamlReader {
    private static final StreamReadConstraints CONSTRAINTS =
            StreamReadConstraints.builder().maxNestingDepth(100).build();
    private static final YAMLFactory FACTORY =
            YAMLFactory.builder().streamReadConstraints(CONSTRAINTS).build();
    private static final JsonFactory JSON =
            JsonFactory.builder().streamReadConstraints(CONSTRAINTS).build();

    /** The parser of YAML takes quadratic time for the parts of a line; that of JSON does not. */
    private static final int LONGEST_LINE = 1 << 16;

    /** Class names in messages of parsers; whoever sent the text can do nothing with them. */
    private static final String CLASS = "\\(?(?:[a-z]\\w*\\.){2,}[A-Z]\\w*\\)?:? ?";

    private static final Pattern MARK = Pattern.compile("^in .*, line (\\d+), column \\d+");

    private final JsonParser parser;
    private final String file;
    private final boolean hasLines;

    private YamlReader(JsonParser parser, String file, boolean hasLines) {
        this.parser = parser;
        this.file = file;
        this.hasLines = hasLines;
    }

    /** Reads the text of a file; positions are {@code file:line}. */
    public static Yaml read(String file, String text) {
        return read(file, text, true);
    }

    /** Reads the value of an override; all its nodes have the same position. */
    static Yaml readValue(String place, String text) {
        return read(place, text, false);
    }

    private static Yaml read(String file, String text, boolean hasLines) {
        try (JsonParser parser = parser(file, text)) {
            return new YamlReader(parser, file, hasLines).document();
        } catch (JsonProcessingException e) {
            throw notYaml(file, e, hasLines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonParser parser(String file, String text) throws IOException {
        int longest = 0;
        for (int from = 0; from < text.length(); ) {
            int end = text.indexOf('\n', from);
            end = end < 0 ? text.length() : end;
            longest = Math.max(longest, end - from);
            from = end + 1;
        }
        if (longest <= LONGEST_LINE) {
            return FACTORY.createParser(text);
        }
        if (text.stripLeading().startsWith("{")) {
            return JSON.createParser(text);
        }
        throw new InputException("%s: a line has %d characters: expected YAML in lines of at most %d, or JSON"
                .formatted(file, longest, LONGEST_LINE));
    }

    /**
     * The parser's message has the context with its position, then the problem with its position; only the problem is
     * reported.
     */
    private static InputException notYaml(String file, JsonProcessingException e, boolean hasLines) {
        List<String> lines = e.getOriginalMessage().lines().map(String::strip).toList();
        String reason = lines.isEmpty() ? "unreadable" : lines.get(0);
        String line = "";
        for (int i = 0; i < lines.size(); i++) {
            Matcher mark = MARK.matcher(lines.get(i));
            if (mark.find()) {
                line = ":" + mark.group(1);
                reason = i > 0 ? lines.get(i - 1) : reason;
            }
        }
        String said =
                reason.replaceAll("<org\\.yaml\\.[^>]*>?", "another value").replaceAll(CLASS, "");
        return new InputException("%s: not valid YAML: %s".formatted(hasLines ? file + line : file, printable(said)));
    }

    private static String printable(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }

    private Yaml document() throws IOException {
        JsonToken first = parser.nextToken();
        if (first == null) {
            throw new InputException("%s: the file is empty: expected keys and values".formatted(file));
        }
        Yaml root = value(first);
        if (parser.nextToken() != null) {
            throw new InputException("%s: a second document begins here: expected one".formatted(place()));
        }
        return root;
    }

    private String place() {
        return hasLines ? file + ":" + parser.currentTokenLocation().getLineNr() : file;
    }

    private Yaml value(JsonToken token) throws IOException {
        boolean isAlias = parser instanceof YAMLParser yaml && yaml.isCurrentAlias();
        if (isAlias || parser.getObjectId() != null) {
            throw new InputException("%s: '%s' is an anchor or alias: expected the value itself"
                    .formatted(place(), isAlias ? "*" + parser.getText() : "&" + parser.getObjectId()));
        }
        if (parser.getTypeId() != null) {
            throw new InputException(
                    "%s: '!%s' is a tag: expected the value itself".formatted(place(), parser.getTypeId()));
        }
        return switch (token) {
            case START_OBJECT -> mapping();
            case START_ARRAY -> sequence();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> scalar(Yaml.Kind.NUMBER);
            case VALUE_TRUE, VALUE_FALSE -> scalar(Yaml.Kind.BOOLEAN);
            case VALUE_NULL -> scalar(Yaml.Kind.NULL);
            default -> scalar(Yaml.Kind.TEXT);
        };
    }

    private Yaml.Scalar scalar(Yaml.Kind kind) throws IOException {
        return new Yaml.Scalar(place(), parser.getText(), kind);
    }

    private Yaml.Sequence sequence() throws IOException {
        String start = place();
        List<Yaml> items = new ArrayList<>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            items.add(value(token));
        }
        return new Yaml.Sequence(start, List.copyOf(items));
    }

    private Yaml.Mapping mapping() throws IOException {
        String start = place();
        LinkedHashMap<String, Yaml> entries = new LinkedHashMap<>();
        Map<String, String> keyPlaces = new HashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = parser.currentName();
            String keyPlace = place();
            Yaml value = value(parser.nextToken());
            if (entries.put(key, value) != null) {
                throw new InputException("%s: key '%s' appears twice, first at %s: expected it once"
                        .formatted(keyPlace, key, keyPlaces.get(key)));
            }
            keyPlaces.put(key, keyPlace);
        }
        return new Yaml.Mapping(start, entries, keyPlaces);
    }
}
