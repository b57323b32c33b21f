package org.trainyard.agents.linkestimates;

import java.util.Arrays;
import java.util.function.LongToDoubleFunction;
import org.trainyard.env.topology.RingBelief;
import org.trainyard.env.topology.ServerInterior;

/**
 * The belief of who knows one formula: the bandwidth of a set is that of the narrowest link of its widest single ring
 * of NVLink, and where there is none, that of the narrowest stretch of PCIe. Rings beside the first do not count.
 */
public final class BestRing implements RingBelief {
    /** The one instance. */
    public static final BestRing FORMULA = new BestRing();

    private BestRing() {}

    @Override
    public LongToDoubleFunction of(ServerInterior interior) {
        if (interior.isSwitched()) {
            return interior::ring;
        }
        double[] rings = rings(interior);
        return set -> rings[(int) set] > 0 ? rings[(int) set] : interior.narrowestPcie(set);
    }

    /** By set, the narrowest link of its widest ring; 0 without: O(widths of links x sets x GPUs). */
    private static double[] rings(ServerInterior interior) {
        int gpus = interior.gpus();
        double[] best = new double[1 << gpus];
        double[] widths = interior.links().stream()
                .mapToDouble(ServerInterior.NvLink::bandwidth)
                .distinct()
                .sorted()
                .toArray();
        int[] linked = new int[gpus];
        int[] ends = new int[1 << gpus];
        for (double width : widths) {
            for (int a = 0; a < gpus; a++) {
                linked[a] = 0;
                for (int b = 0; b < gpus; b++) {
                    linked[a] |= a != b && interior.nvlink(a, b) >= width ? 1 << b : 0;
                }
            }
            close(linked, ends, best, width);
        }
        return best;
    }

    /** Gives every set this width that has a ring over these links. */
    private static void close(int[] linked, int[] ends, double[] best, double width) {
        Arrays.fill(ends, 0);
        for (int set = 1; set < ends.length; set++) {
            int first = Integer.numberOfTrailingZeros(set);
            int size = Integer.bitCount(set);
            // The last GPUs of paths from the first over all others.
            ends[set] = size == 1 ? set : 0;
            for (int left = set & (set - 1); left != 0; left &= left - 1) {
                int last = Integer.lowestOneBit(left);
                boolean isEnd = (ends[set ^ last] & linked[Integer.numberOfTrailingZeros(last)]) != 0;
                ends[set] |= isEnd ? last : 0;
            }
            // A pair goes both ways over its link.
            if (size > 1 && (ends[set] & linked[first]) != 0) {
                best[set] = width;
            }
        }
    }
}
