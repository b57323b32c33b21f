package org.trainyard.env.topology;

import java.util.Arrays;

/**
 * The GPUs of one job, sorted, and their distribution over servers and sockets; for a job without GPUs, its server.
 * Immutable; a class rather than a record because it holds arrays.
 */
public final class Placement {
    private final int[] gpus;
    private final int[] servers;
    private final long[] masks;
    private final long[] sockets;
    private int serverCount;
    private Locality span = Locality.GPU;

    /** An empty placement, for {@link #fill}. */
    Placement(int gpuCount) {
        gpus = new int[gpuCount];
        int most = Math.max(1, gpuCount);
        servers = new int[most];
        masks = new long[most];
        sockets = new long[most];
    }

    /** A placement on the given GPUs, in any order. O(n log n). */
    public static Placement of(Topology topology, int... gpus) {
        Placement placement = new Placement(gpus.length);
        placement.fill(topology, gpus);
        return placement;
    }

    /** Sets the GPUs: as many as the placement has, from the beginning of the array. */
    void fill(Topology topology, int[] from) {
        if (gpus.length == 0) {
            throw new IllegalArgumentException("a placement needs at least one GPU");
        }
        System.arraycopy(from, 0, gpus, 0, gpus.length);
        Arrays.sort(gpus);
        if (gpus[0] < 0 || gpus[gpus.length - 1] >= topology.gpus()) {
            throw new IllegalArgumentException("GPUs %s are not all among the %d of the topology"
                    .formatted(Arrays.toString(gpus), topology.gpus()));
        }
        serverCount = 0;
        for (int i = 0; i < gpus.length; i++) {
            if (i > 0 && gpus[i] == gpus[i - 1]) {
                throw new IllegalArgumentException("GPU (%d) appears twice".formatted(gpus[i]));
            }
            int server = topology.serverOf(gpus[i]);
            if (serverCount == 0 || servers[serverCount - 1] != server) {
                servers[serverCount] = server;
                masks[serverCount] = 0;
                sockets[serverCount++] = 0;
            }
            masks[serverCount - 1] |= 1L << (gpus[i] - topology.firstGpu(server));
            sockets[serverCount - 1] |= 1L << topology.socketOf(gpus[i]);
        }
        span = spanOf(topology);
    }

    /** The placement of a job without GPUs. */
    public static Placement onServer(Topology topology, int server) {
        if (server < 0 || server >= topology.servers()) {
            throw new IllegalArgumentException(
                    "server (%d) is not among the %d of the topology".formatted(server, topology.servers()));
        }
        Placement placement = new Placement(0);
        placement.servers[0] = server;
        placement.serverCount = 1;
        return placement;
    }

    private Locality spanOf(Topology topology) {
        if (gpus.length == 1) {
            return Locality.GPU;
        }
        if (serverCount == 1) {
            return Long.bitCount(sockets[0]) == 1 ? Locality.SOCKET : Locality.SERVER;
        }
        // Servers are sorted, and racks and pods contiguous: the locality of the first and the last server is that of
        // all.
        return topology.span(servers[0], servers[serverCount - 1]);
    }

    public int gpuCount() {
        return gpus.length;
    }

    /** The i-th GPU, in increasing order. */
    public int gpu(int i) {
        return gpus[i];
    }

    public int serverCount() {
        return serverCount;
    }

    /** The i-th server used, in increasing order. */
    public int server(int i) {
        return servers[i];
    }

    /**
     * The index of a server among those used, or {@code -1 - index} of its insertion point as in a binary search. O(log
     * servers).
     */
    public int indexOf(int server) {
        if (serverCount == 1 && servers[0] == server) {
            return 0;
        }
        return Arrays.binarySearch(servers, 0, serverCount, server);
    }

    /** Number of GPUs on the i-th server used. */
    public int gpusOn(int i) {
        return Long.bitCount(masks[i]);
    }

    /** The GPUs held on the i-th server used, as a bit set counted within the server. */
    public long maskOn(int i) {
        return masks[i];
    }

    /** Whether two placements have a GPU of a server in common that both use. */
    public boolean sharesGpuOn(int server, Placement other) {
        return (maskOn(indexOf(server)) & other.maskOn(other.indexOf(server))) != 0;
    }

    /** The sockets used on the i-th server used, as a bit set. */
    public long socketsOn(int i) {
        return sockets[i];
    }

    public Locality span() {
        return span;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Placement placement
                && Arrays.equals(gpus, placement.gpus)
                && servers[0] == placement.servers[0];
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(gpus);
    }

    @Override
    public String toString() {
        return gpus.length > 0 ? Arrays.toString(gpus) : "server " + servers[0];
    }
}
