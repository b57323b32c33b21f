package org.trainyard.agents.heuristic.slots;

import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;

/** Servers in the order of the number of workers of one demand for which they have room, kept up to date; and the room of each rack. */
final class ServersByRoom {
    private final int[] rackOf;
    private final int[] room;
    private final long[] roomOfRack;
    /** The servers of each room above zero. */
    private final TreeMap<Integer, BitSet> servers = new TreeMap<>();

    ServersByRoom(int[] rackOf, int racks) {
        this.rackOf = rackOf;
        room = new int[rackOf.length];
        roomOfRack = new long[racks];
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
    }

    int of(int server) {
        return room[server];
    }

    long ofRack(int rack) {
        return roomOfRack[rack];
    }

    /** The first of the servers with least room that have room for so many workers, or -1. */
    int smallestFor(int workers) {
        Map.Entry<Integer, BitSet> smallest = servers.ceilingEntry(workers);
        return smallest == null ? -1 : smallest.getValue().nextSetBit(0);
    }
}
