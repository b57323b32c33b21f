package org.trainyard.agents.heuristic.slots;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;

/**
 * Servers in the order of the number of workers of one demand for which they have room, kept up to date; and the room
 * of each rack.
 */
final class ServersByRoom {
    private final int[] rackOf;
    private final int[] room;
    private final long[] roomOfRack;
    /** The servers of each room above zero. */
    private final TreeMap<Integer, BitSet> servers = new TreeMap<>();

    /** By rack, its servers, those with most room first as far as they are not {@link #stale}. */
    private final int[][] falling;
    /** The racks whose rooms have changed since they were sorted. */
    private final BitSet stale = new BitSet();

    /** @param serversOf by rack, in increasing order */
    ServersByRoom(int[] rackOf, int[][] serversOf) {
        this.rackOf = rackOf;
        room = new int[rackOf.length];
        roomOfRack = new long[serversOf.length];
        falling = new int[serversOf.length][];
        Arrays.setAll(falling, rack -> serversOf[rack].clone());
    }

    /** Sets the room of a server; below zero it counts as none. */
    void set(int server, int workers) {
        int now = Math.max(0, workers);
        int before = room[server];
        if (now == before) {
            return;
        }
        if (before > 0) {
            servers.computeIfPresent(before, (workersBefore, those) -> {
                those.clear(server);
                return those.isEmpty() ? null : those;
            });
        }
        if (now > 0) {
            servers.computeIfAbsent(now, none -> new BitSet()).set(server);
        }
        room[server] = now;
        roomOfRack[rackOf[server]] += now - before;
        stale.set(rackOf[server]);
    }

    int of(int server) {
        return room[server];
    }

    long ofRack(int rack) {
        return roomOfRack[rack];
    }

    /**
     * The servers of a rack, those with most room first, of equal ones the first; not to be changed. O(1), or O(servers
     * of the rack) for each of its servers whose room has changed.
     */
    int[] fallingIn(int rack) {
        int[] servers = falling[rack];
        if (stale.get(rack)) {
            stale.clear(rack);
            sort(servers);
        }
        return servers;
    }

    /** By insertion, which is fast for what was sorted before few rooms changed. */
    private void sort(int[] servers) {
        for (int end = 1; end < servers.length; end++) {
            int server = servers[end];
            int at = end;
            for (; at > 0 && isBefore(server, servers[at - 1]); at--) {
                servers[at] = servers[at - 1];
            }
            servers[at] = server;
        }
    }

    private boolean isBefore(int a, int b) {
        return room[a] > room[b] || (room[a] == room[b] && a < b);
    }

    /** The first of the servers with least room that have room for so many workers, or -1. */
    int smallestFor(int workers) {
        Map.Entry<Integer, BitSet> smallest = servers.ceilingEntry(workers);
        return smallest == null ? -1 : smallest.getValue().nextSetBit(0);
    }
}
