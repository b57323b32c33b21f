package org.trainyard.env.topology;

import java.util.function.LongToDoubleFunction;

/**
 * What a scheduler believes of the bandwidth of rings inside servers whose links it sees, where nobody tells it what was
 * measured. Equal interiors have equal bandwidths. For several threads.
 */
@FunctionalInterface
public interface RingBelief {
    /** The bandwidth of every set of at least two GPUs of a server with these links, GB/s, above zero. */
    LongToDoubleFunction of(ServerInterior interior);
}
