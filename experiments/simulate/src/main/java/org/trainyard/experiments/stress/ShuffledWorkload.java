package org.trainyard.experiments.stress;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.trainyard.env.Invalid;
import org.trainyard.env.workload.TraceJob;

/**
 * The jobs of a generated workload in another order and with gaps between arrivals exchanged: the search space of
 * {@link StressSearch}.
 *
 * <p>The generator puts its jobs into a random order, all orders equally likely, and the gaps of a Poisson process may
 * change places while its rate stays. Gaps change places inside blocks of {@value #BLOCK} arrivals, in which the daily
 * curve hardly moves. So a shuffled workload is about as likely as the generated one, and its jobs, its span and its
 * offered load are the same.
 *
 * @param order for each arrival the generated job that arrives then
 * @param submitNanos for each arrival its time, ascending
 */
record ShuffledWorkload(long seed, List<Integer> order, List<Long> submitNanos) {
    /** Arrivals in a block, in which gaps are exchanged: a small part of a day. */
    private static final int BLOCK = 8;

    private static final int MOST_DOUBLINGS = 6;

    ShuffledWorkload {
        order = List.copyOf(order);
        submitNanos = List.copyOf(submitNanos);
        Invalid.when(
                order.size() != submitNanos.size(), "%d jobs arrive at %d times", order.size(), submitNanos.size());
    }

    /** The workload as it was generated. */
    static ShuffledWorkload generated(long seed, List<TraceJob> jobs) {
        return new ShuffledWorkload(
                seed,
                IntStream.range(0, jobs.size()).boxed().toList(),
                jobs.stream().map(TraceJob::submitNanos).toList());
    }

    /** @param generated the jobs of the seed */
    List<TraceJob> jobs(List<TraceJob> generated) {
        return IntStream.range(0, order.size())
                .mapToObj(i -> generated.get(order.get(i)).submittedAt(submitNanos.get(i)))
                .toList();
    }

    /** A few random changes, 1, 2, 4 and so on up to 32, each number as likely: most of them small, some large. */
    ShuffledWorkload mutated(RandomGenerator random) {
        List<Integer> jobs = new ArrayList<>(order);
        List<Long> times = new ArrayList<>(submitNanos);
        int changes = 1 << random.nextInt(MOST_DOUBLINGS);
        for (int change = 0; change < changes; change++) {
            switch (random.nextInt(3)) {
                case 0 -> swap(jobs, random);
                case 1 -> move(jobs, random);
                default -> exchangeGaps(times, random);
            }
        }
        return new ShuffledWorkload(seed, jobs, times);
    }

    /** Two jobs take each other's place. */
    private static void swap(List<Integer> jobs, RandomGenerator random) {
        int one = random.nextInt(jobs.size());
        int other = random.nextInt(jobs.size());
        jobs.set(one, jobs.set(other, jobs.get(one)));
    }

    /** A job arrives elsewhere, and those between move up. */
    private static void move(List<Integer> jobs, RandomGenerator random) {
        int job = jobs.remove(random.nextInt(jobs.size()));
        jobs.add(random.nextInt(jobs.size() + 1), job);
    }

    /** Two gaps between arrivals of one block change places; the arrivals at its ends stay. */
    private static void exchangeGaps(List<Long> times, RandomGenerator random) {
        int gap = 1 + random.nextInt(times.size() - 1);
        int first = (gap - 1) / BLOCK * BLOCK + 1;
        int other = Math.min(times.size() - 1, first + random.nextInt(BLOCK));
        int early = Math.min(gap, other);
        int late = Math.max(gap, other);
        long shift = gap(times, late) - gap(times, early);
        for (int i = early; i < late; i++) {
            times.set(i, times.get(i) + shift);
        }
    }

    private static long gap(List<Long> times, int arrival) {
        return times.get(arrival) - times.get(arrival - 1);
    }
}
