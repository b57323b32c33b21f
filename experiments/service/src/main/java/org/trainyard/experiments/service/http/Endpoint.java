package org.trainyard.experiments.service.http;

import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint of the service, from which its route and its part of the OpenAPI document are made.
 *
 * @param path with parameters in braces
 * @param summary one line
 * @param body schema of the body it reads, or null when it reads none
 * @param answers the record that it answers with, {@link String} for plain text, or {@link Map} for an object without
 *     fixed fields
 */
public record Endpoint(
        HandlerType method,
        String path,
        String summary,
        @Nullable Map<String, Object> body,
        Class<?> answers,
        Handler handler) {
    static Endpoint get(String path, String summary, Class<?> answers, Handler handler) {
        return new Endpoint(HandlerType.GET, path, summary, null, answers, handler);
    }

    static Endpoint delete(String path, String summary, Class<?> answers, Handler handler) {
        return new Endpoint(HandlerType.DELETE, path, summary, null, answers, handler);
    }

    /** An endpoint that reads a body. */
    public static Endpoint post(
            String path, String summary, Map<String, Object> body, Class<?> answers, Handler handler) {
        return new Endpoint(HandlerType.POST, path, summary, body, answers, handler);
    }
}
