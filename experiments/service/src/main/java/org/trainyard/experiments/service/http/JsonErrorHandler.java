package org.trainyard.experiments.service.http;

import java.util.Map;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.trainyard.experiments.io.JsonText;

/** Answers requests that are no HTTP, which never reach a route, in JSON like all others. */
final class JsonErrorHandler extends ErrorHandler {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        Map<String, String> fault = Map.of(
                "place",
                "request",
                "value",
                "HTTP status " + response.getStatus(),
                "expected",
                "a complete request of HTTP/1.1");
        String body = JsonText.compact(JsonText.tree(Map.of("error", fault)));
        response.getHeaders().put(new HttpField(HttpHeader.CONTENT_TYPE, "application/json"));
        Content.Sink.write(response, true, body, callback);
        return true;
    }
}
