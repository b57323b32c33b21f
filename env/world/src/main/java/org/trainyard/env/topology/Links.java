package org.trainyard.env.topology;

/**
 * The links that the rings of different jobs share, by dense index: the NIC of every server, then the uplinks of every
 * rack, then the uplinks of every pod.
 *
 * <p>Each is the only way out of a range of neighbouring servers. A ring therefore uses it exactly when some but not
 * all of its servers are in the range, once in each direction, because a ring visits its servers in order of index.
 * This holds for trees as well as for leaf-spine fabrics, fat-trees and other Clos networks, because the uplinks of a
 * rack to all its spines, and of a pod to all its cores, form one bundle here: one ring gets at most one link of the
 * bundle ({@link #linkBytesPerSecond}), all rings together get the whole bundle ({@link #bytesPerSecond}).
 *
 * <p>Deviations from a real network of that kind: (1) rings spread evenly over the links of a bundle, where ECMP hashes
 * flows and some collide; {@link Fabric#DEFAULT} reduces the bandwidth of a link by the usual loss instead. (2) A ring
 * may use any link of a bundle, even when its spine does not reach the ring's other rack. (3) Spines and cores are
 * non-blocking, so a downlink is full only when the uplink of the same rack or pod is.
 *
 * <p>Uplinks that carry everything the links below can send are never the bottleneck and do not count as contended.
 */
public final class Links {
    private final Topology topology;
    private final int[] first;
    private final int[] end;
    private final double[] bytesPerSecond;
    private final double[] linkBytesPerSecond;
    /** The bandwidth of the links below. */
    private final double[] below;

    Links(Topology topology) {
        this.topology = topology;
        int count = topology.servers() + topology.racks() + topology.pods();
        first = new int[count];
        end = new int[count];
        bytesPerSecond = new double[count];
        linkBytesPerSecond = new double[count];
        below = new double[count];
        for (SwitchGraph.Cable cable : topology.wiring().cables()) {
            addToBundle(cable);
        }
        for (int server = 0; server < topology.servers(); server++) {
            addNic(server, topology.nic(server));
        }
        for (int rack = 0; rack < topology.racks(); rack++) {
            addRack(rack);
        }
        for (int link = topology.servers(); link < count; link++) {
            if (linkBytesPerSecond[link] == 0) {
                // The only rack or pod has no uplinks.
                bytesPerSecond[link] = Double.POSITIVE_INFINITY;
                linkBytesPerSecond[link] = Double.POSITIVE_INFINITY;
            }
        }
    }

    private void addToBundle(SwitchGraph.Cable cable) {
        SwitchGraph wiring = topology.wiring();
        boolean ofRack = wiring.tier(cable.lower()) == SwitchGraph.Tier.LEAF;
        if (ofRack || wiring.podOf(cable.lower()) >= 0) {
            int link = ofRack ? ofRack(cable.lower()) : ofPod(wiring.podOf(cable.lower()));
            bytesPerSecond[link] += cable.bytesPerSecond();
            linkBytesPerSecond[link] =
                    Math.max(linkBytesPerSecond[link], cable.link().bytesPerSecond());
        }
    }

    private void addNic(int server, Link nic) {
        first[server] = server;
        end[server] = server + 1;
        bytesPerSecond[server] = nic.bytesPerSecond();
        linkBytesPerSecond[server] = nic.bytesPerSecond();
        below[server] = Double.POSITIVE_INFINITY;
        below[ofRack(topology.rackOf(server))] += nic.bytesPerSecond();
    }

    private void addRack(int rack) {
        int link = ofRack(rack);
        first[link] = topology.firstServer(rack);
        end[link] = first[link] + topology.serversIn(rack);
        int pod = ofPod(topology.podOf(rack));
        first[pod] = end[pod] == 0 ? first[link] : first[pod];
        end[pod] = end[link];
        below[pod] += Math.min(bytesPerSecond[link], below[link]);
    }

    private int ofRack(int rack) {
        return topology.servers() + rack;
    }

