package org.trainyard.agents.learned.interiors;

import java.util.Arrays;
import org.trainyard.env.topology.ServerInterior;
import org.trainyard.gnn.cluster.GpuSetEncoder;
import org.trainyard.gnn.cluster.LinkMatrix;

/**
 * What the links of every set of GPUs of a server allow, as the first values of an embedding are to say it: the
 * bandwidth of a ring over the set, and that of its widest subsets of 2, 3, 4 and 5 GPUs; 0 where there is none.
 */
public final class LinkFacts {
    private static final int COUNT = GpuSetEncoder.BELIEFS;

    private final float[] values;

    LinkFacts(ServerInterior interior) {
        int masks = 1 << interior.gpus();
        values = new float[masks * COUNT];
        for (int mask = 1; mask < masks; mask++) {
            int size = Integer.bitCount(mask);
            float own = size < 2 ? 0 : LinkMatrix.scaled(interior.ring(mask));
            int at = mask * COUNT;
            values[at] = own;
            for (int wanted = 2; wanted <= COUNT; wanted++) {
                float widest = size == wanted ? own : 0;
                for (int left = mask; left != 0 && size > wanted; left &= left - 1) {
                    widest = Math.max(widest, values[(mask ^ Integer.lowestOneBit(left)) * COUNT + wanted - 1]);
                }
                values[at + wanted - 1] = widest;
            }
        }
    }

    /** Copies the facts about a set. */
    void copy(int mask, float[] into, int to) {
        System.arraycopy(values, mask * COUNT, into, to, COUNT);
    }

    /** All facts, by mask. */
    float[] all() {
        return Arrays.copyOf(values, values.length);
    }
}
