package org.trainyard.agents.heuristic.asrpt;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * How much slower a job is when every replica is on another server than on the fewest servers.
 *
 * <p>Both ends are found by the {@link HeavyEdge heavy-edge mapping}. Our deviation: the better of filling the fewest servers one after the
 * other and of filling them evenly is taken for the best placement, because a server with a single replica of a wide ring makes
 * that ring as slow as if it were spread altogether. Answers are remembered by job shape.
 */
public final class SpreadCost {
    /**
     * Seconds per iteration.
     *
     * @param best on the fewest servers
     * @param worst with every replica on another server
     */
    public record Range(double best, double worst) {
        /** How often the best fits into the worst, at least 1 where servers are faster inside than between them. */
        public double ratio() {
            return best > 0 ? worst / best : worst > 0 ? Double.POSITIVE_INFINITY : 1;
        }
    }

    private final IterationTime time;
    private final Map<StagedJob, Range> known = new HashMap<>();

    public SpreadCost(IterationTime time) {
        this.time = time;
    }

    /** O(1) for a shape seen before, else as {@link HeavyEdge}. */
    public Range of(StagedJob job) {
        Range range = known.get(job);
        if (range == null) {
            double best = Math.min(
                    secondsOn(job, packed(job.gpus(), time.gpusPerServer())),
                    secondsOn(job, even(job.gpus(), time.gpusPerServer())));
            int[] apart = new int[job.gpus()];
            Arrays.fill(apart, 1);
            range = new Range(best, secondsOn(job, apart));
            known.put(job, range);
        }
        return range;
    }

    private double secondsOn(StagedJob job, int[] caps) {
        return time.seconds(job, HeavyEdge.map(job, caps));
    }

    private static int[] packed(int gpus, int perServer) {
        int[] caps = new int[(gpus + perServer - 1) / perServer];
        Arrays.fill(caps, perServer);
        caps[caps.length - 1] = gpus - perServer * (caps.length - 1);
        return caps;
    }

    private static int[] even(int gpus, int perServer) {
        int[] caps = new int[(gpus + perServer - 1) / perServer];
        for (int i = 0; i < caps.length; i++) {
            caps[i] = gpus / caps.length + (i < gpus % caps.length ? 1 : 0);
        }
        return caps;
    }
}
