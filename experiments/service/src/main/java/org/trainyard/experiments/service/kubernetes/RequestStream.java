package org.trainyard.experiments.service.kubernetes;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import org.trainyard.experiments.service.live.RequestException;

/** Reads the body of a request of Kubernetes value by value, so that what nobody asks for is never kept. */
final class RequestStream {
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(100)
                    .maxNumberLength(100)
                    .build())
            .build();

    /** Reads the value of a field, to its last token. */
    @FunctionalInterface
    interface FieldReader {
        void read(String name) throws IOException;
    }

    /** Reads the fields of a body; Go's keys may be capitalised or not. */
    @FunctionalInterface
    interface BodyReader {
        void read(RequestStream stream, String lowerCaseName) throws IOException;
    }

    private final JsonParser parser;

    private RequestStream(JsonParser parser) {
        this.parser = parser;
    }

    /**
     * Reads a body.
     *
     * @param type that it is of, for messages
     */
    static void read(byte[] body, String type, BodyReader reader) {
        // Text in UTF-16 or UTF-32, which the parser would also know, has a zero here.
        for (int i = 0; i < Math.min(4, body.length); i++) {
            if (body[i] == 0) {
                throw malformed("body", "bytes that are no UTF-8", "UTF-8 text");
            }
        }
        try (JsonParser parser = JSON.createParser(body)) {
            RequestStream stream = new RequestStream(parser);
            parser.nextToken();
            if (parser.currentToken() != JsonToken.START_OBJECT) {
                throw malformed("body", stream.described(), type);
            }
            stream.fields("body", name -> reader.read(stream, name.toLowerCase(Locale.ROOT)));
            if (parser.nextToken() != null) {
                throw malformed("body", "more than one value", type);
            }
        } catch (JsonProcessingException e) {
            JsonLocation at = e.getLocation();
            throw malformed(
                    at == null ? "body" : "body, line %d, column %d".formatted(at.getLineNr(), at.getColumnNr()),
                    "text that is no JSON, or deeper than any pod",
                    type);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static RequestException malformed(String place, String value, String expected) {
        return new RequestException(RequestException.MALFORMED, place, value, expected);
    }

    private String described() {
        return parser.currentToken() == null
                ? "nothing"
                : parser.currentToken().name().toLowerCase(Locale.ROOT);
    }

    boolean isNull() {
        return parser.currentToken() == JsonToken.VALUE_NULL;
    }

    /** Reads the object that begins at the present token; null has no fields. */
    void fields(String place, FieldReader reader) throws IOException {
        if (isNull()) {
            return;
        }
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw malformed(place, described(), "an object");
        }
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            reader.read(name);
        }
    }

    /** Reads the values of the list that begins at the present token; null has none. */
    void items(String place, FieldReader reader) throws IOException {
        if (isNull()) {
            return;
        }
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            throw malformed(place, described(), "a list");
        }
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            reader.read(place);
        }
    }

    /** Reads the objects of the list that begins at the present token; null has none. */
    void objects(String place, FieldReader reader) throws IOException {
        items(place, name -> {
            if (parser.currentToken() != JsonToken.START_OBJECT) {
                throw malformed(place, described(), "a list of objects");
            }
            reader.read(place);
        });
    }

    String text(String place) throws IOException {
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            throw malformed(place, described(), "texts");
        }
        return parser.getText();
    }

    /** The present value as text, or an empty text when it is a list or an object, which is passed over. */
    String scalar() throws IOException {
        String text = parser.currentToken().isScalarValue() ? parser.getText() : "";
        parser.skipChildren();
        return text;
    }

    /** Passes over the present value. */
    void skip() throws IOException {
        parser.skipChildren();
    }

    /** Where the present token begins in the body. */
    int begin() {
        return (int) parser.currentTokenLocation().getByteOffset();
    }

    /** Where what was read ends in the body. */
    int end() {
        return (int) parser.currentLocation().getByteOffset();
    }
}
