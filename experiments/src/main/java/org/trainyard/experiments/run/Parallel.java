package org.trainyard.experiments.run;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;

/** Does independent pieces of work on all cores; the answers come in the order of the pieces, whoever did them. */
public final class Parallel {
    private Parallel() {}

    /** Calls {@code work} with {@code 0 .. count - 1}; returns when all is done. */
    public static void each(int count, IntConsumer work) {
        map(
                count,
                piece -> {
                    work.accept(piece);
                    return piece;
                },
                () -> {});
    }

    /**
     * The answers of {@code work} to {@code 0 .. count - 1}; it must be safe for several threads at once. The first failure ends all.
     *
     * @param done told in the caller's thread whenever a piece is done, whichever it is
     */
    public static <T> List<T> map(int count, IntFunction<T> work, Runnable done) {
        int threads = Math.max(1, Math.min(count, Runtime.getRuntime().availableProcessors()));
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            CompletionService<T> service = new ExecutorCompletionService<>(pool);
            List<Future<T>> pieces = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int piece = i;
                pieces.add(service.submit(() -> work.apply(piece)));
            }
            for (int i = 0; i < count; i++) {
                service.take().get();
                done.run();
            }
            List<T> answers = new ArrayList<>();
            for (Future<T> piece : pieces) {
                answers.add(piece.get());
            }
            return answers;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } finally {
            pool.shutdownNow();
        }
    }
}
