package org.trainyard.env.simulation;

import java.util.Arrays;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;

/** Who holds which GPU now. Allocation is all or nothing; only the simulator allocates. */
public final class Cluster {
    /** The owner of a free GPU. */
    public static final int FREE = -1;

    private final Topology topology;
    private final int[] owner;
    private final int[] freeOnServer;
    private final int[] freeInRack;
    private int free;
    /** The jobs on server s are {@code jobs[firstGpu(s)] ...}, {@code jobCount[s]} of them. */
    private final int[] jobs;

    private final int[] jobCount;

    Cluster(Topology topology) {
        this.topology = topology;
        owner = new int[topology.gpus()];
        Arrays.fill(owner, FREE);
        freeOnServer = new int[topology.servers()];
        freeInRack = new int[topology.racks()];
        for (int server = 0; server < topology.servers(); server++) {
            freeOnServer[server] = topology.gpusOn(server);
            freeInRack[topology.rackOf(server)] += topology.gpusOn(server);
        }
        free = topology.gpus();
        jobs = new int[topology.gpus()];
        jobCount = new int[topology.servers()];
    }

    public int free() {
        return free;
    }

    public int freeOn(int server) {
        return freeOnServer[server];
    }

    public int freeIn(int rack) {
        return freeInRack[rack];
    }

    /** The job that holds the GPU, or {@link #FREE}. */
    public int owner(int gpu) {
        return owner[gpu];
    }

    /** How many jobs hold GPUs on the server. */
    public int jobsOn(int server) {
        return jobCount[server];
    }

    /** The i-th job on the server, in an order that is fixed but arbitrary. */
    public int jobOn(int server, int i) {
        return jobs[topology.firstGpu(server) + i];
    }

    /** Whether all GPUs of the placement are free. O(GPUs of the placement). */
    public boolean fits(Placement placement) {
        for (int i = 0; i < placement.gpuCount(); i++) {
            if (owner[placement.gpu(i)] != FREE) {
                return false;
            }
        }
        return true;
    }

    void allocate(int job, Placement placement) {
        for (int i = 0; i < placement.gpuCount(); i++) {
            owner[placement.gpu(i)] = job;
        }
        for (int i = 0; i < placement.serverCount(); i++) {
            int server = placement.server(i);
            jobs[topology.firstGpu(server) + jobCount[server]++] = job;
            count(server, -placement.gpusOn(i));
        }
    }

    void release(int job, Placement placement) {
        for (int i = 0; i < placement.gpuCount(); i++) {
            owner[placement.gpu(i)] = FREE;
        }
        for (int i = 0; i < placement.serverCount(); i++) {
            int server = placement.server(i);
            int first = topology.firstGpu(server);
            int at = first;
            while (jobs[at] != job) {
                at++;
            }
            jobs[at] = jobs[first + --jobCount[server]];
            count(server, placement.gpusOn(i));
        }
    }

    private void count(int server, int freed) {
        freeOnServer[server] += freed;
        freeInRack[topology.rackOf(server)] += freed;
        free += freed;
    }
}
