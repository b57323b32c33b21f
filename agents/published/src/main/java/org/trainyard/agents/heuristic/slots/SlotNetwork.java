package org.trainyard.agents.heuristic.slots;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.elastic.GpusByServer;

/**
 * Servers of a two-level tree in one slot, with their free resources and what is left of the bandwidth of their links,
 * into which rings are embedded.
 *
 * <p>A ring on several servers enters and leaves each of them once, and each of their racks once when there are
 * several: it reserves its bandwidth in each direction on those uplinks. Directions are equal, so one value stands for
 * both. Bandwidths are bytes per second.
 */
public final class SlotNetwork {
    private static final double ROUNDING = 1e-9;

    /** By server and resource. */
    private final double[][] free;
    /** The sum of all servers, by resource. */
    private final double[] totals;

    private final int[] rackOf;
    private final int[][] serversOf;
    private final double[] serverLink;
    private final double[] rackLink;
    /** The demand of {@link #byRoom}. */
    private double[] indexed = new double[0];

    private ServersByRoom byRoom;

    public SlotNetwork(double[][] capacity, int[] rackOf, double[] serverLink, double[] rackLink) {
        free = Arrays.stream(capacity).map(double[]::clone).toArray(double[][]::new);
        totals = new double[free[0].length];
        for (double[] server : free) {
            for (int r = 0; r < totals.length; r++) {
                totals[r] += server[r];
            }
        }
        this.rackOf = rackOf.clone();
        this.serverLink = serverLink.clone();
        this.rackLink = rackLink.clone();
        serversOf = serversOf(rackOf, rackLink.length);
        byRoom = new ServersByRoom(this.rackOf, serversOf);
    }

    private static int[][] serversOf(int[] rackOf, int racks) {
        IntArrayList[] lists = new IntArrayList[racks];
        Arrays.setAll(lists, rack -> new IntArrayList());
        for (int server = 0; server < rackOf.length; server++) {
            lists[rackOf[server]].add(server);
        }
        return Arrays.stream(lists).map(IntArrayList::toIntArray).toArray(int[][]::new);
    }

    /** Number of workers of this demand for which the server has room. */
    public int room(int server, double[] demand) {
        double room = Integer.MAX_VALUE;
        for (int r = 0; r < demand.length; r++) {
            if (demand[r] > 0) {
                room = Math.min(room, Math.floor(free[server][r] / demand[r] + ROUNDING));
            }
        }
        return (int) room;
    }

    private void index(double[] demand) {
        if (Arrays.equals(demand, indexed)) {
            return;
        }
        indexed = demand.clone();
        byRoom = new ServersByRoom(rackOf, serversOf);
        for (int server = 0; server < free.length; server++) {
            byRoom.set(server, room(server, demand));
        }
    }

    /**
     * Servers for workers, without taking them: the smallest server that has room for all, else the rack with the
     * fewest servers, else the fewest racks.
     *
     * @param bandwidth that the ring reserves in each direction of the uplinks it crosses
     * @return null when a link or a resource does not suffice. O(log servers) on one server, O(servers of the racks
     *     with room) beyond; the first time for a demand, O(servers)
     */
    public @Nullable GpusByServer embed(double[] demand, int workers, double bandwidth) {
        if (workers == 0) {
            return GpusByServer.NONE;
        }
        index(demand);
        int best = byRoom.smallestFor(workers);
        if (best >= 0) {
            return GpusByServer.on(best, workers);
        }
        int rack = bestRack(workers, bandwidth);
        return rack >= 0 ? filled(new int[] {rack}, workers, bandwidth) : acrossRacks(workers, bandwidth);
    }

    private boolean isLinked(int server, double bandwidth) {
        return hasRoom(serverLink[server], bandwidth);
    }

    /** The room of a rack's servers with bandwidth. O(servers of the rack). */
    private long linkedRoom(int rack, double bandwidth) {
        long total = 0;
        for (int server : serversOf[rack]) {
            total += isLinked(server, bandwidth) ? byRoom.of(server) : 0;
        }
        return total;
    }

    /**
     * The rack that holds all workers on the fewest servers, of these the one with least room; -1 when none does.
     * O(servers).
     */
    private int bestRack(int workers, double bandwidth) {
        int best = -1;
        int fewest = Integer.MAX_VALUE;
        long least = Long.MAX_VALUE;
        for (int rack = 0; rack < rackLink.length; rack++) {
            if (byRoom.ofRack(rack) < workers) {
                continue;
            }
            long total = 0;
            int servers = 0;
            for (int server : byRoom.fallingIn(rack)) {
                if (isLinked(server, bandwidth)) {
                    servers += total < workers && byRoom.of(server) > 0 ? 1 : 0;
                    total += byRoom.of(server);
                }
                if (servers > fewest) {
                    break;
                }
            }
            if (total >= workers && (servers < fewest || (servers == fewest && total < least))) {
                best = rack;
                fewest = servers;
                least = total;
            }
        }
        return best;
    }

