package org.trainyard.agents.heuristic.smd;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Invalid;

/**
 * SMD's inner problem: the workers and parameter servers of one job with the shortest iteration within its resource
 * limit.
 *
 * <p>Source: SMD (2105.13855). Our deviation: (1) {@link #exact} enumerates integers, where the paper solves a family
 * of linear programmes on a grid and rounds; {@link #onGrid} has a grid of its own, over the ratio of workers to
 * servers, and is at most {@code 1 + epsilon} times as long.
 *
 * @param workerDemand of one worker, by resource
 * @param serverDemand of one server, by resource
 * @param limit of the whole job, by resource
 */
@SuppressWarnings("ArrayRecordComponent") // numbers of a solver, never compared
record WorkerChoice(ServerIteration iteration, double[] workerDemand, double[] serverDemand, double[] limit) {
    private static final double ROUNDING = 1e-9;

    WorkerChoice {
        Invalid.when(
                Arrays.stream(serverDemand).allMatch(demand -> demand == 0), "servers that need nothing have no limit");
    }

    /** Workers, servers, and the time of an iteration, seconds. */
    record Choice(int workers, int servers, double seconds) {}

    private boolean fits(int workers, int servers) {
        for (int r = 0; r < limit.length; r++) {
            if (workers * workerDemand[r] + servers * serverDemand[r] > limit[r] * (1 + ROUNDING)) {
                return false;
            }
        }
        return true;
    }

    /** The most of one process that fit beside one of the other kind. */
    private int most(double[] of, double[] beside, int atMost) {
        double most = atMost;
        for (int r = 0; r < limit.length; r++) {
            if (of[r] > 0) {
                most = Math.min(most, (limit[r] - beside[r]) / of[r] + ROUNDING);
            }
        }
        return (int) Math.max(0, Math.floor(most));
    }

    private int mostWorkers() {
        return most(workerDemand, serverDemand, iteration.batch());
    }

    private int mostServers() {
        return most(serverDemand, workerDemand, Integer.MAX_VALUE);
    }

    /** The best of all; of equals the one with fewest workers and servers. Null when nothing fits. */
    @Nullable Choice exact() {
        Choice best = null;
        int most = mostServers();
        for (int workers = 1; workers <= mostWorkers(); workers++) {
            for (int servers = 1; servers <= most && fits(workers, servers); servers++) {
                best = better(best, workers, servers);
            }
        }
        return best;
    }

    /** A choice at most {@code 1 + epsilon} times as long as {@link #exact}. Null when nothing fits. */
    @Nullable Choice onGrid(double epsilon) {
        Invalid.when(!(epsilon > 0), "epsilon (%s) must be above zero", epsilon);
        Choice best = null;
        int most = mostWorkers();
        double least = 1.0 / Math.max(1, mostServers());
        for (double ratio = least; ; ratio *= 1 + epsilon) {
            int workers = mostWorkersAt(ratio, most);
            if (workers > 0) {
                best = better(best, workers, servers(workers, ratio));
            }
            if (ratio >= most) {
                return best;
            }
        }
    }

    private static int servers(int workers, double ratio) {
        return (int) Math.max(1, Math.ceil(workers / ratio - ROUNDING));
    }

    /** The most workers with servers enough for the ratio; what they need grows with them. */
    private int mostWorkersAt(double ratio, int most) {
        int low = 0;
        int high = most;
        while (low < high) {
            int middle = (low + high + 1) / 2;
            if (fits(middle, servers(middle, ratio))) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    private Choice better(@Nullable Choice best, int workers, int servers) {
        double seconds = iteration.seconds(workers, servers);
        return best == null
                        || seconds < best.seconds()
                        || (seconds == best.seconds() && workers + servers < best.workers() + best.servers())
                ? new Choice(workers, servers, seconds)
                : best;
    }
}