    private int ofPod(int pod) {
        return topology.servers() + topology.racks() + pod;
    }

    /** Number of links. */
    public int count() {
        return first.length;
    }

    /** Bandwidth for all rings together, in each direction; infinite for the uplinks of the only rack or pod. */
    public double bytesPerSecond(int link) {
        return bytesPerSecond[link];
    }

    /** Bandwidth for one ring: that of the widest of the parallel links. */
    public double linkBytesPerSecond(int link) {
        return linkBytesPerSecond[link];
    }

    /** Oversubscription: bandwidth of the links below divided by that of the link; 0 when nothing passes the link. */
    public double oversubscription(int link) {
        return link < topology.servers() ? 1 : below[link] / bytesPerSecond[link];
    }

    private boolean isContended(int link) {
        return bytesPerSecond[link] < below[link];
    }

    /** The uplinks of a rack. */
    public int rackLink(int rack) {
        return ofRack(rack);
    }

    /** The uplinks of a pod. */
    public int podLink(int pod) {
        return ofPod(pod);
    }

    /** The first server below the link. */
    public int firstServer(int link) {
        return first[link];
    }

    /** The first server after those below the link. */
    public int endServer(int link) {
        return end[link];
    }

    /**
     * Writes the contended links that a ring over the placement uses into {@code into}, which must have room for
     * {@link #count()}; NICs in order of server first, then uplinks of racks and pods.
     *
     * @return the number of links; 0 when the placement is on one server
     */
    public int usedBy(Placement placement, int[] into) {
        if (placement.serverCount() == 1) {
            return 0;
        }
        int used = 0;
        for (int i = 0; i < placement.serverCount(); i++) {
            into[used++] = placement.server(i);
        }
        if (placement.span().compareTo(Locality.RACK) > 0) {
            used = addUplinks(placement, into, used, false);
        }
        return placement.span() == Locality.CLUSTER ? addUplinks(placement, into, used, true) : used;
    }

    private int addUplinks(Placement placement, int[] into, int from, boolean ofPods) {
        int used = from;
        int last = -1;
        for (int i = 0; i < placement.serverCount(); i++) {
            int link = uplinkOf(placement.server(i), ofPods);
            if (link != last && isContended(link)) {
                into[used++] = link;
            }
            last = link;
        }
        return used;
    }

    private int uplinkOf(int server, boolean ofPod) {
        int rack = topology.rackOf(server);
        return ofPod ? ofPod(topology.podOf(rack)) : ofRack(rack);
    }

    /** Upper bound on the bandwidth of a ring over the placement: that of the narrowest single link on its way. */
    public double mostFor(Placement placement) {
        double most = Double.POSITIVE_INFINITY;
        for (int i = 0; placement.serverCount() > 1 && i < placement.serverCount(); i++) {
            int server = placement.server(i);
            most = Math.min(most, linkBytesPerSecond[server]);
            if (placement.span().compareTo(Locality.RACK) > 0) {
                most = Math.min(most, linkBytesPerSecond[uplinkOf(server, false)]);
            }
            if (placement.span() == Locality.CLUSTER) {
                most = Math.min(most, linkBytesPerSecond[uplinkOf(server, true)]);
            }
        }
        return most;
    }

    /** Whether a ring over the placement passes the link. O(log servers of the placement). */
    public boolean passes(Placement placement, int link) {
        return firstBelow(placement, link) >= 0;
    }

    /**
     * The placement's first server below the link, or -1 when its ring does not pass the link. O(log servers of the
     * placement).
     */
    public int firstBelow(Placement placement, int link) {
        int ends = placement.serverCount() - 1;
        boolean outside = placement.server(0) < first[link] || placement.server(ends) >= end[link];
        if (!outside || !isContended(link)) {
            return -1;
        }
        int at = placement.indexOf(first[link]);
        int next = at >= 0 ? at : -at - 1;
        return next <= ends && placement.server(next) < end[link] ? placement.server(next) : -1;
    }
}
