package org.trainyard.experiments.service.live;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.binding.Binder;
import org.trainyard.env.binding.Bounds;
import org.trainyard.env.binding.OptionalKey;
import org.trainyard.env.binding.Yaml;

/** The bodies of requests: strict JSON, bound to records. */
public final class Requests {
    /** A name. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.RECORD_COMPONENT)
    @Bounds(least = 1, most = 200)
    @interface Name {}

    /** The latest time, about 146 years, with which times and durations add up within a long. */
    public static final long LATEST_NANOS = Long.MAX_VALUE / 2;

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

    /** Request for the decisions on a cluster at a time. */
    public record Placement(
            @OptionalKey(orElse = "1") @Bounds(least = 1, most = 1)
            int version,

            @Name String cluster,
            @Bounds(most = LATEST_NANOS) long nowNanos) {}

    /** When a job that is submitted now would start. */
    public record When(
            @Bounds(least = 1, most = Integer.MAX_VALUE) int gpus,

            @OptionalKey @Nullable @Bounds(least = 1, most = 100_000_000)
            Double limitSeconds,

            @OptionalKey @Nullable @Name String user,
            @OptionalKey @Nullable @Name String group) {}

    /**
     * An event.
     *
     * @param sequence its number, without gaps from 1 on
     */
    public record Event(
            @Bounds(least = 1, most = Integer.MAX_VALUE) int sequence,
            @Bounds(most = LATEST_NANOS) long timeNanos,
            @JsonUnwrapped ClusterEvent what) {}

    /**
     * Events that are fed.
     *
     * @param events each is an {@link Event}, and bound when those before it are accepted
     */
    public record Events(
            @OptionalKey(orElse = "1") @Bounds(least = 1, most = 1)
            int version,

            List<JsonNode> events) {}

    private Requests() {}

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

    /** Binds a part of a body at a path, which is empty for the whole. */
    public static <T> T bind(JsonNode body, String path, Class<T> type) {
        try {
            return Binder.bind(new Yaml.Json("", body), path, type);
        } catch (InputException e) {
            InputException.Fault fault = e.fault();
            throw fault == null
                    ? new RequestException(
                            RequestException.MALFORMED,
                            "body",
                            String.valueOf(e.getMessage()),
                            "a request as described")
                    : new RequestException(RequestException.MALFORMED, fault.place(), fault.value(), fault.expected());
        }
    }
}
