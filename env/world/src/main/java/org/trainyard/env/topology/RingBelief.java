package org.trainyard.env.topology;

import java.util.function.LongToDoubleFunction;

/**
 * Belief of a scheduler about the bandwidth of rings inside servers whose links it sees, where it is not told the
 * measured one. Equal interiors have equal bandwidths. For several threads.
 */
@FunctionalInterface
public interface RingBelief {
    /** The bandwidth of every set of at least two GPUs of a server with these links, GB/s, above zero. */
    LongToDoubleFunction of(ServerInterior interior);
}
