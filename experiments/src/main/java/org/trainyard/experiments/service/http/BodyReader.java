package org.trainyard.experiments.service.http;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.service.live.RequestException;

/**
 * Reads the body of a request as its bytes come, without a thread that waits for them.
 *
 * <p>It ends early when the body is too large, too slow, or breaks off, and when the bodies of all requests
 * together are too large.
 */
final class BodyReader implements Runnable {
    private static final long TICK_MILLIS = 250;

    /** Takes the body, or the refusal of the request. */
    interface Reader {
        void read(byte @Nullable [] body, @Nullable RequestException refusal);
    }

    /**
     * What bodies may take.
     *
     * @param mostBytes of one
     * @param all bytes of all bodies that are being read or answered
     * @param mostOfAll of them
     */
    record Bounds(Patience patience, long mostBytes, AtomicLong all, long mostOfAll) {}

    private final Request request;
    private final Bounds bounds;
    private final Reader reader;
    private final long beganNanos = System.nanoTime();
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final List<byte[]> parts = new ArrayList<>();
    private long counted;
    private boolean isReleased;
    private @Nullable RequestException refused;
    private volatile long bytes;

    /** @param refused why the request is refused whatever its body is, or null */
    BodyReader(Request request, Bounds bounds, @Nullable RequestException refused, Reader reader) {
        this.request = request;
        this.bounds = bounds;
        this.refused = refused;
        this.reader = reader;
    }

    /** Reads what is there, and goes on when more comes. */
    @Override
    public void run() {
        while (!isOver.get()) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                request.demand(this);
                return;
            }
            if (Content.Chunk.isFailure(chunk)) {
                end(halfBody());
                return;
            }
            boolean isLast = chunk.isLast();
            take(chunk.getByteBuffer());
            chunk.release();
            if (isLast) {
                end(refused);
                return;
            }
        }
    }

    static RequestException halfBody() {
        return new RequestException(
                RequestException.MALFORMED, "body", "a part of it", "as many bytes as Content-Length says");
    }

    /**
     * Keeps a part, or forgets all when the body is refused; the rest is still read, for a client that writes does
     * not read its answer.
     */
    private synchronized void take(ByteBuffer part) {
        long read = bytes + part.remaining();
        bytes = read;
        if (refused != null || isReleased) {
            return;
        }
        counted += part.remaining();
        bounds.all().addAndGet(part.remaining());
        if (read > bounds.mostBytes()) {
            refused = new RequestException(
                    RequestException.TOO_LARGE, "body", "too many bytes", "at most " + bounds.mostBytes());
        } else if (bounds.all().get() > bounds.mostOfAll()) {
            refused = new RequestException(
                    RequestException.UNAVAILABLE, "body", "too many bodies at once", "the same request later");
        } else {
            byte[] copy = new byte[part.remaining()];
            part.get(copy);
            parts.add(copy);
            return;
        }
        forget();
    }

    private void forget() {
        bounds.all().addAndGet(-counted);
        counted = 0;
        parts.clear();
    }

    /** Counts its bytes no more, for the request is answered. */
    synchronized void release() {
        isReleased = true;
        forget();
    }

    /** Looks again and again whether the body has come, until it has. */
    void watch() {
        request.getComponents()
                .getScheduler()
                .schedule(
                        () -> {
                            long elapsed = System.nanoTime() - beganNanos;
                            if (bounds.patience().isOver(elapsed, bytes)) {
                                end(new RequestException(
                                        RequestException.TIMEOUT,
                                        "body",
                                        "%d bytes in %.1f s".formatted(bytes, elapsed / 1e9),
                                        "%d bytes a second and at most %.0f s"
                                                .formatted(
                                                        bounds.patience().bytesPerSecond(),
                                                        bounds.patience().bodyNanos() / 1e9)));
                            } else if (!isOver.get()) {
                                watch();
                            }
                        },
                        TICK_MILLIS,
                        TimeUnit.MILLISECONDS);
    }

    private void end(@Nullable RequestException refusal) {
        if (isOver.compareAndSet(false, true)) {
            reader.read(refusal == null ? joined() : null, refusal);
        }
    }

    /** Whether the body is complete or was given up. */
    boolean isOver() {
        return isOver.get();
    }

    private synchronized byte[] joined() {
        if (parts.size() == 1) {
            return parts.get(0);
        }
        ByteBuffer all = ByteBuffer.allocate((int) bytes);
        parts.forEach(all::put);
        return all.array();
    }
}
