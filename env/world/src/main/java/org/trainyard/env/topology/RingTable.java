package org.trainyard.env.topology;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongToDoubleFunction;

/**
 * Bandwidths of rings over the sets of GPUs of one server, each computed when it is first asked for and kept. For
 * several threads.
 */
final class RingTable {
    private final boolean isBySize;
    /** GB/s, negative over PCIe. */
    private final LongToDoubleFunction signed;
    /** By set, or by size of a set, the bits of its bandwidth; 0 when not computed. */
    private final AtomicLongArray known;

    private RingTable(boolean isBySize, int entries, LongToDoubleFunction signed) {
        this.isBySize = isBySize;
        this.signed = signed;
        known = new AtomicLongArray(entries);
    }

    /** A table in which every set has a bandwidth of its own. */
    static RingTable bySet(int gpus, LongToDoubleFunction signed) {
        return new RingTable(false, 1 << gpus, signed);
    }

    /** A table in which all sets of a size are alike: the first GPUs stand for them. */
    static RingTable bySize(int gpus, LongToDoubleFunction signed) {
        return new RingTable(true, gpus + 1, signed);
    }

    /** The bandwidth of a set of at least two GPUs, GB/s, negative when it is over PCIe. */
    double signed(long set) {
        int at = isBySize ? Long.bitCount(set) : (int) set;
        long bits = known.get(at);
        if (bits == 0) {
            bits = Double.doubleToRawLongBits(signed.applyAsDouble(isBySize ? -1L >>> (64 - at) : set));
            known.set(at, bits);
        }
        return Double.longBitsToDouble(bits);
    }
}
