package org.trainyard.env.pipeline;

/**
 * The order in which the resources of a pipeline, its stages and the channels between them, process the micro-batches
 * of one iteration: a number of warm-up forward passes, then strictly one backward and one forward pass.
 *
 * <p>Sources: GPipe (Y. Huang et al., 2019), one forward one backward of PipeDream (D. Narayanan et al., 2019), and the
 * deep warm-up, which is policy B of DAPPLE (S. Fan et al., 2021) and the slots behind the bound of PE in SPP (Z. Luo
 * et al., 2022).
 */
public enum MicroBatchOrder {
    /** All forward passes first. */
    GPIPE,
    /** One warm-up pass more for each resource further back. */
    ONE_FORWARD_ONE_BACKWARD,
    /** Two warm-up passes more for each resource further back, as for transfers as long as computation. */
    DEEP;

    /** Warm-up forward passes of a resource. */
    public int warmUp(int resource, int resources, int microBatches) {
        int wanted = switch (this) {
            case GPIPE -> microBatches;
            case ONE_FORWARD_ONE_BACKWARD -> resources - resource;
            case DEEP -> 2 * (resources - 1 - resource) + 1;
        };
        return Math.min(microBatches, wanted);
    }

    /** The sequence of passes of every resource: true for forward. */
    public boolean[][] sequences(int resources, int microBatches) {
        boolean[][] sequences = new boolean[resources][];
        for (int r = 0; r < resources; r++) {
            sequences[r] = sequence(warmUp(r, resources, microBatches), microBatches);
        }
        return sequences;
    }

    private static boolean[] sequence(int warmUp, int microBatches) {
        boolean[] isForward = new boolean[2 * microBatches];
        int forwards = 0;
        for (int i = 0; i < isForward.length; i++) {
            boolean isWarm = i < warmUp;
            isForward[i] = isWarm || ((i - warmUp) % 2 == 1 && forwards < microBatches);
            forwards += isForward[i] ? 1 : 0;
        }
        return isForward;
    }
}
