package org.trainyard.env.pipeline;

import java.util.Arrays;

/**
 * The earliest schedule of one synchronous iteration of a pipeline under fixed orders.
 *
 * <p>Resources are in the order of the forward pass: stage, channel, stage and so on. A pass of a micro-batch starts as
 * soon as the resource is free, the pass before it in the resource's sequence is done, and the micro-batch has arrived:
 * forward passes from the resource before, backward passes from the resource behind, or, on the last resource, from its
 * own forward pass.
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
     * @param fullDuplex whether channels, the resources of odd index, carry each direction by itself, in the order of
     *     arrival
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
        Passes passes = new Passes();
        int left = 2 * resources() * microBatches();
        while (left > 0) {
            int done = 0;
            for (int r = 0; r < resources(); r++) {
                boolean isDuplex = fullDuplex && r % 2 == 1;
                done += isDuplex ? passes.advanceDuplex(r) : passes.advance(r, isForward[r]);
            }
            if (done == 0) {
                throw new IllegalArgumentException(
                        "sequences %s wait for each other".formatted(Arrays.deepToString(isForward)));
            }
            left -= done;
        }
    }

    /** The passes done so far. */
    private final class Passes {
        private final int[] forwards = new int[resources()];
        private final int[] backwards = new int[resources()];
        private final double[] forwardFree = new double[resources()];
        private final double[] backwardFree = new double[resources()];

        /** Does the next passes of a resource, as far as their micro-batches have arrived, and returns their number. */
        int advance(int r, boolean[] isForward) {
            int done = 0;
            for (int next = forwards[r] + backwards[r]; next < isForward.length; next++) {
                if (!hasArrived(isForward[next], r)) {
                    break;
                }
                double end = isForward[next] ? forward(r) : backward(r);
                forwardFree[r] = end;
                backwardFree[r] = end;
                done++;
            }
            return done;
        }

        /**
         * Does the next passes of a resource with one sequence for each direction, as far as their micro-batches have
         * arrived, and returns their number.
         */
        int advanceDuplex(int r) {
            int done = 0;
            for (; forwards[r] < microBatches() && hasArrived(true, r); done++) {
                forwardFree[r] = forward(r);
            }
            for (; backwards[r] < microBatches() && hasArrived(false, r); done++) {
                backwardFree[r] = backward(r);
            }
            return done;
        }

        private boolean hasArrived(boolean forward, int r) {
            if (forward) {
                return r == 0 || forwards[r - 1] > forwards[r];
            }
            boolean isLast = r == resources() - 1;
            return isLast ? forwards[r] > backwards[r] : backwards[r + 1] > backwards[r];
        }

        private double forward(int r) {
            int m = forwards[r]++;
            double ready = r == 0 ? 0 : forwardEnd[r - 1][m];
            forwardEnd[r][m] = Math.max(ready, forwardFree[r]) + forwardSeconds[r];
            return forwardEnd[r][m];
        }

        private double backward(int r) {
            int m = backwards[r]++;
            double ready = r == resources() - 1 ? forwardEnd[r][m] : backwardEnd[r + 1][m];
            backwardEnd[r][m] = Math.max(ready, backwardFree[r]) + backwardSeconds[r];
            return backwardEnd[r][m];
        }
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
