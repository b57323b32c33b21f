package org.trainyard.env.performance.ring;

import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Routes;
import org.trainyard.env.topology.Topology;

/**
 * The links that a ring through all GPUs of a placement passes; it visits the servers in order of index and returns to
 * the first.
 */
final class RingLinks {
    private final Topology topology;

    RingLinks(Topology topology) {
        this.topology = topology;
    }

    /** Bandwidth of the narrowest link. */
    double bytesPerSecond(Placement placement) {
        if (placement.serverCount() == 1) {
            return topology.inside().bytesPerSecond(placement.server(0), placement.maskOn(0));
        }
        double narrowest = Double.POSITIVE_INFINITY;
        for (int i = 0; i < placement.serverCount(); i++) {
            narrowest = Math.min(narrowest, next(placement, i).bytesPerSecond());
            narrowest = Math.min(
                    narrowest, topology.inside().throughBytesPerSecond(placement.server(i), placement.maskOn(i)));
        }
        return narrowest;
    }

    /** The longest latency of a link. */
    long latencyNanos(Placement placement) {
        if (placement.serverCount() == 1) {
            return topology.inside().latencyNanos(placement.server(0), placement.maskOn(0));
        }
        long longest = 0;
        for (int i = 0; i < placement.serverCount(); i++) {
            longest = Math.max(longest, next(placement, i).latencyNanos());
        }
        return longest;
    }

    private Routes.Route next(Placement placement, int i) {
        int next = placement.server((i + 1) % placement.serverCount());
        return topology.routes().between(placement.server(i), next);
    }
}
