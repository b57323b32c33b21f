package org.trainyard.experiments.service.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.javalin.http.Context;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.service.live.RequestException;
import org.trainyard.experiments.service.live.Requests;

/** Reads the bodies of requests and writes those of answers. */
public final class Bodies {
    private static final List<String> JSON = List.of("application/json");
    private static final List<String> DESCRIPTION =
            List.of("application/json", "application/yaml", "application/x-yaml", "text/yaml");
    /** The most bytes of a description; a configuration file may have as many. */
    private static final int MOST_DESCRIPTION = 1 << 20;

    /** The attribute of a request with its body, which has been read already. */
    static final String BODY = Bodies.class.getName() + ".body";

    private Bodies() {}

    /** The body as JSON. */
    public static JsonNode json(Context request) {
        return Requests.parse(text(request, JSON));
    }

    /** The body as the description of a topology. */
    static String description(Context request) {
        int bytes = body(request).length;
        if (bytes > MOST_DESCRIPTION) {
            throw new RequestException(
                    RequestException.TOO_LARGE,
                    "body",
                    bytes + " bytes",
                    "a description of at most %d bytes".formatted(MOST_DESCRIPTION));
        }
        return text(request, DESCRIPTION);
    }

    /** The body of a request whose type is JSON, unread. */
    public static byte[] bytes(Context request) {
        requireType(request, JSON);
        return body(request);
    }

    private static byte[] body(Context request) {
        return Objects.requireNonNull(request.attribute(BODY));
    }

    private static String requireType(Context request, List<String> types) {
        String type = String.valueOf(request.contentType()).toLowerCase(Locale.ROOT);
        String plain = type.replaceFirst(";.*", "").strip();
        if (!types.contains(plain)) {
            throw new RequestException(
                    RequestException.MEDIA_TYPE,
                    "Content-Type",
                    request.contentType() == null ? "nothing" : type,
                    String.join(" or ", types));
        }
        return plain;
    }

    private static String text(Context request, List<String> types) {
        String plain = requireType(request, types);
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body(request)))
                    .toString();
            if (text.isBlank()) {
                throw new RequestException(RequestException.MALFORMED, "body", "nothing", "a body of type " + plain);
            }
            return text;
        } catch (CharacterCodingException e) {
            throw new RequestException(RequestException.MALFORMED, "body", "bytes that are no UTF-8", "UTF-8 text");
        }
    }

    /** Answers with a record. */
    static void answer(Context request, Object value) {
        request.contentType("application/json").result(JsonText.compact(value));
    }
}
