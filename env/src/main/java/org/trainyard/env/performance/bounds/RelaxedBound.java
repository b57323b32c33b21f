package org.trainyard.env.performance.bounds;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.ToDoubleFunction;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Workload;

/**
 * Lower bounds on the mean JCT of an episode, seconds, for all schedules, preemptive or not, even with all run times and arrivals
 * known. The bound is the maximum of three.
 *
 * <p>A job {@code j}, submitted at {@code r}, needs at least {@code p} seconds on GPUs and {@code a} GPU-seconds of them, since its
 * rate is at most that of {@link FastestRates}. Given a schedule, let {@code C} be the completion time of {@code j}, and let
 * {@code u(t)} be {@code a} times the part of the job's work done per second at {@code t}; so {@code u} adds up to {@code a} between
 * {@code r} and {@code C}, is at most the GPUs held, and at most {@code a/p}. On {@code G} GPUs the sum of {@code u} over jobs is at
 * most {@code G}.
 *
 * <ol>
 *   <li>{@code run}: {@code C - r >= p}.
 *   <li>{@code queue}: one machine that does {@code G} GPU-seconds per second, whose time may be shared, can follow {@code u} and
 *       finish each job no later. On it shortest remaining work first has the least sum of completions (L. Schrage: A proof of the
 *       optimality of the shortest remaining processing time discipline, Operations Research 1968), so that sum is a bound.
 *   <li>{@code busy}: let {@code M} be the mean of {@code t} weighted by {@code u}. Since {@code u <= a/p}, at least half of
 *       {@code p} passes after it: {@code C >= M + p/2}. For any set of jobs that are submitted from {@code s} on, the sum of
 *       {@code a M} is the integral of {@code t} times their joint rate, at most {@code G}, so it is at least what one after another
 *       from {@code s} on gives. Subject to these inequalities the least sum of {@code M} is that of the one machine on which the job
 *       of least {@code a} (not of what remains of it) always goes first (M. Goemans, M. Queyranne, A. Schulz, M. Skutella, Y. Wang:
 *       Single machine scheduling with release dates, SIAM Journal on Discrete Mathematics 2002, with weights of 1).
 * </ol>
 *
 * <p>Holds for any mix of GPU types, fabrics, shared GPUs and elastic jobs, up to the nanosecond to which the simulator rounds a
 * completion. O(jobs log jobs).
 *
 * @param runSeconds mean of {@code p}
 * @param queueSeconds mean JCT of shortest remaining work first on the one machine
 * @param busySeconds mean of {@code M + p/2 - r}
 */
public record RelaxedBound(double runSeconds, double queueSeconds, double busySeconds) {
    /** The bounds for an episode. */
    public static RelaxedBound of(Workload workload, Topology topology, RingPerformance truth) {
        return of(LeastWork.of(workload, topology, truth), topology.gpus());
    }

    /** @param jobs in order of submission, at least one */
    static RelaxedBound of(List<LeastWork> jobs, double gpus) {
        double run = 0;
        double half = 0;
        double release = 0;
        for (LeastWork job : jobs) {
            run += job.seconds();
            half += job.seconds() / 2;
            release += job.releaseSeconds();
        }
        OneMachine shortest = new OneMachine(gpus, piece -> piece.left);
        shortest.run(jobs);
        OneMachine smallest = new OneMachine(gpus, piece -> piece.work);
        smallest.run(jobs);
        int n = jobs.size();
        return new RelaxedBound(
                run / n, (shortest.completions - release) / n, (smallest.meanBusyTimes + half - release) / n);
    }

    /** The maximum of the three. */
    public double seconds() {
        return Math.max(runSeconds, Math.max(queueSeconds, busySeconds));
    }

    /** A job on the one machine, with its total and remaining work in GPU-seconds. */
    private static final class Piece {
        private final double work;
        private double left;

        Piece(double work) {
            this.work = work;
            left = work;
        }
    }

    /** One preemptive machine of all GPUs that always serves the job of least key, ties by submission. */
    private static final class OneMachine {
        private final double gpus;
        private final PriorityQueue<Piece> queue;
        private double now;
        private double completions;
        private double meanBusyTimes;

        OneMachine(double gpus, ToDoubleFunction<Piece> key) {
            this.gpus = gpus;
            queue = new PriorityQueue<>(Comparator.comparingDouble(key));
        }

        void run(List<LeastWork> jobs) {
            for (LeastWork job : jobs) {
                workUntil(job.releaseSeconds());
                now = job.releaseSeconds();
                if (job.gpuSeconds() > 0) {
                    queue.add(new Piece(job.gpuSeconds()));
                } else {
                    completions += now;
                    meanBusyTimes += now;
                }
            }
            workUntil(Double.POSITIVE_INFINITY);
        }

        private void workUntil(double until) {
            while (!queue.isEmpty() && now < until) {
                Piece piece = queue.remove();
                double end = Math.min(until, now + piece.left / gpus);
                boolean done = now + piece.left / gpus <= until;
                double part = done ? piece.left : (end - now) * gpus;
                meanBusyTimes += part / piece.work * (now + end) / 2;
                piece.left -= part;
                now = end;
                if (done) {
                    completions += end;
                } else {
                    queue.add(piece);
                }
            }
        }
    }
}
