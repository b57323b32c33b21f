package org.trainyard.env.simulation;

import java.util.Arrays;
import java.util.BitSet;
import org.trainyard.env.topology.Topology;

/**
 * An index of the servers by their number of free GPUs. The {@link Cluster} keeps it up to date, from the first time
 * that somebody asks for it: O(1) for each server of a job that comes or goes.
 */
public final class FreeGpuIndex {
    private final Topology topology;
    /** By server, the number of free GPUs under which it is listed. */
    private final int[] free;
    /** By number of free GPUs, the servers. */
    private final BitSet[] servers;
    /** By GPUs of a server and free ones among them, the number of such servers. */
    private final int[][] counts;

    private long lookUps;

    FreeGpuIndex(Topology topology) {
        this.topology = topology;
        int widest = topology.widestServer();
        free = new int[topology.servers()];
        servers = new BitSet[widest + 1];
        Arrays.setAll(servers, gpus -> new BitSet(topology.servers()));
        servers[0].set(0, free.length);
        counts = new int[widest + 1][widest + 1];
        for (int server = 0; server < free.length; server++) {
            counts[topology.gpusOn(server)][0]++;
        }
    }

    void set(int server, int freeNow) {
        int before = free[server];
        if (before != freeNow) {
            servers[before].clear(server);
            servers[freeNow].set(server);
            counts[topology.gpusOn(server)][before]--;
            counts[topology.gpusOn(server)][freeNow]++;
            free[server] = freeNow;
        }
    }

    /** GPUs of the server with most of them, free or not. */
    public int widest() {
        return servers.length - 1;
    }

    /** Whether the servers from one up to another, without it, are all servers. */
    public boolean covers(int from, int to) {
        return from == 0 && to == free.length;
    }

    /** The first server from this one on with exactly so many free GPUs, or {@link SimView#NONE}. */
    public int next(int freeGpus, int from) {
        lookUps++;
        return servers[freeGpus].nextSetBit(from);
    }

    /** How often {@link #next} was asked: what searches by this index have cost so far. */
    public long lookUps() {
        return lookUps;
    }

    /**
     * The server with the fewest free GPUs of those that have at least so many, the first of equals, or
     * {@link SimView#NONE}.
     */
    public int tightest(int gpus) {
        int server = SimView.NONE;
        for (int here = gpus; here < servers.length && server == SimView.NONE; here++) {
            server = servers[here].nextSetBit(0);
        }
        return server;
    }

    /**
     * The server after this one in the order of their free GPUs, of equals in their own order, or {@link SimView#NONE}.
     */
    public int after(int server) {
        int next = servers[free[server]].nextSetBit(server + 1);
        return next == SimView.NONE ? tightest(free[server] + 1) : next;
    }

    /** The fewest servers with so many free GPUs together; {@link Integer#MAX_VALUE} when all have fewer. */
    public int fewestServers(int gpus) {
        int used = 0;
        int left = gpus;
        for (int free = servers.length - 1; free > 0 && left > 0; free--) {
            int needed = (left + free - 1) / free;
            int here = 0;
            for (int size = free; size < counts.length && here < needed; size++) {
                here += counts[size][free];
            }
            here = Math.min(here, needed);
            used += here;
            left -= here * free;
        }
        return left > 0 ? Integer.MAX_VALUE : used;
    }

    /** Free GPUs on the server with most of them. */
    public int most() {
        int most = servers.length - 1;
        while (most > 0 && servers[most].isEmpty()) {
            most--;
        }
        return most;
    }

    /** Number of servers with exactly so many free GPUs. */
    public int count(int freeGpus) {
        int count = 0;
        for (int gpus = freeGpus; gpus < counts.length; gpus++) {
            count += counts[gpus][freeGpus];
        }
        return count;
    }

    /** Number of servers with GPUs of which all are free. */
    public int empty() {
        int empty = 0;
        for (int gpus = 1; gpus < counts.length; gpus++) {
            empty += counts[gpus][gpus];
        }
        return empty;
    }

    /** GPUs of the servers of which all are free. */
    public int emptyGpus() {
        int empty = 0;
        for (int gpus = 1; gpus < counts.length; gpus++) {
            empty += gpus * counts[gpus][gpus];
        }
        return empty;
    }

    /** The largest share of a server's GPUs that is free, 0..1. */
    public double largestHole() {
        double largest = 0;
        for (int gpus = 1; gpus < counts.length; gpus++) {
            int most = gpus;
            while (most > 0 && counts[gpus][most] == 0) {
                most--;
            }
            largest = Math.max(largest, (double) most / gpus);
        }
        return largest;
    }
}
