package org.trainyard.experiments.service.journal;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.io.JsonText;

/**
 * A question that a scheduler remembers.
 *
 * @param after number of the last event before it
 * @param nowNanos the time of which it asked
 * @param scheduler name of the scheduler that was asked
 * @param decisions number of decisions in the answer, without the wait
 * @param isComplete whether the scheduler decided to wait then, rather than being stopped
 */
public record AskedQuestion(
        int after,
        @JsonProperty("asked") long nowNanos,
        String scheduler,
        int decisions,
        @JsonProperty("complete") boolean isComplete) {
    JsonNode entry() {
        return JsonText.tree(this);
    }

    /** The question of an entry, or null when it is none. */
    static @Nullable AskedQuestion of(JsonNode entry) {
        return entry.path("asked").isIntegralNumber()
                ? new AskedQuestion(
                        entry.path("after").intValue(),
                        entry.path("asked").longValue(),
                        entry.path("scheduler").asText(),
                        entry.path("decisions").intValue(),
                        entry.path("complete").booleanValue())
                : null;
    }
}
