package org.trainyard.env.scheduling.gang;

import java.util.ArrayList;
import java.util.List;
import org.trainyard.env.scheduling.placement.GpuSpeeds;
import org.trainyard.env.simulation.ServerChanges;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Link;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;

/**
 * The empty widest servers of every rack, the fastest first, and which servers are equal when they are empty. O(servers
 * that have changed) per event, O(racks) more when one of them has become empty or is no longer.
 */
final class EmptyServers {
    private record Hardware(ServerSpec spec, Link nic) {}

    private record Kind(int rack, Hardware hardware) {}

    private final Topology topology;
    private final GpuSpeeds speeds;
    /** By server, the number of its rack and hardware. */
    private final int[] kindOf;

    private final int kinds;
    /** By server, the number of its hardware. */
    private final int[] hardwareOf;

    private final int hardwares;
    /** The empty widest servers of a rack begin at the rack's first server. */
    private final int[] servers;

    private final int[] countIn;
    /** By server, whether it is listed as empty. */
    private final boolean[] isListed;

    private int mostInRack;
    private final ServerChanges.Cursor changes = new ServerChanges.Cursor();

    EmptyServers(Topology topology) {
        this.topology = topology;
        speeds = new GpuSpeeds(topology);
        kindOf = new int[topology.servers()];
        hardwareOf = new int[topology.servers()];
        List<Kind> known = new ArrayList<>();
        List<Hardware> knownHardware = new ArrayList<>();
        for (int server = 0; server < topology.servers(); server++) {
            Hardware hardware = new Hardware(topology.server(server), topology.nic(server));
            hardwareOf[server] = numberOf(hardware, knownHardware);
            kindOf[server] = numberOf(new Kind(topology.rackOf(server), hardware), known);
        }
        kinds = known.size();
        hardwares = knownHardware.size();
        servers = new int[topology.servers()];
        countIn = new int[topology.racks()];
        isListed = new boolean[topology.servers()];
    }

    /** The place of a value in a list, to which it is added if it is not there. */
    private static <T> int numberOf(T value, List<T> known) {
        int at = known.lastIndexOf(value);
        if (at < 0) {
            known.add(value);
        }
        return at < 0 ? known.size() - 1 : at;
    }

    /** Counts anew in the racks where something has happened since the last call. */
    void update(SimView view) {
        boolean isChanged = changes.advance(view.cluster());
        for (int rack = 0; isChanged && rack < countIn.length; rack++) {
            count(view, rack);
        }
        for (long change = changes.first(); change < changes.end(); change++) {
            int server = changes.server(change);
            if (isListed[server] != isWholeAndEmpty(view, server)) {
                count(view, topology.rackOf(server));
                isChanged = true;
            }
        }
        if (isChanged) {
            mostInRack = 0;
            for (int count : countIn) {
                mostInRack = Math.max(mostInRack, count);
            }
        }
    }

    private void count(SimView view, int rack) {
        int first = topology.firstServer(rack);
        countIn[rack] = 0;
        for (int server = first; server < first + topology.serversIn(rack); server++) {
            isListed[server] = isWholeAndEmpty(view, server);
            if (isListed[server]) {
                insert(servers, first, first + countIn[rack]++, server);
            }
        }
    }

    /** Whether the server has as many free GPUs as the widest one has GPUs. */
    private boolean isWholeAndEmpty(SimView view, int server) {
        return view.cluster().freeOn(server) == topology.widestServer();
    }

    /** Inserts a server behind those that are as fast, into a list that ends before {@code end}. */
    void insert(int[] list, int from, int end, int server) {
        int at = end;
        while (at > from && speeds.of(list[at - 1]) < speeds.of(server)) {
            list[at] = list[at - 1];
            at--;
        }
        list[at] = server;
    }

    /** Whether all GPUs of a server that has GPUs are free. */
    boolean isEmpty(SimView view, int server) {
        return topology.gpusOn(server) > 0 && view.cluster().freeOn(server) == topology.gpusOn(server);
    }

    /** Number of empty widest servers of the rack. */
    int in(int rack) {
        return countIn[rack];
    }

    /** Number of empty widest servers of the rack with most of them. */
    int mostInRack() {
        return mostInRack;
    }

    /** The i-th empty widest server of the rack. */
    int server(int rack, int i) {
        return servers[topology.firstServer(rack) + i];
    }

    /** Servers of one rack that are equal when they are empty have the same number, below {@link #kinds}. */
    int kindOf(int server) {
        return kindOf[server];
    }

    int kinds() {
        return kinds;
    }

    /**
     * Servers that are equal when they are empty, in whatever racks, have the same number, below {@link #hardwares}.
     */
    int hardwareOf(int server) {
        return hardwareOf[server];
    }

    int hardwares() {
        return hardwares;
    }
}
