package org.trainyard.experiments.arrivals;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.TraceJob;

/**
 * Scales a list of jobs to a total GPU demand: jobs in random order, followed by copies of random jobs, or without
 * random jobs.
 *
 * <p>Source: the simulator of Q. Weng et al.: Beware of fragmentation, USENIX ATC 2023 (tuning ratio, shuffled pods).
 * Copies are drawn uniformly. Copying ends when one worker of the next copy would exceed the demand, so the last copy
 * may exceed it by its other workers.
 *
 * <p>Jobs arrive one second apart and run for longer than all arrivals take, so that none ends before the last arrival.
 */
final class Inflation {
    private static final long SECOND = 1_000_000_000L;
    private static final int MOST_ARRIVALS = 1_000_000;

    private Inflation() {}

    /** GPU demand of a job, in thousandths of a GPU. */
    static long milli(Demand demand) {
        return (long) demand.gpus() * demand.gpuMilli();
    }

    /**
     * The jobs as they arrive.
     *
     * @param wantedMilli total GPU demand, in thousandths of a GPU
     * @param seed root seed; draws from its stream {@code inflation}
     */
    static List<TraceJob> of(List<TraceJob> jobs, double wantedMilli, long seed) {
        long demanded = jobs.stream().mapToLong(job -> milli(job.demand())).sum();
        if (demanded == 0) {
            throw InputException.at("--trace", Counted.of(jobs.size(), "job"), "at least one that wants a GPU");
        }
        RandomGenerator random = RandomStreams.stream(seed, "inflation");
        List<TraceJob> arrivals = shuffled(jobs, random);
        if (demanded > wantedMilli) {
            removeUntil(wantedMilli, demanded, arrivals, random);
            return timed(arrivals);
        }
        for (int copy = 1; arrivals.size() <= MOST_ARRIVALS; copy++) {
            TraceJob next = jobs.get(random.nextInt(jobs.size()));
            boolean isTooMuch = next.gpus() > 0 && demanded + next.demand().gpuMilli() > wantedMilli;
            if (isTooMuch) {
                return timed(arrivals);
            }
            demanded += milli(next.demand());
            arrivals.add(named("%s/copy%d".formatted(next.id(), copy), next));
        }
        throw InputException.at("--demand", MOST_ARRIVALS + " jobs and more", "a demand that fewer can make up");
    }

    private static void removeUntil(
            double wantedMilli, long demanded, List<TraceJob> arrivals, RandomGenerator random) {
        long left = demanded;
        while (left > wantedMilli) {
            left -= milli(arrivals.remove(random.nextInt(arrivals.size())).demand());
        }
    }

    private static List<TraceJob> shuffled(List<TraceJob> jobs, RandomGenerator random) {
        List<TraceJob> order = new ArrayList<>(jobs);
        for (int i = order.size() - 1; i > 0; i--) {
            int at = random.nextInt(i + 1);
            TraceJob swapped = order.get(at);
            order.set(at, order.get(i));
            order.set(i, swapped);
        }
        return order;
    }

    private static List<TraceJob> timed(List<TraceJob> order) {
        long all = (order.size() + 1) * SECOND;
        List<TraceJob> timed = new ArrayList<>();
        for (TraceJob job : order) {
            timed.add(job(job.id(), timed.size() * SECOND, all, job));
        }
        return timed;
    }

    private static TraceJob named(String id, TraceJob job) {
        return job(id, job.submitNanos(), job.durationNanos(), job);
    }

    private static TraceJob job(String id, long submitNanos, long nanos, TraceJob like) {
        return new TraceJob(
                id, submitNanos, like.demand(), nanos, like.model(), like.user(), like.group(), like.virtualCluster());
    }
}
