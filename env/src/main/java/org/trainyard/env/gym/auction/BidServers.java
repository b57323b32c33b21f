package org.trainyard.env.gym.auction;

import java.util.Arrays;

/**
 * Lists of servers, one by bid: those of the set that a bid would take, or of the jobs that it would move. The bid
 * to wait has none.
 */
public final class BidServers {
    private int lists;
    private int[] ends = new int[64];
    private int[] servers = new int[256];

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
        }
        servers[end] = server;
    }

    /** Adds all lists of others. */
    public void addAll(BidServers others) {
        for (int list = 0; list < others.lists; list++) {
            begin();
            for (int i = others.first(list); i < others.end(list); i++) {
                add(others.servers[i]);
            }
        }
    }

    /** Where the list of a bid begins. */
    public int first(int bid) {
        return bid == 0 ? 0 : ends[bid - 1];
    }

    /** Where the list of a bid ends. */
    public int end(int bid) {
        return ends[bid];
    }

    /** The server at a place of all lists. */
    public int server(int i) {
        return servers[i];
    }
}
