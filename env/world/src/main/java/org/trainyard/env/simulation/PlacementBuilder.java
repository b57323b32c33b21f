package org.trainyard.env.simulation;

import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.PlacementPool;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/**
 * Builds a gang's placement server by server; the cluster changes only when the finished placement is allocated.
 *
 * <p>On a server it takes GPUs of the socket that fits most tightly or, if no socket fits, of the sockets with most
 * free GPUs first; among GPUs that may be shared, the fullest with enough left. A demand in segments has room in racks
 * for whole ones alone, and once one is begun, nowhere else before it is complete. Placements on one server recur, so
 * they come from a cache ({@link PlacementPool}).
 */
public final class PlacementBuilder {
    private static final int NOWHERE = -1;
    private static final Demand PLAIN = Demand.ofGpus(1);

    private final Topology topology;
    private final Cluster cluster;
    private final PlacementPool pool;
    private final int[] gpus;
    private final int[] taken;
    private int count;
    private Demand demand = PLAIN;
    private int hostServer = NOWHERE;

    public PlacementBuilder(Topology topology, Cluster cluster) {
        pool = new PlacementPool(topology);
        this.topology = topology;
        this.cluster = cluster;
        gpus = new int[topology.gpus()];
        taken = new int[topology.servers()];
    }

    /** Discards the GPUs taken and begins a placement of whole GPUs. O(GPUs taken). */
    public void clear() {
        begin(PLAIN);
    }

    /** Discards the GPUs taken and begins a placement for the demand. O(GPUs taken). */
    public void begin(Demand forDemand) {
        forget();
        demand = forDemand;
    }

    private void forget() {
        if (hostServer != NOWHERE) {
            taken[hostServer] = 0;
            hostServer = NOWHERE;
        }
        for (int i = 0; i < count; i++) {
            taken[topology.serverOf(gpus[i])] = 0;
        }
        count = 0;
    }

    /** Number of GPUs taken so far. */
    public int count() {
        return count;
    }

    /** Number of workers for which the server has room; 0 once GPUs have been taken on it. */
    public int available(int server) {
        int room = taken[server] > 0 ? 0 : cluster.room(demand, server);
        return demand.segment() == 0 ? room : Math.min(room, wholeSegments(topology.rackOf(server)));
    }

    /**
     * Workers that may still come to a rack, so that it has whole segments in the end. O(servers of the rack + GPUs
     * taken).
     */
    private int wholeSegments(int rack) {
        int open = NOWHERE;
        int[] inRack = new int[topology.racks()];
        for (int i = 0; i < count; i++) {
            inRack[topology.rackOf(topology.serverOf(gpus[i]))]++;
        }
        for (int r = 0; r < inRack.length; r++) {
            open = inRack[r] % demand.segment() > 0 ? r : open;
        }
        if (open != NOWHERE && open != rack) {
            return 0;
        }
        int room = inRack[rack];
        int first = topology.firstServer(rack);
        for (int server = first; server < first + topology.serversIn(rack); server++) {
            room += taken[server] > 0 ? 0 : cluster.room(demand, server);
        }
        return room / demand.segment() * demand.segment() - inRack[rack];
    }

    /** Takes {@code wanted} GPUs, or one worker of a job without GPUs, on a server with room; once per server. */
    public void take(int server, int wanted) {
        if (wanted < 1 || wanted > available(server)) {
            throw new IllegalArgumentException("cannot take (%d) GPUs of server (%d): (%d) are available"
                    .formatted(wanted, server, available(server)));
        }
        taken[server] = wanted;
        if (demand.gpus() == 0) {
            hostServer = server;
            return;
        }
        long usedSockets = 0;
        int left = wanted;
        while (left > 0) {
            int socket = chooseSocket(server, left, usedSockets);
            usedSockets |= 1L << socket;
            left -= takeFromSocket(server, socket, left);
        }
    }

    /** The GPUs taken so far on a server, a bit for each, counted within the server. O(GPUs taken). */
    public long takenOn(int server) {
        long mask = 0;
        for (int i = 0; i < count; i++) {
            mask |= topology.serverOf(gpus[i]) == server ? 1L << (gpus[i] - topology.firstGpu(server)) : 0;
        }
        return mask;
    }

