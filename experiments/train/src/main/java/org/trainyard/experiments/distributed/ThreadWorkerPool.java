package org.trainyard.experiments.distributed;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.trainyard.agents.learned.training.WorkerPool;

/**
 * A worker pool with one thread per processor. Results come in the order of the pieces, whichever thread computed them.
 *
 * <p>When a piece fails, later pieces that have not begun are left out. The pool waits for all others, so that whatever
 * they use may be closed afterwards, and throws the failure of the first piece that failed, with the other failures
 * suppressed. Earlier pieces always run, so the failure thrown does not depend on threads. A piece must not call the
 * pool that it runs on.
 */
public final class ThreadWorkerPool implements WorkerPool, AutoCloseable {
    private final ExecutorService threads;

    public ThreadWorkerPool() {
        this(Runtime.getRuntime().availableProcessors());
    }

    /** @param size threads */
    public ThreadWorkerPool(int size) {
        threads = Executors.newFixedThreadPool(size, work -> {
            Thread thread = new Thread(work, "worker");
            thread.setDaemon(true);
            return thread;
        });
    }

    @Override
    public void each(int count, IntConsumer work) {
        map(count, piece -> {
            work.accept(piece);
            return piece;
        });
    }

    /** The results of {@code work} for {@code 0 .. count - 1}. */
    public <T> List<T> map(int count, IntFunction<T> work) {
        return map(count, work, () -> {});
    }

    /**
     * The results of {@code work} for {@code 0 .. count - 1}.
     *
     * @param done called in the caller's thread whenever a piece is done
     */
    public <T> List<T> map(int count, IntFunction<T> work, Runnable done) {
        AtomicReferenceArray<T> results = new AtomicReferenceArray<>(count);
        AtomicReferenceArray<Throwable> failures = new AtomicReferenceArray<>(count);
        AtomicInteger firstFailed = new AtomicInteger(count);
        Semaphore ended = new Semaphore(0);
        for (int i = 0; i < count; i++) {
            int piece = i;
            threads.execute(() -> {
                try {
                    if (piece < firstFailed.get()) {
                        results.set(piece, work.apply(piece));
                    }
                } catch (Throwable failure) {
                    failures.set(piece, failure);
                    firstFailed.accumulateAndGet(piece, Math::min);
                } finally {
                    ended.release();
                }
            });
        }
        for (int i = 0; i < count; i++) {
            ended.acquireUninterruptibly();
            done.run();
        }
        throwFirst(failures);
        return IntStream.range(0, count).mapToObj(results::get).toList();
    }

    private static void throwFirst(AtomicReferenceArray<Throwable> failures) {
        Throwable first = null;
        for (int piece = 0; piece < failures.length(); piece++) {
            Throwable failure = failures.get(piece);
            if (first == null) {
                first = failure;
            } else if (failure != null && failure != first) {
                first.addSuppressed(failure);
            }
        }
        if (first instanceof Error error) {
            throw error;
        } else if (first != null) {
            throw (RuntimeException) first;
        }
    }

    /** Ends the threads; no piece may be running. */
    @Override
    public void close() {
        threads.shutdown();
    }
}
