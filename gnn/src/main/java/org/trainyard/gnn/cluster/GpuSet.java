package org.trainyard.gnn.cluster;

/**
 * Some GPUs of a server.
 *
 * @param mask a bit for every GPU, at least one
 */
public record GpuSet(LinkMatrix links, long mask) {
    public GpuSet {
        if (mask == 0 || (links.gpus() < Long.SIZE && mask >>> links.gpus() != 0)) {
            throw new IllegalArgumentException(
                    "a set of the (%d) GPUs of a server, not (%s)".formatted(links.gpus(), Long.toBinaryString(mask)));
        }
    }

    /** Number of GPUs. */
    public int size() {
        return Long.bitCount(mask);
    }

    /** Writes the numbers of the GPUs, ascending; returns how many there are. */
    static int members(long mask, int[] into) {
        int count = 0;
        for (long left = mask; left != 0; left &= left - 1) {
            into[count++] = Long.numberOfTrailingZeros(left);
        }
        return count;
    }
}