    private static boolean hasRoom(double link, double bandwidth) {
        return link >= bandwidth - ROUNDING * bandwidth;
    }

    /** Workers on the servers of these racks, one rack after the other; null when there is no room for all. */
    private @Nullable GpusByServer filled(int[] racks, int workers, double bandwidth) {
        IntArrayList servers = new IntArrayList();
        int left = workers;
        int last = 0;
        for (int i = 0; i < racks.length && left > 0; i++) {
            for (int server : byRoom.fallingIn(racks[i])) {
                if (left > 0 && byRoom.of(server) > 0 && isLinked(server, bandwidth)) {
                    servers.add(server);
                    last = Math.min(left, byRoom.of(server));
                    left -= last;
                }
            }
        }
        if (left > 0) {
            return null;
        }
        int onLast = last;
        int lastServer = servers.getInt(servers.size() - 1);
        return GpusByServer.of(servers.toIntArray(), server -> server == lastServer ? onLast : byRoom.of(server));
    }

    /** The racks with most room first, as far as their uplinks suffice. */
    private @Nullable GpusByServer acrossRacks(int workers, double bandwidth) {
        long[] total = new long[rackLink.length];
        for (int rack = 0; rack < total.length; rack++) {
            total[rack] = linkedRoom(rack, bandwidth);
        }
        int[] racks = new int[rackLink.length];
        Arrays.setAll(racks, rack -> rack);
        IntArrays.mergeSort(racks, (a, b) -> Long.compare(total[b], total[a]));
        int[] open = Arrays.stream(racks)
                .filter(rack -> hasRoom(rackLink[rack], bandwidth))
                .toArray();
        return filled(open, workers, bandwidth);
    }

    /** Takes what an embedding needs; with a factor of -1, gives it back. */
    private void move(double[] demand, GpusByServer embedding, double bandwidth, int factor) {
        boolean isSpread = embedding.serverCount() > 1;
        int racks = racks(embedding);
        int last = -1;
        for (int i = 0; i < embedding.serverCount(); i++) {
            int server = embedding.server(i);
            for (int r = 0; r < demand.length; r++) {
                double moved = factor * embedding.gpusOn(i) * demand[r];
                free[server][r] -= moved;
                totals[r] -= moved;
            }
            if (indexed.length > 0) {
                byRoom.set(server, room(server, indexed));
            }
            if (isSpread) {
                serverLink[server] -= factor * bandwidth;
                if (racks > 1 && rackOf[server] != last) {
                    rackLink[rackOf[server]] -= factor * bandwidth;
                }
                last = rackOf[server];
            }
        }
    }

    /** Takes resources and bandwidth of an embedding. */
    public void take(double[] demand, GpusByServer embedding, double bandwidth) {
        move(demand, embedding, bandwidth, 1);
    }

    /** Gives them back. */
    public void give(double[] demand, GpusByServer embedding, double bandwidth) {
        move(demand, embedding, bandwidth, -1);
    }

    /** Number of uplinks, of servers and racks, that the ring of an embedding crosses. */
    public int links(GpusByServer embedding) {
        int servers = embedding.serverCount();
        int racks = racks(embedding);
        return servers > 1 ? servers + (racks > 1 ? racks : 0) : 0;
    }

    /** Number of racks; the servers of a rack follow one another. */
    private int racks(GpusByServer embedding) {
        int racks = 0;
        for (int i = 0; i < embedding.serverCount(); i++) {
            racks += i == 0 || rackOf[embedding.server(i)] != rackOf[embedding.server(i - 1)] ? 1 : 0;
        }
        return racks;
    }

    /** The bandwidth left on the uplink of a server, in each direction. */
    public double serverLink(int server) {
        return serverLink[server];
    }

    /** The mean of all links' bandwidths left. */
    public double meanLink() {
        return (Arrays.stream(serverLink).sum() + Arrays.stream(rackLink).sum())
                / (serverLink.length + rackLink.length);
    }

    /** The free amount of a resource on all servers. */
    public double total(int resource) {
        return totals[resource];
    }

    public int resources() {
        return totals.length;
    }
}
