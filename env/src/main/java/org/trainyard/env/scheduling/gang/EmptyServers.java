package org.trainyard.env.scheduling.gang;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.scheduling.placement.GpuSpeeds;
import org.trainyard.env.simulation.FreeGpuIndex;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Link;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;

/**
 * The empty widest servers of every rack, the fastest first, counted once per event; and which servers are equal when they are empty.
 * O(racks + empty servers) per event.
 */
final class EmptyServers {
    private record Kind(int rack, ServerSpec spec, Link nic) {}

    private final Topology topology;
    private final GpuSpeeds speeds;
    /** By server, the number of its rack and hardware. */
    private final int[] kindOf;

    private final int kinds;
    /** The empty widest servers of a rack begin at the rack's first server. */
    private final int[] servers;

    private final int[] countIn;
    private @Nullable SimView countedOf;
    private long countedAtNanos;
    private long countedAtVersion;

    EmptyServers(Topology topology) {
        this.topology = topology;
        speeds = new GpuSpeeds(topology);
        kindOf = new int[topology.servers()];
        List<Kind> known = new ArrayList<>();
        for (int server = 0; server < topology.servers(); server++) {
            Kind kind = new Kind(topology.rackOf(server), topology.server(server), topology.nic(server));
            int first = known.lastIndexOf(kind);
            kindOf[server] = first < 0 ? known.size() : first;
            if (first < 0) {
                known.add(kind);
            }
        }
        kinds = known.size();
        servers = new int[topology.servers()];
        countIn = new int[topology.racks()];
    }

    /** Counts anew when something has happened since the last call. */
    void update(SimView view) {
        if (countedOf == view && countedAtNanos == view.nowNanos() && countedAtVersion == view.version()) {
            return;
        }
        countedOf = view;
        countedAtNanos = view.nowNanos();
        countedAtVersion = view.version();
        Arrays.fill(countIn, 0);
        FreeGpuIndex index = view.cluster().byFreeGpus();
        for (int server = index.next(topology.widestServer(), 0);
                server != SimView.NONE;
                server = index.next(topology.widestServer(), server + 1)) {
            int rack = topology.rackOf(server);
            int first = topology.firstServer(rack);
            insert(servers, first, first + countIn[rack]++, server);
        }
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
}
