package org.trainyard.env.synchronisation;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.pipeline.LayerProfile;
import org.trainyard.env.pipeline.ModelArchitectures;
import org.trainyard.env.workload.HostShare;

/**
 * CPU and memory that the workers and parameter servers of a job take of their hosts, and how they exchange gradients.
 *
 * <p>A job that is granted no share of its hosts has the servers that it was submitted with. A job that is granted some
 * has as many servers as that carries beside its workers; a server with a part of its share is as much slower. Source:
 * the joint limits of SMD (INFOCOM 2021, 2105.13855).
 *
 * @param worker of a worker
 * @param server of a server, with CPU above zero
 * @param updateSeconds that a server takes to apply the gradients of a worker, 0 or more
 * @param layers null when the exchange begins after the backward pass
 */
public record ServerHosts(
        HostShare worker,
        HostShare server,
        double updateSeconds,
        @Nullable LayerOverlap layers) {
    public ServerHosts {
        if (server.cpuMilli() < 1 || !(updateSeconds >= 0) || Double.isInfinite(updateSeconds)) {
            throw new IllegalArgumentException("server (%d) thousandths of a core above zero, update (%s s) 0 or more"
                    .formatted(server.cpuMilli(), updateSeconds));
        }
    }

    /** The host share of so many workers and servers. */
    public HostShare of(int workers, int servers) {
        return worker.times(workers, server, servers);
    }

    /**
     * Workers to a server when a worker has such a share, its part of the servers' included.
     *
     * @return infinite when nothing is left for servers
     */
    double workersPerServer(HostShare perWorker) {
        double byCpu = (double) server.cpuMilli() / Math.max(0, perWorker.cpuMilli() - worker.cpuMilli());
        return server.memoryMib() == 0
                ? byCpu
                : Math.max(
                        byCpu, (double) server.memoryMib() / Math.max(0, perWorker.memoryMib() - worker.memoryMib()));
    }

    /** The parts of a label of {@link ParameterServer}. */
    String label() {
        return "%d:%d:%d:%d:%s"
                        .formatted(
                                worker.cpuMilli(),
                                server.cpuMilli(),
                                worker.memoryMib(),
                                server.memoryMib(),
                                updateSeconds)
                + (layers == null ? "" : ":" + layers.profile().name());
    }

    /**
     * The hosts in the parts of a label from one on.
     *
     * @throws IllegalArgumentException when they are none
     */
    static ServerHosts parse(String[] parts, int first) {
        LayerOverlap layers = null;
        if (parts.length > first + 5) {
            LayerProfile profile = ModelArchitectures.find(parts[first + 5]);
            if (profile == null) {
                throw new IllegalArgumentException("no layers of " + parts[first + 5]);
            }
            layers = new LayerOverlap(profile);
        }
        return new ServerHosts(
                new HostShare(Long.parseLong(parts[first]), Long.parseLong(parts[first + 2])),
                new HostShare(Long.parseLong(parts[first + 1]), Long.parseLong(parts[first + 3])),
                Double.parseDouble(parts[first + 4]),
                layers);
    }
}
