package org.trainyard.experiments.service.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.service.live.RequestException;

/**
 * Gate between the network and the routes: it refuses requests by their heads, reads their bodies, and has them
 * answered by threads that never wait for a client. Probes have a thread each.
 */
final class RequestGate extends Handler.Wrapper {
    private static final int THREADS = 24;
    private static final int MOST_WAITING = 1_000;
    /** Registrations and deletions that wait for their turn. */
    private static final int MOST_REGISTRATIONS = 16;

    private static final Pattern CLUSTER = Pattern.compile("/v1/clusters/[^/]+/?");
    /** Bytes of all bodies at once: of two lists of nodes, or of many smaller ones. */
    private static final long MOST_OF_ALL = 192L << 20;

    private final Admission admission;
    private final Patience patience;
    private final ToLongFunction<String> mostBytes;
    private final BiConsumer<Response, RequestException> refusals;
    private final Map<String, ExecutorService> probes;
    private final ExecutorService workers = threads("worker", THREADS, MOST_WAITING);
    /** Reads one description after another, for each takes a lock and may take seconds. */
    private final ExecutorService registrar = threads("registrar", 1, MOST_REGISTRATIONS);

    private final AtomicLong allBytes = new AtomicLong();
    private volatile boolean isOpen;

    /**
     * A gate that lets probes pass alone until it is opened.
     *
     * @param mostBytes of a body, by path
     * @param refusals counts a refusal and sets the status and the type of its answer
     */
    RequestGate(
            ServerSettings settings,
            ToLongFunction<String> mostBytes,
            BiConsumer<Response, RequestException> refusals) {
        admission = new Admission(settings);
        patience = settings.patience();
        this.mostBytes = mostBytes;
        this.refusals = refusals;
        probes = Map.of("/healthz", threads("healthz", 1, 100), "/readyz", threads("readyz", 1, 100));
    }

    private static ExecutorService threads(String name, int threads, int mostWaiting) {
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads, threads, 20, TimeUnit.SECONDS, new LinkedBlockingQueue<>(mostWaiting), task -> {
                    Thread thread = new Thread(task, "http %s %d".formatted(name, number.incrementAndGet()));
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** Lets all requests pass from now on. */
    void open() {
        isOpen = true;
    }

    boolean isOpen() {
        return isOpen;
    }

    /** Ends its threads. */
    void close() {
        probes.values().forEach(ExecutorService::shutdownNow);
        workers.shutdownNow();
        registrar.shutdownNow();
    }

    @Override
    public InvocationType getInvocationType() {
        return InvocationType.NON_BLOCKING;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        String path = String.valueOf(request.getHttpURI().getPath());
        Executor probe = probes.get(path);
        RequestException refused = refusal(request, response, probe != null);
        BodyReader.Bounds bounds = new BodyReader.Bounds(patience, mostBytes.applyAsLong(path), allBytes, MOST_OF_ALL);
        Counted counted = new Counted(callback);
        BodyReader body = new BodyReader(request, bounds, refused, (bytes, refusal) -> {
            if (bytes == null || refusal != null) {
                refuse(response, counted, refusal == null ? BodyReader.halfBody() : refusal);
            } else {
                Executor own = isRegistration(request, path) ? registrar : workers;
                answer(probe == null ? own : probe, request, bytes, response, counted);
            }
        });
        counted.body = body;
        body.run();
        if (!body.isOver()) {
            body.watch();
        }
        return true;
    }

    private static boolean isRegistration(Request request, String path) {
        return !HttpMethod.GET.is(request.getMethod())
                && !HttpMethod.HEAD.is(request.getMethod())
                && CLUSTER.matcher(path).matches();
    }

    private @Nullable RequestException refusal(Request request, Response response, boolean isProbe) {
        try {
            admission.requireSound(request);
            if (!isProbe) {
                admission.requireAccess(request, response);
                if (!isOpen) {
                    throw new RequestException(
                            RequestException.UNAVAILABLE,
                            "service",
                            "starting",
                            "the same request when /readyz is ready");
                }
            }
            return null;
        } catch (RequestException e) {
            return e;
        }
    }

    /** Counts the bytes of a body no more when its request is done. */
    private static final class Counted extends Callback.Nested {
        private @Nullable BodyReader body;

        Counted(Callback callback) {
            super(callback);
        }

        @Override
        public void completed() {
            if (body != null) {
                body.release();
            }
        }
    }

    private void answer(Executor threads, Request request, byte[] body, Response response, Callback callback) {
        Request whole = new WholeRequest(request, body);
        WholeResponse answer = new WholeResponse(whole, response);
        try {
            threads.execute(() -> {
                try {
                    if (!super.handle(whole, answer, callback)) {
                        Response.writeError(whole, answer, callback, 404);
                    }
                } catch (Exception e) {
                    Response.writeError(whole, answer, callback, e);
                }
            });
        } catch (RejectedExecutionException e) {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, "1");
            int status = threads == registrar ? RequestException.TOO_MANY : RequestException.UNAVAILABLE;
            refuse(
                    response,
                    callback,
                    new RequestException(status, "request", "too many at once", "the same request later"));
        }
    }

    /** Says why and ends the connection, for the rest of the request may never come. */
    private void refuse(Response response, Callback callback, RequestException why) {
        refusals.accept(response, why);
        response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
        Content.Sink.write(response, true, JsonText.compact(ErrorAnswer.of(why)), callback);
    }

    /** A request whose body is there. */
    private static final class WholeRequest extends Request.Wrapper {
        /** A header by which a request would be of another method than proxies and this gate have judged. */
        private static final String OVERRIDE = "X-HTTP-Method-Override";

        private final byte[] body;
        private final HttpFields headers;
        private boolean isRead;

        WholeRequest(Request request, byte[] body) {
            super(request);
            this.body = body;
            headers = request.getHeaders().contains(OVERRIDE)
                    ? HttpFields.build(request.getHeaders()).remove(OVERRIDE).asImmutable()
                    : request.getHeaders();
            setAttribute(Bodies.BODY, body);
        }

        @Override
        public HttpFields getHeaders() {
            return headers;
        }

        @Override
        public long getLength() {
            return body.length;
        }

        @Override
        public Content.Chunk read() {
            if (isRead) {
                return Content.Chunk.EOF;
            }
            isRead = true;
            return Content.Chunk.from(ByteBuffer.wrap(body), true);
        }

        @Override
        public void demand(Runnable demanded) {
            demanded.run();
        }
    }

    /** A buffered response, sent when complete: answers are written without blocking on slow clients. */
    private static final class WholeResponse extends Response.Wrapper {
        private final Gathered bytes = new Gathered();

        WholeResponse(Request request, Response response) {
            super(request, response);
        }

        @Override
        public void write(boolean last, @Nullable ByteBuffer part, Callback callback) {
            if (part != null) {
                bytes.write(part);
            }
            if (last) {
                super.write(true, bytes.whole(), callback);
            } else {
                callback.succeeded();
            }
        }
    }

    /** Bytes that are gathered and given without a copy. */
    private static final class Gathered extends ByteArrayOutputStream {
        void write(ByteBuffer part) {
            if (part.hasArray()) {
                write(part.array(), part.arrayOffset() + part.position(), part.remaining());
                part.position(part.limit());
            } else {
                byte[] copy = new byte[part.remaining()];
                part.get(copy);
                writeBytes(copy);
            }
        }

        ByteBuffer whole() {
            return ByteBuffer.wrap(buf, 0, count);
        }
    }
}
