package org.trainyard.agents.heuristic.slots;

import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Servers of a two-level tree in one slot, with their free resources and what is left of the bandwidth of their links, into which rings are embedded.
 *
 * <p>A ring on several servers enters and leaves each of them once, and each of their racks once when there are several: it reserves its bandwidth in each direction on those uplinks. Directions are
 * equal, so one figure stands for both. Bandwidths are bytes per second.
 */
public final class SlotNetwork {
    /** By server and resource. */
    private final double[][] free;

    private final int[] rackOf;
    private final double[] serverLink;
    private final double[] rackLink;
    private static final double ROUNDING = 1e-9;

    public SlotNetwork(double[][] capacity, int[] rackOf, double[] serverLink, double[] rackLink) {
        free = Arrays.stream(capacity).map(double[]::clone).toArray(double[][]::new);
        this.rackOf = rackOf.clone();
        this.serverLink = serverLink.clone();
        this.rackLink = rackLink.clone();
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

    /**
     * Workers by server, without taking them: on the smallest server that has room for all, else in the rack with the fewest servers, else in the fewest racks.
     *
     * @param bandwidth that the ring reserves in each direction of the uplinks it crosses
     * @return null when a link or a resource does not suffice. O(servers log servers)
     */
    public int @Nullable [] embed(double[] demand, int workers, double bandwidth) {
        int[] room = new int[free.length];
        int best = -1;
        for (int server = 0; server < room.length; server++) {
            room[server] = room(server, demand);
            if (room[server] >= workers && (best < 0 || room[server] < room[best])) {
                best = server;
            }
        }
        int[] embedding = new int[room.length];
        if (best >= 0) {
            embedding[best] = workers;
            return embedding;
        }
        int[] order = linked(room, bandwidth);
        int rack = bestRack(order, room, workers);
        if (rack >= 0) {
            return fill(embedding, order, room, workers, rack);
        }
        return acrossRacks(embedding, order, room, workers, bandwidth);
    }

    /** The servers with room and bandwidth, those with most room first; the room of others is cleared. */
    private int[] linked(int[] room, double bandwidth) {
        int largest = 0;
        for (int server = 0; server < room.length; server++) {
            if (room[server] > 0 && hasRoom(serverLink[server], bandwidth)) {
                largest = Math.max(largest, room[server]);
            } else {
                room[server] = 0;
            }
        }
        // Counting, not comparing: this is done for every worker.
        int[] from = new int[largest + 2];
        for (int here : room) {
            from[largest - here + 1]++;
        }
        for (int rank = 1; rank < from.length; rank++) {
            from[rank] += from[rank - 1];
        }
        int[] order = new int[room.length];
        int count = 0;
        for (int server = 0; server < room.length; server++) {
            if (room[server] > 0) {
                order[from[largest - room[server]]++] = server;
                count++;
            }
        }
        return Arrays.copyOf(order, count);
    }

    /** The rack that holds all workers on the fewest servers, of these the one with least room; -1 when none does. */
    private int bestRack(int[] order, int[] room, int workers) {
        int[] total = new int[rackLink.length];
        int[] servers = new int[rackLink.length];
        for (int server : order) {
            int rack = rackOf[server];
            servers[rack] += total[rack] < workers ? 1 : 0;
            total[rack] += room[server];
        }
        int best = -1;
        for (int rack = 0; rack < total.length; rack++) {
            if (total[rack] >= workers
                    && (best < 0
                            || servers[rack] < servers[best]
                            || (servers[rack] == servers[best] && total[rack] < total[best]))) {
                best = rack;
            }
        }
        return best;
    }

    private static boolean hasRoom(double link, double bandwidth) {
        return link >= bandwidth - ROUNDING * bandwidth;
    }

    private int[] fill(int[] embedding, int[] order, int[] room, int workers, int rack) {
        int left = workers;
        for (int i = 0; i < order.length && left > 0; i++) {
            if (rackOf[order[i]] == rack) {
                embedding[order[i]] = Math.min(left, room[order[i]]);
                left -= embedding[order[i]];
            }
        }
        return embedding;
    }

    private int @Nullable [] acrossRacks(int[] embedding, int[] order, int[] room, int workers, double bandwidth) {
        int[] total = new int[rackLink.length];
        for (int server : order) {
            total[rackOf[server]] += room[server];
        }
        int[] racks = new int[rackLink.length];
        Arrays.setAll(racks, rack -> rack);
        IntArrays.mergeSort(racks, (a, b) -> Integer.compare(total[b], total[a]));
        int left = workers;
        for (int rack : racks) {
            if (left > 0 && total[rack] > 0 && hasRoom(rackLink[rack], bandwidth)) {
                int here = Math.min(left, total[rack]);
                fill(embedding, order, room, here, rack);
                left -= here;
            }
        }
        return left == 0 ? embedding : null;
    }

    /** Takes what an embedding needs; with a factor of -1, gives it back. */
    private void move(double[] demand, int[] embedding, double bandwidth, int factor) {
        boolean isSpread = links(embedding) > 0;
        boolean[] seen = new boolean[rackLink.length];
        int racks = racks(embedding);
        for (int server = 0; server < embedding.length; server++) {
            if (embedding[server] == 0) {
                continue;
            }
            for (int r = 0; r < demand.length; r++) {
                free[server][r] -= factor * embedding[server] * demand[r];
            }
            if (isSpread) {
                serverLink[server] -= factor * bandwidth;
                if (racks > 1 && !seen[rackOf[server]]) {
                    rackLink[rackOf[server]] -= factor * bandwidth;
                }
                seen[rackOf[server]] = true;
            }
        }
    }

    /** Takes resources and bandwidth of an embedding. */
    public void take(double[] demand, int[] embedding, double bandwidth) {
        move(demand, embedding, bandwidth, 1);
    }

    /** Gives them back. */
    public void give(double[] demand, int[] embedding, double bandwidth) {
        move(demand, embedding, bandwidth, -1);
    }

    /** Number of uplinks, of servers and racks, that the ring of an embedding crosses. */
    public int links(int[] embedding) {
        int servers = 0;
        for (int workers : embedding) {
            servers += workers > 0 ? 1 : 0;
        }
        int racks = racks(embedding);
        return servers > 1 ? servers + (racks > 1 ? racks : 0) : 0;
    }

    private int racks(int[] embedding) {
        boolean[] seen = new boolean[rackLink.length];
        int racks = 0;
        for (int server = 0; server < embedding.length; server++) {
            if (embedding[server] > 0 && !seen[rackOf[server]]) {
                seen[rackOf[server]] = true;
                racks++;
            }
        }
        return racks;
    }

    /** The bandwidth left on the uplink of a server, in each direction. */
    public double serverLink(int server) {
        return serverLink[server];
    }

    public int servers() {
        return free.length;
    }

    /** The mean of all links' bandwidths left. */
    public double meanLink() {
        return (Arrays.stream(serverLink).sum() + Arrays.stream(rackLink).sum())
                / (serverLink.length + rackLink.length);
    }

    /** All free resources, by kind. */
    public double[] totals() {
        double[] totals = new double[free[0].length];
        for (double[] server : free) {
            for (int r = 0; r < totals.length; r++) {
                totals[r] += server[r];
            }
        }
        return totals;
    }
}
