package org.trainyard.env.topology;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Bandwidth and latency of rings inside the servers of a topology, by set of GPUs of a server. A server without an
 * interior of its own has the fabric's NVLink or PCIe between all GPUs.
 */
public final class InsideLinks {
    private static final double GIGA = 1e9;

    private final Link nvlink;
    private final Link pcie;
    private final ServerSpec[] servers;
    private final ServerInterior[] interiors;
    /** The fabric's link inside each server without an interior of its own; null for the others. */
    private final @Nullable Link[] plain;

    private final boolean arePlain;
    /** By size of a set, the bandwidth of the best of all servers, and of the worst, GB/s. */
    private final double[] best;

    private final double[] worst;

    InsideLinks(Fabric fabric, ServerSpec[] servers, int widest) {
        nvlink = fabric.nvlink();
        pcie = fabric.pcie();
        this.servers = servers;
        interiors = new ServerInterior[servers.length];
        plain = new @Nullable Link[servers.length];
        Map<ServerSpec, ServerInterior> known = new HashMap<>();
        boolean all = true;
        for (int server = 0; server < servers.length; server++) {
            if (servers[server].interior() == null) {
                plain[server] = plain(servers[server]);
            } else {
                all = false;
            }
            interiors[server] = known.computeIfAbsent(servers[server], this::interior);
        }
        arePlain = all;
        best = new double[widest + 1];
        worst = new double[widest + 1];
        findExtremes();
    }

    /** Links of the same servers with other bandwidths, or with none of their own. */
    private InsideLinks(InsideLinks truth, @Nullable RingBelief belief) {
        nvlink = truth.nvlink;
        pcie = truth.pcie;
        servers = truth.servers;
        interiors = truth.interiors.clone();
        plain = truth.plain.clone();
        Map<ServerInterior, ServerInterior> known = new HashMap<>();
        for (int server = 0; server < interiors.length; server++) {
            if (belief == null) {
                plain[server] = plain(servers[server]);
            } else if (plain[server] == null) {
                interiors[server] = known.computeIfAbsent(interiors[server], own -> own.believed(belief));
            }
        }
        arePlain = truth.arePlain || belief == null;
        best = new double[truth.best.length];
        worst = new double[truth.worst.length];
        findExtremes();
    }

    /** Returns the links with believed bandwidths on servers with an interior of their own, whose links are seen. */
    InsideLinks believed(RingBelief belief) {
        return new InsideLinks(this, belief);
    }

    /** Returns the links as seen without any interior: every server has NVLink or PCIe between all of its GPUs. */
    InsideLinks untold() {
        return new InsideLinks(this, null);
    }

    private void findExtremes() {
        Arrays.fill(worst, Double.POSITIVE_INFINITY);
        Set<ServerInterior> distinct = Collections.newSetFromMap(new IdentityHashMap<>());
        distinct.addAll(Arrays.asList(interiors));
        for (ServerInterior interior : distinct) {
            for (int size = 2; size <= interior.gpus(); size++) {
                best[size] = Math.max(best[size], interior.ring(interior.widest(size)));
                worst[size] = Math.min(worst[size], interior.ring(interior.narrowest(size)));
            }
        }
    }

    private Link plain(ServerSpec spec) {
        return spec.nvlink() ? nvlink : pcie;
    }

    private ServerInterior interior(ServerSpec spec) {
        ServerInterior own = spec.interior();
        if (own != null) {
            return own;
        }
        double bandwidth = spec.nvlink() ? nvlink.bytesPerSecond() / GIGA : 0;
        return ServerInterior.uniform(
                spec.nvlink() ? "nvlink" : "pcie",
                new ServerInterior.Board(spec.gpus(), spec.sockets(), spec.sockets(), 0),
                bandwidth,
                ServerInterior.Pcie.flat(pcie.bytesPerSecond() / GIGA));
    }

    /** Whether no server has an interior of its own: then which GPUs of a server a job has does not matter. */
    public boolean arePlain() {
        return arePlain;
    }

    /** The links between the GPUs of a server. */
    public ServerInterior of(int server) {
        return interiors[server];
    }

    /** Bandwidth of a ring over a set of at least two GPUs of one server. */
    public double bytesPerSecond(int server, long mask) {
        Link link = plain[server];
        return link != null ? link.bytesPerSecond() : interiors[server].ring(mask) * GIGA;
    }

    /** Latency of a ring over a set of at least two GPUs of one server. */
    public long latencyNanos(int server, long mask) {
        Link link = plain[server];
        if (link == null) {
            link = interiors[server].overNvlink(mask) ? nvlink : pcie;
        }
        return link.latencyNanos();
    }

    /** Bandwidth between two GPUs of a server, counted within it. */
    public double bytesPerSecond(int server, int gpuA, int gpuB) {
        Link link = plain[server];
        return link != null ? link.bytesPerSecond() : bytesPerSecond(server, 1L << gpuA | 1L << gpuB);
    }

    /**
     * The most that the part of a ring on one of several servers lets through: that of the ring over its GPUs there,
     * and of the way to the NIC, which leads to another socket when no GPU is at the NIC's. Unlimited without an
     * interior of its own.
     */
    public double throughBytesPerSecond(int server, long mask) {
        if (plain[server] != null) {
            return Double.POSITIVE_INFINITY;
        }
        ServerInterior interior = interiors[server];
        double least = interior.pcie().acrossSockets();
        for (long left = mask; left != 0; left &= left - 1) {
            if (interior.socketOf(Long.numberOfTrailingZeros(left)) == interior.nicSocket()) {
                least = interior.pcie().withinSocket();
            }
        }
        return GIGA * (Long.bitCount(mask) > 1 ? Math.min(least, interior.ring(mask)) : least);
    }

    /** The widest ring over so many GPUs of any server, GB/s; 0 when no server has so many, or for fewer than two. */
    public double best(int gpus) {
        return gpus < best.length ? best[gpus] : 0;
    }

    /** The narrowest ring over so many GPUs of any server, GB/s; infinite when no server has so many. */
    public double worst(int gpus) {
        return gpus < worst.length ? worst[gpus] : Double.POSITIVE_INFINITY;
    }

    /** Whether a server has an interior of its own: then its sets of GPUs differ. */
    public boolean hasOwn(int server) {
        return plain[server] == null;
    }
}
