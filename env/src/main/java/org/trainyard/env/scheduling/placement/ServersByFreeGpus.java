package org.trainyard.env.scheduling.placement;

import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.trainyard.env.simulation.SimView;

/**
 * An index of servers by their number of free GPUs, for every part of a partition of the cluster and for the whole. It is brought up to date at
 * most once per event, O(servers); servers are sorted only for who asks for them.
 */
public final class ServersByFreeGpus {
    private final SimView view;
    private final int[] partOf;
    private final int parts;
    private final int widest;
    private final int[] free;
    /** By server, the free GPUs that are counted. */
    private final int[] freeOn;
    /** By part, and after the last part for the whole cluster: the number of servers with so many free GPUs. */
    private final int[][] servers;

    private final int[] ascending;
    private final int[] firstWithFree;
    private final int[] next;
    /** By GPUs of a gang and servers, the parts of {@link #partsWith} that were counted since the last event. */
    private final Long2IntOpenHashMap partsWith = new Long2IntOpenHashMap();

    private long builtAtVersion = -1;
    private boolean isSorted;

    /**
     * @param parts number of parts, such as domains or racks
     * @param partOf the part of a server, counted from 0
     */
    public ServersByFreeGpus(SimView view, int parts, IntUnaryOperator partOf) {
        this.view = view;
        this.parts = parts;
        this.partOf = IntStream.range(0, view.topology().servers()).map(partOf).toArray();
        widest = view.topology().widestServer();
        free = new int[parts];
        servers = new int[parts + 1][widest + 1];
        ascending = new int[view.topology().servers()];
        firstWithFree = new int[widest + 2];
        next = new int[widest + 1];
        freeOn = new int[ascending.length];
        for (int server = 0; server < ascending.length; server++) {
            servers[this.partOf[server]][0]++;
            servers[parts][0]++;
        }
        partsWith.defaultReturnValue(-1);
    }

    private void build() {
        if (builtAtVersion == view.version()) {
            return;
        }
        builtAtVersion = view.version();
        partsWith.clear();
        isSorted = false;
        for (int server = 0; server < freeOn.length; server++) {
            int freeNow = view.cluster().freeOn(server);
            if (freeNow != freeOn[server]) {
                recount(server, freeNow);
            }
        }
    }

    private void recount(int server, int freeNow) {
        int part = partOf[server];
        int before = freeOn[server];
        freeOn[server] = freeNow;
        free[part] += freeNow - before;
        servers[part][before]--;
        servers[parts][before]--;
        servers[part][freeNow]++;
        servers[parts][freeNow]++;
    }

    /** A counting sort; servers with equally many free GPUs stay in order. */
    private void sort() {
        build();
        if (isSorted) {
            return;
        }
        isSorted = true;
        int at = 0;
        for (int freeHere = 0; freeHere <= widest; freeHere++) {
            firstWithFree[freeHere] = at;
            at += servers[parts][freeHere];
        }
        firstWithFree[widest + 1] = at;
        System.arraycopy(firstWithFree, 0, next, 0, next.length);
        for (int server = 0; server < ascending.length; server++) {
            ascending[next[freeOn[server]]++] = server;
        }
    }

    /** Free GPUs of the part. */
    public int free(int part) {
        build();
        return free[part];
    }

    /** The fewest servers of the part on whose free GPUs a gang could start now; 0 when the part has too few free GPUs. */
    public int fewestServers(int part, int gpus) {
        build();
        return gpus > free[part] ? 0 : FewestServers.needed(servers[part], gpus);
    }

    /** The same in the whole cluster. */
    public int fewestServers(int gpus) {
        build();
        return gpus > view.cluster().free() ? 0 : FewestServers.needed(servers[parts], gpus);
    }

    /**
     * The number of parts in which so many servers are the fewest on whose free GPUs a gang could start now. Counted once per event, O(parts).
     */
    public int partsWith(int servers, int gpus) {
        build();
        long key = ((long) gpus << Integer.SIZE) | servers;
        int count = partsWith.get(key);
        if (count < 0) {
            count = 0;
            for (int part = 0; part < parts; part++) {
                count += fewestServers(part, gpus) == servers ? 1 : 0;
            }
            partsWith.put(key, count);
        }
        return count;
    }

    /** GPUs that stay free on the server of the part that fits so many most tightly; -1 when no server of the part has room. */
    public int tightestLeftover(int part, int gpus) {
        build();
        for (int freeHere = gpus; freeHere <= widest; freeHere++) {
            if (servers[part][freeHere] > 0) {
                return freeHere - gpus;
            }
        }
        return -1;
    }

    /** The same in the whole cluster. */
    public int tightestLeftover(int gpus) {
        return tightestLeftover(parts, gpus);
    }

    /** The rank of the first server with at least so many free GPUs; the number of servers when there is none. */
    public int firstWithFree(int gpus) {
        sort();
        return gpus > widest ? ascending.length : firstWithFree[gpus];
    }

    /** The server of this rank, counted from 0, in ascending order of free GPUs; the rank comes from {@link #firstWithFree}. */
    public int ascending(int rank) {
        return ascending[rank];
    }
}
