package org.trainyard.env.simulation;

import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/** Free CPU and memory of servers whose host resources are limited. */
final class HostResources {
    private final long[] freeCpuMilli;
    private final long[] freeMemoryMib;

    HostResources(Topology topology) {
        freeCpuMilli = new long[topology.servers()];
        freeMemoryMib = new long[topology.servers()];
        for (int server = 0; server < topology.servers(); server++) {
            freeCpuMilli[server] = topology.server(server).cpuMilli();
            freeMemoryMib[server] = topology.server(server).memoryMib();
        }
    }

    /** Whether any server of the topology has limited host resources. */
    static boolean anyOn(Topology topology) {
        for (int server = 0; server < topology.servers(); server++) {
            ServerSpec spec = topology.server(server);
            if (spec.cpuMilli() < ServerSpec.UNLIMITED || spec.memoryMib() < ServerSpec.UNLIMITED) {
                return true;
            }
        }
        return false;
    }

    long freeCpuMilli(int server) {
        return freeCpuMilli[server];
    }

    long freeMemoryMib(int server) {
        return freeMemoryMib[server];
    }

    /**
     * The number of workers, at most {@code most}, for which CPU and memory are left; a job without GPUs is one worker.
     */
    int room(Demand demand, int server, int most) {
        int workers = Math.max(1, demand.gpus());
        int byCpu = room(demand.cpuMilli(), freeCpuMilli[server], workers, most);
        return room(demand.memoryMib(), freeMemoryMib[server], workers, byCpu);
    }

    private static int room(long wanted, long free, int workers, int most) {
        // Divide before multiplying: an unlimited amount times workers would overflow.
        if (wanted == 0 || most == 0 || free / most >= wanted) {
            return most;
        }
        return (int) Math.min(most, free * workers / wanted);
    }

    /** Whether a placed job could have the host resources of another demand, on servers that limit both. */
    boolean fits(Topology topology, Demand before, Demand after, Placement placement) {
        for (int i = 0; i < placement.serverCount(); i++) {
            int server = placement.server(i);
            int workers = Math.max(1, placement.gpusOn(i));
            ServerSpec spec = topology.server(server);
            if (spec.cpuMilli() == ServerSpec.UNLIMITED
                    || spec.memoryMib() == ServerSpec.UNLIMITED
                    || freeCpuMilli[server] + before.cpuMilliOf(workers) < after.cpuMilliOf(workers)
                    || freeMemoryMib[server] + before.memoryMibOf(workers) < after.memoryMibOf(workers)) {
                return false;
            }
        }
        return true;
    }

    /** The free CPU and memory of all servers, of which nothing is shared with this object. */
    long[][] image() {
        return new long[][] {freeCpuMilli.clone(), freeMemoryMib.clone()};
    }

    /** Goes back to an {@link #image}. */
    void restore(long[][] image) {
        System.arraycopy(image[0], 0, freeCpuMilli, 0, freeCpuMilli.length);
        System.arraycopy(image[1], 0, freeMemoryMib, 0, freeMemoryMib.length);
    }

    /** Allocates the host resources of so many workers; a negative number releases them. */
    void take(Demand demand, int server, int workers) {
        int sign = workers < 0 ? -1 : 1;
        freeCpuMilli[server] -= sign * demand.cpuMilliOf(Math.abs(workers));
        freeMemoryMib[server] -= sign * demand.memoryMibOf(Math.abs(workers));
    }
}
