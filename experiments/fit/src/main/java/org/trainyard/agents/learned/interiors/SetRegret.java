package org.trainyard.agents.learned.interiors;

import java.util.function.LongToDoubleFunction;
import org.trainyard.env.topology.ServerInterior;
import org.trainyard.gnn.cluster.GpuSetTable;
import org.trainyard.gnn.cluster.LinkMatrix;

/**
 * How much bandwidth is lost by who chooses sets of GPUs by what he believes of their bandwidth: the mean, over all
 * sets of free GPUs and all sizes from two on that leave a choice, of the logarithm of the best bandwidth over the
 * chosen set's. Of sets that he believes equal, the one of the lowest GPUs counts.
 */
public final class SetRegret {
    private static final double SAME = 1e-9;

    private SetRegret() {}

    /** Regret by the first value of embeddings. */
    public static double of(ServerInterior interior, GpuSetTable table) {
        int number = table.number(new LinkMatrix(interior));
        return of(interior, gpus -> table.embedding(number, gpus)[0]);
    }

    /** Regret of a belief about sets of at least two GPUs. */
    public static double of(ServerInterior interior, LongToDoubleFunction belief) {
        int all = 1 << interior.gpus();
        double[] beliefs = new double[all];
        for (int set = 0; set < all; set++) {
            beliefs[set] = Integer.bitCount(set) < 2 ? 0 : belief.applyAsDouble(set);
        }
        double sum = 0;
        int count = 0;
        for (int free = 0; free < all; free++) {
            for (int size = 2; size < Integer.bitCount(free); size++) {
                sum += loss(interior, beliefs, free, size);
                count++;
            }
        }
        return sum / count;
    }

    private static double loss(ServerInterior interior, double[] beliefs, int free, int size) {
        double best = 0;
        int chosen = 0;
        // All subsets, the one of the lowest GPUs first.
        for (int set = free & -free; set != 0; set = (set - free) & free) {
            if (Integer.bitCount(set) == size) {
                best = Math.max(best, interior.ring(set));
                chosen = chosen == 0 || beliefs[set] > beliefs[chosen] + SAME ? set : chosen;
            }
        }
        return Math.log(best / interior.ring(chosen));
    }

    /** The sum of the bandwidths of all links of NVLink in a set, or of PCIe where there is none. */
    public static double sum(ServerInterior interior, long gpus) {
        double nvlink = 0;
        double pcie = 0;
        for (int a = 0; a < interior.gpus(); a++) {
            for (int b = 0; b < a; b++) {
                boolean isIn = (gpus >>> a & 1) != 0 && (gpus >>> b & 1) != 0;
                nvlink += isIn ? interior.nvlink(a, b) : 0;
                pcie += isIn ? interior.pcie(a, b) : 0;
            }
        }
        return nvlink > 0 ? nvlink : pcie / 1e3;
    }
}
