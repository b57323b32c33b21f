package org.trainyard.env.gym.auction;

import java.util.Arrays;

/**
 * Lists of servers, one by bid: those of the set that a bid would take, or of the jobs that it would move. The bid to
 * wait has none.
 */
public final class BidServers {
    private int lists;
    private int[] ends = new int[64];
    private int[] servers = new int[256];
    /** By place, the GPUs there that the bid takes, a bit for each; 0 where nobody asks. */
    private long[] taken = new long[256];
    /** By place, the GPUs there that the bid leaves free, a bit for each; 0 where nobody asks. */
    private long[] left = new long[256];

    /** Removes all lists. */
    public void clear() {
        lists = 0;
    }

    /** Begins the list of the next bid. */
    public void begin() {
        if (lists == ends.length) {
            ends = Arrays.copyOf(ends, 2 * lists);
        }
        ends[lists] = first(lists);
        lists++;
    }

    /** Adds a server to the last list. */
    public void add(int server) {
        int end = ends[lists - 1]++;
        if (end == servers.length) {
            servers = Arrays.copyOf(servers, 2 * end);
            taken = Arrays.copyOf(taken, 2 * end);
            left = Arrays.copyOf(left, 2 * end);
        }
        servers[end] = server;
        taken[end] = 0;
        left[end] = 0;
    }

    /** Sets the GPUs at a place of all lists that the bid takes, or may choose among, and those it leaves free. */
    void setGpus(int i, long takenThere, long leftThere) {
        taken[i] = takenThere;
        left[i] = leftThere;
    }

    /** Adds all lists of others. */
    public void addAll(BidServers others) {
        for (int list = 0; list < others.lists; list++) {
            begin();
            for (int i = others.first(list); i < others.end(list); i++) {
                add(others.servers[i]);
                setGpus(ends[lists - 1] - 1, others.taken[i], others.left[i]);
            }
        }
    }

    /** Index of the first entry in the list of a bid. */
    public int first(int bid) {
        return bid == 0 ? 0 : ends[bid - 1];
    }

    /** Index after the last entry in the list of a bid. */
    public int end(int bid) {
        return ends[bid];
    }

    /** The server at a place of all lists. */
    public int server(int i) {
        return servers[i];
    }

    /**
     * The GPUs of the server at a place that the bid takes, or of a bid to make room those among which its job then
     * chooses: a bit for each, counted within the server; 0 for auctions without a graph.
     */
    public long taken(int i) {
        return taken[i];
    }

    /** The GPUs of the server at a place that would still be free. */
    public long left(int i) {
        return left[i];
    }
}
