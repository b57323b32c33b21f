package org.trainyard.env.topology;

import java.util.Arrays;

/**
 * The GPUs that one job holds, whole or in part, sorted, and how they lie on servers; of a job of the host alone, the server.
 * Immutable; a class rather than a record because it holds arrays.
 */
public final class Placement {
    private final int[] gpus;
    private final int[] servers;
    private final long[] masks;
    private final long[] sockets;
    private final Span span;

    private Placement(int[] gpus, int[] servers, long[] masks, long[] sockets, Span span) {
        this.gpus = gpus;
        this.servers = servers;
        this.masks = masks;
        this.sockets = sockets;
        this.span = span;
    }

    /** A placement on the given GPUs, in any order. O(n log n). */
    public static Placement of(Topology topology, int... gpus) {
        if (gpus.length == 0) {
            throw new IllegalArgumentException("a placement needs at least one GPU");
        }
        int[] sorted = gpus.clone();
        Arrays.sort(sorted);
        if (sorted[0] < 0 || sorted[sorted.length - 1] >= topology.gpus()) {
            throw new IllegalArgumentException("GPUs %s are not all among the %d of the topology"
                    .formatted(Arrays.toString(sorted), topology.gpus()));
        }
        int[] servers = new int[sorted.length];
        long[] masks = new long[sorted.length];
        long[] sockets = new long[sorted.length];
        int used = 0;
        for (int i = 0; i < sorted.length; i++) {
            if (i > 0 && sorted[i] == sorted[i - 1]) {
                throw new IllegalArgumentException("GPU (%d) appears twice".formatted(sorted[i]));
            }
            int server = topology.serverOf(sorted[i]);
            if (used == 0 || servers[used - 1] != server) {
                servers[used++] = server;
            }
            masks[used - 1] |= 1L << (sorted[i] - topology.firstGpu(server));
            sockets[used - 1] |= 1L << topology.socketOf(sorted[i]);
        }
        servers = Arrays.copyOf(servers, used);
        sockets = Arrays.copyOf(sockets, used);
        return new Placement(
                sorted, servers, Arrays.copyOf(masks, used), sockets, spanOf(topology, sorted, servers, sockets));
    }

    /** The placement of a job without GPUs. */
    public static Placement onServer(Topology topology, int server) {
        if (server < 0 || server >= topology.servers()) {
            throw new IllegalArgumentException(
                    "server (%d) is not among the %d of the topology".formatted(server, topology.servers()));
        }
        return new Placement(new int[0], new int[] {server}, new long[1], new long[1], Span.GPU);
    }

    private static Span spanOf(Topology topology, int[] gpus, int[] servers, long[] sockets) {
        if (gpus.length == 1) {
            return Span.GPU;
        }
        if (servers.length == 1) {
            return Long.bitCount(sockets[0]) == 1 ? Span.SOCKET : Span.SERVER;
        }
        // Servers are sorted and racks and pods are contiguous, so the two ends span the whole.
        return topology.span(servers[0], servers[servers.length - 1]);
    }

    public int gpuCount() {
        return gpus.length;
    }

    /** The i-th GPU, in increasing order. */
    public int gpu(int i) {
        return gpus[i];
    }

    public int serverCount() {
        return servers.length;
    }

    /** The i-th server used, in increasing order. */
    public int server(int i) {
        return servers[i];
    }

    /** The position of a server among those used, or a negative number when it is not used. O(log servers). */
    public int indexOf(int server) {
        return Arrays.binarySearch(servers, server);
    }

    /** How many GPUs are on the i-th server used. */
    public int gpusOn(int i) {
        return Long.bitCount(masks[i]);
    }

    /** The GPUs held on the i-th server used, as a bit set counted within the server. */
    public long maskOn(int i) {
        return masks[i];
    }

    /** The sockets used on the i-th server used, as a bit set. */
    public long socketsOn(int i) {
        return sockets[i];
    }

    public Span span() {
        return span;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Placement placement
                && Arrays.equals(gpus, placement.gpus)
                && Arrays.equals(servers, placement.servers);
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
