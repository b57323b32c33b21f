package org.trainyard.env.scheduling.fragmentation;

import java.util.Arrays;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/**
 * Fragmentation of the free GPUs of every server with respect to a {@link TargetWorkload}. It is recomputed only for
 * servers whose free resources have changed; O(GPUs of the server) to detect a change.
 */
public final class Fragmentation {
    private final Topology topology;
    private TargetWorkload target;
    private final int[][] freeMilli;
    private final long[] freeCpuMilli;
    private final double[] fragmentedMilli;
    private final int[] version;

    public Fragmentation(Topology topology, TargetWorkload target) {
        this.topology = topology;
        this.target = target;
        freeMilli = new int[topology.servers()][];
        freeCpuMilli = new long[topology.servers()];
        fragmentedMilli = new double[topology.servers()];
        version = new int[topology.servers()];
        for (int server = 0; server < topology.servers(); server++) {
            freeMilli[server] = new int[topology.gpusOn(server)];
        }
        retarget(target);
    }

    /** Replaces the target workload. */
    public void retarget(TargetWorkload newTarget) {
        target = newTarget;
        Arrays.fill(freeCpuMilli, -1);
    }

    /** Fragmentation of all servers together, thousandths of a GPU. */
    public double allMilli(SimView view) {
        double all = 0;
        for (int server = 0; server < topology.servers(); server++) {
            read(view, server);
            all += fragmentedMilli[server];
        }
        return all;
    }

    /**
     * Reads the free resources of the server; returns a version number that differs whenever its fragmentation may
     * differ.
     */
    public int read(SimView view, int server) {
        Cluster cluster = view.cluster();
        int[] known = freeMilli[server];
        boolean isChanged = freeCpuMilli[server] != cluster.freeCpuMilli(server);
        int first = topology.firstGpu(server);
        for (int i = 0; i < known.length; i++) {
            int free = cluster.freeMilli(first + i);
            isChanged |= free != known[i];
            known[i] = free;
        }
        if (isChanged) {
            freeCpuMilli[server] = cluster.freeCpuMilli(server);
            fragmentedMilli[server] = measure(server, freeCpuMilli[server], known);
            version[server]++;
        }
        return version[server];
    }

    private double measure(int server, long cpuMilli, int[] milli) {
        return target.fragmentedMilli(topology.server(server).gpuType().name(), cpuMilli, milli);
    }

    /**
     * Growth of the fragmentation of a server read just before, if each of these GPUs got a worker, thousandths of a
     * GPU.
     *
     * @param gpus indices within the server; the first {@code count} of them
     */
    public double growthMilli(int server, Demand demand, int[] gpus, int count) {
        int[] left = freeMilli[server];
        boolean isWhole = topology.server(server).sharing() == GpuSharing.WHOLE;
        int[] after = left.clone();
        for (int i = 0; i < count; i++) {
            after[gpus[i]] -= isWhole ? Demand.WHOLE : demand.gpuMilli();
        }
        return measure(server, freeCpuMilli[server] - demand.cpuMilli(), after) - fragmentedMilli[server];
    }

    /** Free thousandths of the GPU, by its index within the server, when the server was last read. */
    public int leftMilli(int server, int gpu) {
        return freeMilli[server][gpu];
    }
}
