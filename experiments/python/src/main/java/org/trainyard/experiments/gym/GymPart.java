package org.trainyard.experiments.gym;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.trainyard.experiments.gym.GymArray.Dimension;

/**
 * The arrays of one environment, array after array. The thread that steps the environment writes them, while its cache
 * has the auction; the answer of all environments then copies bytes.
 */
final class GymPart<G extends GymGame> {
    private final List<GymArray<G>> arrays;
    private final int[] sizes = new int[Dimension.COUNT];
    private final int[] ends;
    private ByteBuffer bytes = ByteBuffer.allocate(1 << 12).order(ByteOrder.LITTLE_ENDIAN);

    GymPart(List<GymArray<G>> arrays) {
        this.arrays = arrays;
        ends = new int[arrays.size()];
    }

    /** Writes the present arrays of the environment over the last ones. */
    void write(GymSlot<G> slot) {
        long needed = 0;
        for (Dimension dimension : Dimension.values()) {
            sizes[dimension.index()] = slot.game().count(dimension);
        }
        for (GymArray<G> array : arrays) {
            needed += array.bytes(sizes[array.first().index()]);
        }
        if (needed > bytes.capacity()) {
            bytes = ByteBuffer.allocate(Math.toIntExact(needed + needed / 2)).order(ByteOrder.LITTLE_ENDIAN);
        }
        bytes.clear();
        for (int array = 0; array < ends.length; array++) {
            arrays.get(array).writer().write(slot, bytes);
            ends[array] = bytes.position();
        }
    }

    /** Elements of a dimension. */
    int size(int dimension) {
        return sizes[dimension];
    }

    /** Bytes of all arrays. */
    int bytes() {
        return ends[ends.length - 1];
    }

    /** Appends one of the arrays. */
    void append(int array, ByteBuffer out) {
        int from = array == 0 ? 0 : ends[array - 1];
        out.put(bytes.array(), from, ends[array] - from);
    }
}
