package org.trainyard.env.pipeline;

import java.util.Arrays;

/**
 * The earliest schedule of one synchronous iteration of a pipeline under fixed orders.
 *
 * <p>Resources are in the order of the forward pass: stage, channel, stage and so on. A pass of a micro-batch starts as soon as the resource
 * is free, the pass before it in the resource's sequence is done, and the micro-batch has arrived: forward passes from the resource before, backward
 * passes from the resource behind, or, on the last resource, from its own forward pass.
 */
public final class PipelineSchedule {
    private final double[] forwardSeconds;
    private final double[] backwardSeconds;
    private final double[][] forwardEnd;
    private final double[][] backwardEnd;

    private PipelineSchedule(double[] forwardSeconds, double[] backwardSeconds, int microBatches) {
        this.forwardSeconds = forwardSeconds;
        this.backwardSeconds = backwardSeconds;
        forwardEnd = new double[forwardSeconds.length][microBatches];
        backwardEnd = new double[forwardSeconds.length][microBatches];
    }

    /**
     * @param forwardSeconds by resource
     * @param backwardSeconds by resource
     */
    public static PipelineSchedule of(
            double[] forwardSeconds, double[] backwardSeconds, int microBatches, MicroBatchOrder order) {
        return of(
                forwardSeconds,
                backwardSeconds,
                microBatches,
                order.sequences(forwardSeconds.length, microBatches),
                false);
    }

    /**
     * The schedule under any sequences.
     *
     * @param isForward by resource, the sequence of its passes; of each direction as many as micro-batches
     * @param fullDuplex whether channels, the resources of odd index, carry each direction by itself, in the order of arrival
     * @throws IllegalArgumentException when the sequences wait for each other
     */
    public static PipelineSchedule of(
            double[] forwardSeconds,
            double[] backwardSeconds,
            int microBatches,
            boolean[][] isForward,
            boolean fullDuplex) {
        PipelineSchedule schedule = new PipelineSchedule(forwardSeconds.clone(), backwardSeconds.clone(), microBatches);
        schedule.fill(isForward, fullDuplex);
        return schedule;
    }

    private void fill(boolean[][] isForward, boolean fullDuplex) {
        int resources = forwardSeconds.length;
        int microBatches = microBatches();
        int[] forwards = new int[resources];
        int[] backwards = new int[resources];
        double[] forwardFree = new double[resources];
        double[] backwardFree = new double[resources];
        int left = 2 * resources * microBatches;
        while (left > 0) {
            int before = left;
            for (int r = 0; r < resources; r++) {
                boolean duplex = fullDuplex && r % 2 == 1;
                while (forwards[r] + backwards[r] < 2 * microBatches) {
                    boolean forward = duplex
                            ? forwards[r] < microBatches && hasArrived(true, r, forwards, backwards)
                            : isForward[r][forwards[r] + backwards[r]];
                    if (!hasArrived(forward, r, forwards, backwards)) {
                        break;
                    }
                    if (forward) {
                        double ready = r == 0 ? 0 : forwardEnd[r - 1][forwards[r]];
                        forwardFree[r] = Math.max(ready, forwardFree[r]) + forwardSeconds[r];
                        forwardEnd[r][forwards[r]++] = forwardFree[r];
                    } else {
                        double ready =
                                r == resources - 1 ? forwardEnd[r][backwards[r]] : backwardEnd[r + 1][backwards[r]];
                        backwardFree[r] = Math.max(ready, backwardFree[r]) + backwardSeconds[r];
                        backwardEnd[r][backwards[r]++] = backwardFree[r];
                    }
                    if (!duplex) {
                        forwardFree[r] = Math.max(forwardFree[r], backwardFree[r]);
                        backwardFree[r] = forwardFree[r];
                    }
                    left--;
                }
            }
            if (left == before) {
                throw new IllegalArgumentException(
                        "sequences %s wait for each other".formatted(Arrays.deepToString(isForward)));
            }
        }
    }

    private boolean hasArrived(boolean forward, int r, int[] forwards, int[] backwards) {
        if (forward) {
            return r == 0 || forwards[r - 1] > forwards[r];
        }
        boolean isLast = r == forwardSeconds.length - 1;
        return isLast ? forwards[r] > backwards[r] : backwards[r + 1] > backwards[r];
    }

    public int resources() {
        return forwardSeconds.length;
    }

    public int microBatches() {
        return forwardEnd[0].length;
    }

    /** Forward time of a micro-batch on a resource, seconds. */
    public double forwardSeconds(int resource) {
        return forwardSeconds[resource];
    }

    /** Backward time of a micro-batch on a resource, seconds. */
    public double backwardSeconds(int resource) {
        return backwardSeconds[resource];
    }

    /** End of a forward pass, seconds from the start of the iteration. */
    public double forwardEnd(int resource, int microBatch) {
        return forwardEnd[resource][microBatch];
    }

    /** End of a backward pass, seconds from the start of the iteration. */
    public double backwardEnd(int resource, int microBatch) {
        return backwardEnd[resource][microBatch];
    }

    /** End of the last backward pass of a resource. */
    public double end(int resource) {
        return backwardEnd[resource][microBatches() - 1];
    }

    /** End of the last pass, seconds. */
    public double makespan() {
        double last = 0;
        for (int r = 0; r < resources(); r++) {
            last = Math.max(last, end(r));
        }
        return last;
    }

    /** End of the iteration when every resource all-reduces for so long after its last backward pass, seconds. */
    public double end(double[] allReduceSeconds) {
        double last = 0;
        for (int r = 0; r < resources(); r++) {
            last = Math.max(last, end(r) + allReduceSeconds[r]);
        }
        return last;
    }
}
