package org.trainyard.experiments.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ThreadWorkerPoolTest {
    private final ThreadWorkerPool pool = new ThreadWorkerPool(2);

    @AfterEach
    void close() {
        pool.close();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError("the pool did not wait for this piece", e);
        }
    }

    @Test
    void results_come_in_the_order_of_the_pieces() {
        AtomicInteger done = new AtomicInteger();
        assertThat(pool.map(100, piece -> 2 * piece, done::incrementAndGet))
                .isEqualTo(
                        IntStream.range(0, 100).map(piece -> 2 * piece).boxed().toList());
        assertThat(done).hasValue(100);
    }

    @Test
    void a_failure_is_thrown_after_the_pieces_that_had_begun_have_ended() {
        CountDownLatch slowBegan = new CountDownLatch(1);
        CountDownLatch callerKnows = new CountDownLatch(1);
        AtomicBoolean slowEnded = new AtomicBoolean();
        assertThatThrownBy(() -> pool.map(
                        2,
                        piece -> {
                            if (piece == 0) {
                                await(slowBegan);
                                throw new IllegalStateException("the first piece");
                            }
                            slowBegan.countDown();
                            await(callerKnows);
                            slowEnded.set(true);
                            return piece;
                        },
                        callerKnows::countDown))
                .hasMessage("the first piece");
        assertThat(slowEnded).isTrue();
    }

    @Test
    void the_failure_of_the_first_piece_comes_first_even_when_it_failed_last() {
        CountDownLatch secondFails = new CountDownLatch(1);
        assertThatThrownBy(() -> pool.each(2, piece -> {
                    if (piece == 0) {
                        await(secondFails);
                    } else {
                        secondFails.countDown();
                    }
                    throw new IllegalStateException("piece " + piece);
                }))
                .hasMessage("piece 0")
                .satisfies(failure -> assertThat(failure.getSuppressed())
                        .extracting(Throwable::getMessage)
                        .containsExactly("piece 1"));
    }

    @Test
    void pieces_that_have_not_begun_when_one_fails_are_left_out_and_the_pool_can_be_used_again() {
        AtomicInteger begun = new AtomicInteger();
        assertThatThrownBy(() -> pool.each(1000, piece -> {
                    begun.incrementAndGet();
                    throw new IllegalArgumentException("piece " + piece);
                }))
                .hasMessage("piece 0");
        assertThat(begun.get()).isLessThan(1000);
        assertThat(pool.map(3, piece -> piece)).containsExactly(0, 1, 2);
    }
}
