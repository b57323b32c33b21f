package org.trainyard.agents.learned.inside;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
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

    /** Of the first value of embeddings. */
    public static double of(ServerInterior interior, GpuSetTable table) {
        int number = table.number(new LinkMatrix(interior));
        return of(interior, gpus -> table.embedding(number, gpus)[0]);
    }

    /** Of a belief about sets of at least two GPUs. */
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

    /** The bandwidth of a set by the narrowest link of its best single ring, or by PCIe where there is no ring. */
    public static double bestRing(ServerInterior interior, long gpus) {
        List<Integer> members = new ArrayList<>();
        for (long left = gpus; left != 0; left &= left - 1) {
            members.add(Long.numberOfTrailingZeros(left));
        }
        double nvlink = narrowest(interior, members, 1, Double.POSITIVE_INFINITY);
        return nvlink > 0 ? nvlink : pcie(interior, members);
    }

    /** The widest closed path through all members whose first {@code fixed} are in place. */
    private static double narrowest(ServerInterior interior, List<Integer> members, int fixed, double soFar) {
        int size = members.size();
        if (soFar == 0) {
            return 0;
        }
        if (fixed == size) {
            return Math.min(soFar, interior.nvlink(members.get(size - 1), members.get(0)));
        }
        double best = 0;
        for (int i = fixed; i < size; i++) {
            Collections.swap(members, fixed, i);
            double link = interior.nvlink(members.get(fixed - 1), members.get(fixed));
            best = Math.max(best, narrowest(interior, members, fixed + 1, Math.min(soFar, link)));
            Collections.swap(members, fixed, i);
        }
        return best;
    }

    private static double pcie(ServerInterior interior, List<Integer> members) {
        double least = Double.POSITIVE_INFINITY;
        for (int a : members) {
            for (int b : members) {
                least = a == b ? least : Math.min(least, interior.pcie(a, b));
            }
        }
        return least;
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
