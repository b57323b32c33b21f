package org.trainyard.env.performance.bounds;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.ToDoubleFunction;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Workload;

/**
 * Lower bounds on the mean JCT of an episode, seconds, for all schedules, preemptive or not, even with all run times
 * and arrivals known. The bound is the maximum of three.
 *
 * <p>A job {@code j}, submitted at {@code r}, needs at least {@code p} seconds on GPUs, since its rate is at most that
 * of {@link FastestRates}, and at least {@code a(y)} GPU-seconds where the slowest GPU in use is of type {@code y}.
 * Every GPU type gets a price {@code q(y)} above zero, and {@code a} is the least {@code q(y) a(y)}. Given a schedule,
 * let {@code C} be the completion time of {@code j}, and let {@code u(t)} be {@code a} times the part {@code f(t)} of
 * the job's work done per second at {@code t}; so {@code u} adds up to {@code a} between {@code r} and {@code C}, and
 * is at most {@code a/p}. It is also at most the price of the GPUs held: if the job holds {@code n(y)} of {@code w}
 * GPUs of each type, {@code f} is at most {@code w / a(y)} for the slowest type held, so at most that for every type
 * held, so at most their mean, the sum of {@code n(y) / a(y)}; and {@code a n(y) / a(y)} is at most {@code q(y) n(y)}.
 * So the sum of {@code u} over jobs is at most {@code G}, the sum over types of GPUs x price. With all prices 1,
 * {@code G} is the number of GPUs and {@code a} the GPU time on the fastest; a lower price of slow GPUs lowers
 * {@code G} more than {@code a} where jobs are slow on them. These are dual prices of the linear program that gives
 * every job GPU time of each type. Every choice gives a bound; the greatest over a few quantiles of the ratio of
 * {@code a(y)} on fast and slow GPUs is taken.
 *
 * <ol>
 *   <li>{@code run}: {@code C - r >= p}.
 *   <li>{@code queue}: one machine that does {@code G} GPU-seconds per second, whose time may be shared, can follow
 *       {@code u} and finish each job no later. On it shortest remaining work first has the least sum of completions
 *       (L. Schrage: A proof of the optimality of the shortest remaining processing time discipline, Operations
 *       Research 1968), so that sum is a bound.
 *   <li>{@code busy}: let {@code M} be the mean of {@code t} weighted by {@code u}. Since {@code u <= a/p}, at least
 *       half of {@code p} passes after it: {@code C >= M + p/2}. For any set of jobs that are submitted from {@code s}
 *       on, the sum of {@code a M} is the integral of {@code t} times their joint rate, at most {@code G}, so it is at
 *       least what one after another from {@code s} on gives. Subject to these inequalities the least sum of {@code M}
 *       is that of the one machine on which the job of least {@code a} (not of what remains of it) always goes first
 *       (M. Goemans, M. Queyranne, A. Schulz, M. Skutella, Y. Wang: Single machine scheduling with release dates, SIAM
 *       Journal on Discrete Mathematics 2002, with weights of 1).
 * </ol>
 *
 * <p>Holds for any mix of GPU types, fabrics, shared GPUs and elastic jobs, up to the nanosecond to which the simulator
 * rounds a completion. O(jobs log jobs) for each choice of prices; on one GPU type there is one.
 *
 * @param runSeconds mean of {@code p}
 * @param queueSeconds mean JCT of shortest remaining work first on the one machine
 * @param busySeconds mean of {@code M + p/2 - r}
 */
public record RelaxedBound(double runSeconds, double queueSeconds, double busySeconds) {
    /** Quantiles of the ratio of GPU times from which prices are made. */
    private static final double[] QUANTILES = {0, 0.1, 0.25, 0.5, 0.75, 1};

    /** The bounds for an episode. */
    public static RelaxedBound of(Workload workload, Topology topology, RingPerformance truth) {
        return of(LeastWork.of(workload, topology, truth), GpuCapacity.of(topology));
    }

    /** @param jobs in order of submission, at least one */
    static RelaxedBound of(List<LeastWork> jobs, GpuCapacity capacity) {
        double run = 0;
        double half = 0;
        double release = 0;
        for (LeastWork job : jobs) {
            run += job.seconds();
            half += job.seconds() / 2;
            release += job.releaseSeconds();
        }
        int n = jobs.size();
        double queue = Double.NEGATIVE_INFINITY;
        double busy = Double.NEGATIVE_INFINITY;
        for (double[] prices : prices(jobs, capacity.gpus().size())) {
            OneMachine shortest = new OneMachine(capacity.worth(prices), piece -> piece.left);
            shortest.run(jobs, prices);
            OneMachine smallest = new OneMachine(capacity.worth(prices), piece -> piece.work);
            smallest.run(jobs, prices);
            queue = Math.max(queue, (shortest.completions - release) / n);
            busy = Math.max(busy, (smallest.meanBusyTimes + half - release) / n);
        }
        return new RelaxedBound(run / n, queue, busy);
    }

    /** Prices of all types 1, then for each quantile of the jobs' stretches on a type its reciprocal. */
    private static List<double[]> prices(List<LeastWork> jobs, int types) {
        List<double[]> all = new ArrayList<>();
        double[] ones = new double[types];
        Arrays.fill(ones, 1);
        all.add(ones);
        for (double quantile : QUANTILES) {
            double[] prices = new double[types];
            for (int type = 0; type < types; type++) {
                prices[type] = price(jobs, type, quantile);
            }
            if (types > 1) {
                all.add(prices);
            }
        }
        return all;
    }

    private static double price(List<LeastWork> jobs, int type, double quantile) {
        double[] stretches = jobs.stream()
                .filter(job -> job.gpuSeconds() > 0)
                .mapToDouble(job -> job.stretch().get(type))
                .filter(Double::isFinite)
                .sorted()
                .toArray();
        return stretches.length == 0 ? 1 : 1 / stretches[(int) (quantile * (stretches.length - 1))];
    }

    /** The maximum of the three. */
    public double seconds() {
        return Math.max(runSeconds, Math.max(queueSeconds, busySeconds));
    }

    /** A job on the one machine, with its total and remaining work at the prices. */
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

        void run(List<LeastWork> jobs, double[] prices) {
            for (LeastWork job : jobs) {
                workUntil(job.releaseSeconds());
                now = job.releaseSeconds();
                if (job.gpuSeconds() > 0) {
                    queue.add(new Piece(job.price(prices)));
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
