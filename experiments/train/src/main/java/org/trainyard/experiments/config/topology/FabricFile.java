package org.trainyard.experiments.config.topology;

import org.trainyard.env.InvalidFieldException;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.Link;

/** The links of a topology file, one kind for each tier. */
record FabricFile(LinkFile nvlink, LinkFile pcie, LinkFile nic, LinkFile tor, LinkFile spine) {
    Fabric build() {
        return new Fabric(nvlink.build(), pcie.build(), nic.build(), tor.build(), spine.build());
    }

    /** Bandwidth and latency of one direction of a link. */
    record LinkFile(double gigabytesPerSecond, double latencyMicros) {
        LinkFile {
            check(gigabytesPerSecond, latencyMicros);
        }

        Link build() {
            return Link.of(gigabytesPerSecond, latencyMicros);
        }

        static void check(double gigabytesPerSecond, double latencyMicros) {
            InvalidFieldException.above(0, "gigabytesPerSecond", gigabytesPerSecond);
            InvalidFieldException.within(0, 1e6, "gigabytesPerSecond", gigabytesPerSecond);
            InvalidFieldException.within(0, 1e9, "latencyMicros", latencyMicros);
        }
    }
}
