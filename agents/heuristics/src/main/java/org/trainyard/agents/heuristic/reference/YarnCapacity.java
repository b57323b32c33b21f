package org.trainyard.agents.heuristic.reference;

import java.util.Arrays;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;

/**
 * The placement {@code yarn} of Muri's simulator, on a cluster that is reallocated from scratch: a job that fits on one
 * server gets the first with room; a wider job gets the first idle servers whole and, for the rest, the first other
 * server with room.
 */
public final class YarnCapacity implements FreeCapacity {
    private final int serverGpus;
    private final int[] free;
    private int left;

    /** @throws InputException when servers differ in GPUs */
    public YarnCapacity(Topology topology) {
        serverGpus = topology.gpusOn(0);
        for (int server = 1; server < topology.servers(); server++) {
            if (topology.gpusOn(server) != serverGpus) {
                throw InputException.at(
                        "cluster %s, server %d".formatted(topology.name(), server),
                        topology.gpusOn(server),
                        "as many GPUs as on the first server (%d), for Muri's simulator knows but one size"
                                .formatted(serverGpus));
            }
        }
        free = new int[topology.servers()];
    }

    @Override
    public void clear(SimView view) {
        Arrays.fill(free, serverGpus);
        left = free.length * serverGpus;
    }

    @Override
    public boolean take(int gpus) {
        boolean fits = gpus <= left && (gpus <= serverGpus ? takeFirst(gpus) : takeWhole(gpus));
        left -= fits ? gpus : 0;
        return fits;
    }

    private boolean takeFirst(int gpus) {
        int server = firstWith(gpus, 0);
        if (server < 0) {
            return false;
        }
        free[server] -= gpus;
        return true;
    }

    /** The first server that has so many GPUs and is not among the first {@code idle} idle ones, or -1. */
    private int firstWith(int gpus, int idle) {
        int spared = idle;
        for (int server = 0; server < free.length; server++) {
            if (spared > 0 && free[server] == serverGpus) {
                spared--;
            } else if (free[server] >= gpus) {
                return server;
            }
        }
        return -1;
    }

    private boolean takeWhole(int gpus) {
        int whole = gpus / serverGpus;
        int rest = gpus % serverGpus;
        int idle = 0;
        for (int server = 0; server < free.length; server++) {
            idle += free[server] == serverGpus ? 1 : 0;
        }
        int last = rest == 0 ? 0 : firstWith(rest, whole);
        if (idle < whole || last < 0) {
            return false;
        }
        for (int server = 0; whole > 0; server++) {
            if (free[server] == serverGpus) {
                free[server] = 0;
                whole--;
            }
        }
        free[last] -= rest;
        return true;
    }
}
