package org.trainyard.env.scheduling.placement;

import org.trainyard.env.topology.Topology;

/** Speeds of the servers' GPUs relative to the fastest GPUs of the cluster, from the data sheet of the GPU types. */
public final class GpuSpeeds {
    private final double[] relative;

    public GpuSpeeds(Topology topology) {
        double fastest = 0;
        for (int server = 0; server < topology.servers(); server++) {
            fastest = topology.gpusOn(server) == 0
                    ? fastest
                    : Math.max(fastest, topology.server(server).gpuType().speed());
        }
        relative = new double[topology.servers()];
        for (int server = 0; server < topology.servers(); server++) {
            relative[server] = topology.gpusOn(server) == 0
                    ? 1
                    : topology.server(server).gpuType().speed() / fastest;
        }
    }

    /** Relative speed of the server's GPUs, above 0, exactly 1 for the fastest of the cluster and for a server without GPUs. */
    public double of(int server) {
        return relative[server];
    }
}
