package org.trainyard.env.scheduling.placement;

import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.trainyard.env.simulation.ServerChanges;
import org.trainyard.env.simulation.SimView;

/**
 * An index of servers by their number of free GPUs, for every part of a partition of the cluster and for the whole.
 * It is brought up to date at most once per event, O(servers that have changed).
 */
public final class ServersByFreeGpus {
    private static final int NOT_WIDE = 257;

    private final SimView view;
    private final int[] partOf;
    private final int parts;
    private final int widest;
    private final int[] free;
    /** By server, the free GPUs that are counted. */
    private final int[] freeOn;
    /** By part, and after the last part for the whole cluster: the number of servers with so many free GPUs. */
    private final int[][] servers;

    /** By GPUs of a gang and servers, the parts of {@link #partsWith} that were counted since the last event. */
    private final Long2IntOpenHashMap partsWith = new Long2IntOpenHashMap();

    /**
     * By GPUs of a gang that is not wide, what {@link #fewestServers(int)} would say since the last event; -1 where
     * it was not asked.
     */
    private final int[] fewest = new int[NOT_WIDE];

    private long builtAtVersion = -1;
    private final ServerChanges.Cursor changes = new ServerChanges.Cursor();

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
        freeOn = new int[view.topology().servers()];
        for (int server = 0; server < freeOn.length; server++) {
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
        Arrays.fill(fewest, -1);
        boolean isAnew = changes.advance(view.cluster());
        for (int server = 0; isAnew && server < freeOn.length; server++) {
            recount(server, view.cluster().freeOn(server));
        }
        for (long change = changes.first(); change < changes.end(); change++) {
            int server = changes.server(change);
            recount(server, view.cluster().freeOn(server));
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

    /** Free GPUs of the part. */
    public int free(int part) {
        build();
        return free[part];
    }

    /**
     * The fewest servers of the part on whose free GPUs a gang could start now; 0 when the part has too few free GPUs.
     */
    public int fewestServers(int part, int gpus) {
        build();
        return gpus > free[part] ? 0 : FewestServers.needed(servers[part], gpus);
    }

    /**
     * The fewest servers of the whole cluster on whose free GPUs a gang could start now; 0 when the cluster has too
     * few.
     */
    public int fewestServers(int gpus) {
        build();
        if (gpus >= NOT_WIDE) {
            return countFewest(gpus);
        }
        if (fewest[gpus] < 0) {
            fewest[gpus] = countFewest(gpus);
        }
        return fewest[gpus];
    }

    private int countFewest(int gpus) {
        return gpus > view.cluster().free() ? 0 : FewestServers.needed(servers[parts], gpus);
    }

    /**
     * The number of parts in which so many servers are the fewest on whose free GPUs a gang could start now.
     * Counted once per event, O(parts).
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

    /**
     * GPUs that stay free on the server of the part that fits so many most tightly; -1 when no server of the part
     * has room.
     */
    public int tightestLeftover(int part, int gpus) {
        build();
        for (int freeHere = gpus; freeHere <= widest; freeHere++) {
            if (servers[part][freeHere] > 0) {
                return freeHere - gpus;
            }
        }
        return -1;
    }

    /**
     * GPUs that stay free on the server of the whole cluster that fits a number of GPUs most tightly; -1 when no
     * server has room.
     */
    public int tightestLeftover(int gpus) {
        return tightestLeftover(parts, gpus);
    }
}
