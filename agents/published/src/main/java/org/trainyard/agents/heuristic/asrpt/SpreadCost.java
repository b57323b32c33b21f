package org.trainyard.agents.heuristic.asrpt;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The slowdown of a job with every replica on another server, relative to the fewest servers.
 *
 * <p>Both iteration times are those of the {@link HeavyEdge heavy-edge mapping}. Our deviation: (1) the fewest servers
 * are filled one after the other, evenly, and with every equal number of GPUs that needs no more servers, and the best
 * of these counts, because a server with a single replica of a wide ring makes that ring as slow as a fully spread one.
 * Results are cached by job shape.
 */
final class SpreadCost {
    /**
     * Seconds per iteration.
     *
     * @param best on the fewest servers
     * @param worst with every replica on another server
     */
    record Range(double best, double worst) {
        /** Worst over best, at least 1 where servers are faster inside than between them. */
        public double ratio() {
            return best > 0 ? worst / best : worst > 0 ? Double.POSITIVE_INFINITY : 1;
        }
    }

    private final IterationTime time;
    private final Map<StagedJob, Range> known = new HashMap<>();

    SpreadCost(IterationTime time) {
        this.time = time;
    }

    /** O(1) for a cached shape, else as {@link HeavyEdge}. */
    Range of(StagedJob job) {
        Range range = known.get(job);
        if (range == null) {
            int[] apart = new int[job.gpus()];
            Arrays.fill(apart, 1);
            range = new Range(bestSeconds(job), secondsOn(job, apart));
            known.put(job, range);
        }
        return range;
    }

    private double bestSeconds(StagedJob job) {
        int servers = ceilDiv(job.gpus(), time.gpusPerServer());
        double best = secondsOn(job, even(job.gpus(), servers));
        for (int each = ceilDiv(job.gpus(), servers); each <= Math.min(job.gpus(), time.gpusPerServer()); each++) {
            best = Math.min(best, secondsOn(job, shares(job.gpus(), each)));
        }
        return best;
    }

    private static int ceilDiv(int a, int b) {
        return (a + b - 1) / b;
    }

    private double secondsOn(StagedJob job, int[] caps) {
        return time.seconds(job, HeavyEdge.map(job, caps));
    }

    private static int[] even(int gpus, int servers) {
        int[] caps = new int[servers];
        for (int i = 0; i < servers; i++) {
            caps[i] = gpus / servers + (i < gpus % servers ? 1 : 0);
        }
        return caps;
    }

    private static int[] shares(int gpus, int each) {
        int[] caps = new int[ceilDiv(gpus, each)];
        Arrays.fill(caps, each);
        caps[caps.length - 1] = gpus - each * (caps.length - 1);
        return caps;
    }
}
