package org.trainyard.env.pipeline;

/**
 * DAPPLE's estimate of an iteration: warm-up, steady phase and ending around the pivot, the resource with the fewest
 * bubbles.
 *
 * <p>Source: S. Fan et al.: DAPPLE: a pipelined data parallel approach for training large models, PPoPP 2021. Without
 * all-reduce a lower bound of the schedule in {@link MicroBatchOrder#DEEP deep order}.
 *
 * @param warmUpSeconds forward passes of the first micro-batch up to and including the pivot
 * @param steadySeconds the pivot's work on all other micro-batches
 * @param endingSeconds backward passes and all-reduce after that
 */
public record DappleLatency(int pivot, double warmUpSeconds, double steadySeconds, double endingSeconds) {
    /**
     * @param forward seconds by resource
     * @param backward seconds by resource
     * @param allReduce seconds by resource, zero for channels
     */
    public static DappleLatency of(double[] forward, double[] backward, double[] allReduce, int microBatches) {
        int pivot = pivot(forward, backward, microBatches);
        double warmUp = 0;
        for (int r = 0; r <= pivot; r++) {
            warmUp += forward[r];
        }
        double steady = (microBatches - 1) * (forward[pivot] + backward[pivot]);
        double ending = Double.NEGATIVE_INFINITY;
        double toPivot = 0;
        for (int r = pivot; r >= 0; r--) {
            toPivot += backward[r];
            ending = Math.max(ending, allReduce[r] + toPivot);
        }
        // The sum behind the pivot begins with the pivot itself, as in the paper.
        double fromPivot = backward[pivot];
        for (int r = pivot + 1; r < forward.length; r++) {
            fromPivot += backward[r];
            ending = Math.max(ending, allReduce[r] - fromPivot);
        }
        return new DappleLatency(pivot, warmUp, steady, ending);
    }

    private static int pivot(double[] forward, double[] backward, int microBatches) {
        int pivot = forward.length - 1;
        double between = 0;
        for (int r = pivot - 1; r >= 0; r--) {
            double own = (microBatches - 1) * (forward[r] + backward[r]);
            if (own > (microBatches - 1) * (forward[pivot] + backward[pivot]) + between) {
                pivot = r;
                between = 0;
            } else {
                between += forward[r] + backward[r];
            }
        }
        return pivot;
    }

    public double seconds() {
        return warmUpSeconds + steadySeconds + endingSeconds;
    }
}
