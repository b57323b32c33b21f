package org.trainyard.experiments.service.http;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.service.live.RequestException;

/**
 * Reads the body of a request as its bytes come, a bounded number of chunks a turn, without a thread that waits for
 * them.
 *
 * <p>It ends early when the body is refused, too large, too slow, of chunks too small, or breaks off, and when the
 * bodies of all requests together are too large.
 */
final class BodyReader implements Runnable {
    private static final long TICK_MILLIS = 250;
    /** The thread of a turn may be the one that serves all connections. */
    private static final int CHUNKS_OF_TURN = 64;
    /** Chunks of any size at the beginning of a body, where a slow network cuts a short one to pieces. */
    private static final int FREE_CHUNKS = 1_024;

    private static final int LEAST_MEAN_BYTES = 64;
    /** Bytes that are read of a body after its refusal: a client reads the answer only when its body is written. */
    private static final long REFUSED_BYTES = 64 << 10;

    private static final int FIRST_BYTES = 4_096;

    /** Takes the body, or the refusal of the request. */
    interface Reader {
        void read(byte @Nullable [] body, @Nullable RequestException refusal);
    }

    /**
     * Limits on the time and size of request bodies.
     *
     * @param all bytes of all bodies that are being read or answered
     * @param mostOfAll most bytes of all bodies together
     */
    record Bounds(Patience patience, long mostBytes, AtomicLong all, long mostOfAll) {}

    private final Request request;
    private final Bounds bounds;
    private final Reader reader;
    private final Executor executor;
    private final Scheduler scheduler;
    private final long beganNanos = System.nanoTime();
    private byte[] kept = {};
    private long bytes;
    private long refusedBytes;
    private long chunks;
    private @Nullable RequestException refused;
    private boolean isOver;

    /** @param refused why the request is refused whatever its body is, or null */
    BodyReader(Request request, Bounds bounds, @Nullable RequestException refused, Reader reader) {
        this.request = request;
        this.bounds = bounds;
        this.refused = refused;
        this.reader = reader;
        executor = request.getComponents().getExecutor();
        scheduler = request.getComponents().getScheduler();
    }

    /** Reads the available bytes, for one turn, and continues in another task when more are there or come. */
    @Override
    public synchronized void run() {
        for (int i = 0; i < CHUNKS_OF_TURN && !isOver; i++) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                request.demand(this::goOn);
                return;
            }
            if (Content.Chunk.isFailure(chunk)) {
                end(halfBody());
                return;
            }
            boolean isLast = chunk.isLast();
            boolean isEnough = take(chunk.getByteBuffer());
            chunk.release();
            if (isLast || isEnough) {
                end(refused);
            }
        }
        if (!isOver) {
            goOn();
        }
    }

    private void goOn() {
        executor.execute(this);
    }

    static RequestException halfBody() {
        return new RequestException(
                RequestException.MALFORMED, "body", "a part of it", "as many bytes as Content-Length says");
    }

    /** Keeps a part, or drops it when the body is refused; returns whether the rest need not be read. */
    private boolean take(ByteBuffer part) {
        int more = part.remaining();
        bytes += more;
        chunks++;
        if (refused != null) {
            refusedBytes += more;
        } else if (bytes > bounds.mostBytes()) {
            refuse(RequestException.TOO_LARGE, "too many bytes", "at most " + bounds.mostBytes());
        } else if (hasRoom()) {
            part.get(kept, (int) bytes - more, more);
        } else {
            refuse(RequestException.UNAVAILABLE, "too many bodies at once", "the same request later");
        }
        boolean isInCrumbs = chunks > FREE_CHUNKS && bytes < LEAST_MEAN_BYTES * chunks;
        if (isInCrumbs && refused == null) {
            refuse(
                    RequestException.MALFORMED,
                    "%d bytes in %d chunks".formatted(bytes, chunks),
                    "chunks of at least %d bytes on the mean".formatted(LEAST_MEAN_BYTES));
        }
        return isInCrumbs || refusedBytes >= REFUSED_BYTES;
    }

    /** Makes room for all bytes so far, unless all bodies together take too much. */
    private boolean hasRoom() {
        if (bytes <= kept.length) {
            return true;
        }
        long most =
                request.getLength() < bytes ? bounds.mostBytes() : Math.min(request.getLength(), bounds.mostBytes());
        long room = Math.min(most, Math.max(bytes, Math.max(FIRST_BYTES, 2L * kept.length)));
        if (bounds.all().addAndGet(room - kept.length) > bounds.mostOfAll()) {
            bounds.all().addAndGet(kept.length - room);
            return false;
        }
        kept = Arrays.copyOf(kept, (int) room);
        return true;
    }

    private void refuse(int status, String value, String expected) {
        refused = new RequestException(status, "body", value, expected);
        release();
    }

    /** Forgets the body and counts its bytes no more, for the request is answered. */
    synchronized void release() {
        bounds.all().addAndGet(-kept.length);
        kept = new byte[0];
    }

    /** Looks again and again whether the body has come, until it has. */
    void watch() {
        scheduler.schedule(this::look, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private synchronized void look() {
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
        } else if (!isOver) {
            watch();
        }
    }

    private void end(@Nullable RequestException refusal) {
        if (!isOver) {
            isOver = true;
            reader.read(refusal == null ? whole() : null, refusal);
        }
    }

    /** Whether the body is complete or was given up. */
    synchronized boolean isOver() {
        return isOver;
    }

    private byte[] whole() {
        if (kept.length > bytes) {
            bounds.all().addAndGet(bytes - kept.length);
            kept = Arrays.copyOf(kept, (int) bytes);
        }
        return kept;
    }
}