    /** Takes these free GPUs of a server, counted within it, for a demand of whole GPUs; once per server. */
    public void take(int server, int wanted, long set) {
        if (set == 0) {
            take(server, wanted);
            return;
        }
        int first = topology.firstGpu(server);
        if (Long.bitCount(set) != wanted || taken[server] > 0 || demand.gpuMilli() < Demand.WHOLE) {
            throw new IllegalArgumentException("cannot take (%d) GPUs of server (%d) as set (%s)"
                    .formatted(wanted, server, Long.toBinaryString(set)));
        }
        for (long left = set; left != 0; left &= left - 1) {
            int gpu = first + Long.numberOfTrailingZeros(left);
            if (cluster.owner(gpu) != Cluster.FREE) {
                throw new IllegalArgumentException("GPU (%d) is not free".formatted(gpu));
            }
            gpus[count++] = gpu;
        }
        taken[server] = wanted;
    }

    private int chooseSocket(int server, int wanted, long usedSockets) {
        int best = -1;
        int bestFree = 0;
        for (int socket = 0; socket < topology.server(server).sockets(); socket++) {
            int free = (usedSockets & (1L << socket)) != 0 ? 0 : freeOnSocket(server, socket);
            boolean fits = free >= wanted;
            boolean bestFits = bestFree >= wanted;
            if (free > 0 && (best < 0 || (fits ? !bestFits || free < bestFree : !bestFits && free > bestFree))) {
                best = socket;
                bestFree = free;
            }
        }
        return best;
    }

    private int freeOnSocket(int server, int socket) {
        int perSocket = topology.gpusOn(server) / topology.server(server).sockets();
        int first = topology.firstGpu(server) + socket * perSocket;
        int free = 0;
        for (int gpu = first; gpu < first + perSocket; gpu++) {
            free += cluster.fitsOn(gpu, demand) ? 1 : 0;
        }
        return free;
    }

    private int takeFromSocket(int server, int socket, int wanted) {
        int perSocket = topology.gpusOn(server) / topology.server(server).sockets();
        int first = topology.firstGpu(server) + socket * perSocket;
        int before = count;
        if (demand.gpuMilli() < Demand.WHOLE && cluster.isShared()) {
            while (count - before < wanted && takeTightest(first, first + perSocket, before)) {}
            return count - before;
        }
        for (int gpu = first; gpu < first + perSocket && count - before < wanted; gpu++) {
            if (cluster.owner(gpu) == Cluster.FREE) {
                gpus[count++] = gpu;
            }
        }
        return count - before;
    }

    /** Takes the fullest GPU with enough left, the first of equals; false when there is none. */
    private boolean takeTightest(int first, int end, int before) {
        int best = NOWHERE;
        for (int gpu = first; gpu < end; gpu++) {
            boolean fits = cluster.fitsOn(gpu, demand) && !isTaken(gpu, before);
            if (fits && (best == NOWHERE || cluster.freeMilli(gpu) < cluster.freeMilli(best))) {
                best = gpu;
            }
        }
        if (best != NOWHERE) {
            gpus[count++] = best;
        }
        return best != NOWHERE;
    }

    private boolean isTaken(int gpu, int from) {
        for (int i = from; i < count; i++) {
            if (gpus[i] == gpu) {
                return true;
            }
        }
        return false;
    }

    /** The placement on all GPUs taken; the builder is empty afterwards. */
    public Placement build() {
        if (hostServer != NOWHERE) {
            Placement onHost = Placement.onServer(topology, hostServer);
            forget();
            return onHost;
        }
        Placement placement = isOnOneServer() ? pool.onOneServer(gpus, count) : pool.onServers(gpus, count);
        forget();
        return placement;
    }

    /**
     * The placement of a demand on a GPU or, where that is {@link SimView#NONE}, on a number of servers; the builder is
     * empty before and afterwards.
     *
     * @param server by place from 0 on, the server there
     * @param wanted the GPUs that are taken there
     * @param set which these are, counted within the server; 0 for any
     */
    public Placement build(
            Demand forDemand,
            int gpu,
            int servers,
            IntUnaryOperator server,
            IntUnaryOperator wanted,
            IntToLongFunction set) {
        if (gpu != SimView.NONE) {
            return Placement.of(topology, gpu);
        }
        begin(forDemand);
        for (int i = 0; i < servers; i++) {
            take(server.applyAsInt(i), wanted.applyAsInt(i), set.applyAsLong(i));
        }
        Placement placement = build();
        clear();
        return placement;
    }

    private boolean isOnOneServer() {
        return count > 0 && taken[topology.serverOf(gpus[0])] == count;
    }
}
