package org.trainyard.experiments.service.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.Map;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.service.live.RequestException;

/** Whether a request is for this service and from somebody whom it serves; decided by its head alone. */
final class Admission {
    /** Wrong tokens of one address: so many at once, and this many a second. */
    private static final double WRONG_AT_ONCE = 10;

    private static final double WRONG_PER_SECOND = 2;
    private static final int MOST_ADDRESSES = 10_000;

    private final ServerSettings settings;
    private final @Nullable LoopbackNames names;
    private final RateLimit rate;
    private final Map<String, RateLimit> wrong = new LinkedHashMap<>();

    Admission(ServerSettings settings) {
        this.settings = settings;
        names = settings.isLoopback() ? settings.names() : null;
        rate = new RateLimit(settings.mostPerSecond(), System.nanoTime());
    }

    /** Refuses a request that no route should see, however it is answered. */
    void requireSound(Request request) {
        if (names != null && !names.has(Request.getServerName(request))) {
            throw new RequestException(
                    RequestException.MISDIRECTED, "Host", Request.getServerName(request), names.expected());
        }
        if (request.getHttpURI().hasViolations()) {
            throw new RequestException(
                    RequestException.MALFORMED,
                    "path",
                    request.getHttpURI().getPathQuery(),
                    "a path that has one meaning, without %s"
                            .formatted(request.getHttpURI()
                                    .getViolations()
                                    .iterator()
                                    .next()
                                    .getDescription()));
        }
        requireDecodable("path", request.getHttpURI().getPath());
        requireDecodable("query", request.getHttpURI().getQuery());
    }

    /** The decoders of paths and queries throw for an escape that is none, each at a time of its own. */
    private static void requireDecodable(String place, @Nullable String text) {
        try {
            if (text != null) {
                URLDecoder.decode(text, StandardCharsets.UTF_8);
            }
        } catch (IllegalArgumentException e) {
            throw new RequestException(
                    RequestException.MALFORMED, place, text, "escapes of a percent sign and two hexadecimal digits");
        }
    }

    /** Refuses a request without the token, or beyond the rate. */
    void requireAccess(Request request, Response response) {
        requireToken(request, response);
        if (!rate.allows(System.nanoTime())) {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, "1");
            throw new RequestException(
                    RequestException.TOO_MANY,
                    "request",
                    request.getHttpURI().getPath(),
                    "at most %s requests a second".formatted(settings.mostPerSecond()));
        }
    }

    /** The right token always passes: otherwise wrong ones of the same address could shut its holder out. */
    private void requireToken(Request request, Response response) {
        String token = settings.token();
        if (token == null) {
            return;
        }
        byte[] wanted = ("Bearer " + token).getBytes(StandardCharsets.UTF_8);
        String given = request.getHeaders().get(HttpHeader.AUTHORIZATION);
        if (given != null && MessageDigest.isEqual(wanted, given.getBytes(StandardCharsets.UTF_8))) {
            return;
        }
        if (!mayBeWrong(Request.getRemoteAddr(request))) {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, "1");
            throw new RequestException(
                    RequestException.TOO_MANY,
                    "Authorization",
                    "one wrong token after another",
                    "the token of this service");
        }
        response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Bearer");
        throw new RequestException(
                RequestException.UNAUTHORIZED,
                "Authorization",
                given == null ? "nothing" : "another token",
                "Bearer and the token of this service");
    }

    private boolean mayBeWrong(String address) {
        long now = System.nanoTime();
        synchronized (wrong) {
            if (wrong.size() >= MOST_ADDRESSES && !wrong.containsKey(address)) {
                wrong.remove(wrong.keySet().iterator().next());
            }
            return wrong.computeIfAbsent(address, one -> new RateLimit(WRONG_PER_SECOND, WRONG_AT_ONCE, now))
                    .allows(now);
        }
    }
}
