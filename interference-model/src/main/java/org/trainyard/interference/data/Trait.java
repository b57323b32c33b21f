package org.trainyard.interference.data;

import java.util.EnumSet;
import java.util.Set;

/**
 * Numeric features of a job type that are known before it is measured beside another; each may be unknown.
 *
 * <p>Counts, times and bytes are held as logarithms, so that a doubling is a step of equal size at every scale.
 */
public enum Trait {
    /** Base-2 logarithm of its GPUs. */
    GPUS,
    /** Base-2 logarithm of its servers. */
    SERVERS,
    /** Base-2 logarithm of its GPUs per server. */
    GPUS_PER_SERVER,
    /** Base-2 logarithm of its batch per GPU. */
    BATCH,
    /** Natural logarithm of seconds per step, alone on a V100. */
    STEP_SECONDS,
    /**
     * Natural logarithm of how many times longer a step takes on a P100: near zero when the GPU is not its bottleneck.
     */
    SLOWER_ON_P100,
    /** Natural logarithm of how many times longer a step takes on a K80 than on a V100. */
    SLOWER_ON_K80,
    /** Natural logarithm of its rate alone over that of the same model on the fewest GPUs and servers measured. */
    SCALING,
    /** Fraction of time that it keeps its GPU busy, 0..1. */
    GPU_BUSY,
    /** Pressure on the socket's memory, 0..1. */
    SOCKET_LOAD,
    /** Pressure on PCIe and host memory, 0..1. */
    PCIE_LOAD,
    /** Pressure on the network card, 0..1. */
    NIC_LOAD,
    /** Natural logarithm of the bytes a worker sends per step. */
    STEP_BYTES,
    /** Device memory, GiB. */
    MEMORY;

    /** Traits that a campaign records itself: shape of the job and speed alone. */
    public static Set<Trait> measured() {
        return EnumSet.range(GPUS, SCALING);
    }

    public static Set<Trait> all() {
        return EnumSet.allOf(Trait.class);
    }
}
