package org.trainyard.env.topology;

/**
 * The links on which the rings of different jobs meet, by dense index: the NIC of every server, then the uplink of every rack, then
 * that of every pod.
 *
 * <p>Each is the only way out of a run of neighbouring servers, so a ring uses it just when some but not all of its servers are in
 * the run; it then passes the link once in each direction, for it visits the servers in order of index. A tier's bandwidth in the
 * {@link Fabric} is taken to be all that one server, rack or pod has. An uplink that carries whatever the links below it can is
 * never the bottleneck, so it is not contended.
 */
public final class Links {
    private final Topology topology;
    private final int[] first;
    private final int[] end;
    private final double[] bytesPerSecond;
    private final boolean[] contended;

    Links(Topology topology) {
        this.topology = topology;
        int count = topology.servers() + topology.racks() + topology.pods();
        first = new int[count];
        end = new int[count];
        bytesPerSecond = new double[count];
        contended = new boolean[count];
        Fabric fabric = topology.fabric();
        for (int server = 0; server < topology.servers(); server++) {
            set(server, server, server + 1, fabric.nic(), Double.POSITIVE_INFINITY);
        }
        for (int rack = 0; rack < topology.racks(); rack++) {
            int from = topology.firstServer(rack);
            int servers = topology.serversIn(rack);
            set(
                    ofRack(rack),
                    from,
                    from + servers,
                    fabric.tor(),
                    servers * fabric.nic().bytesPerSecond());
        }
        for (int rack = 0; rack < topology.racks(); rack++) {
            int pod = ofPod(topology.podOf(rack));
            int from = end[pod] == 0 ? first[ofRack(rack)] : first[pod];
            int racks = rack - topology.rackOf(from) + 1;
            set(
                    pod,
                    from,
                    end[ofRack(rack)],
                    fabric.spine(),
                    racks * fabric.tor().bytesPerSecond());
        }
    }

    private void set(int link, int from, int to, Link kind, double bytesPerSecondBelow) {
        first[link] = from;
        end[link] = to;
        bytesPerSecond[link] = kind.bytesPerSecond();
        contended[link] = kind.bytesPerSecond() < bytesPerSecondBelow;
    }

    private int ofRack(int rack) {
        return topology.servers() + rack;
    }

    private int ofPod(int pod) {
        return topology.servers() + topology.racks() + pod;
    }

    /** How many links there are. */
    public int count() {
        return first.length;
    }

    /** What the link carries in each direction. */
    public double bytesPerSecond(int link) {
        return bytesPerSecond[link];
    }

    /** The first of the servers below the link. */
    public int firstServer(int link) {
        return first[link];
    }

    /** One more than the last of the servers below the link. */
    public int endServer(int link) {
        return end[link];
    }

    /**
     * Writes the contended links that a ring over the placement uses into {@code into}, which must have room for {@link #count()}; NICs
     * in order of server first, then uplinks of racks and pods.
     *
     * @return how many they are; none when the placement is on one server
     */
    public int usedBy(Placement placement, int[] into) {
        if (placement.serverCount() == 1) {
            return 0;
        }
        int used = 0;
        for (int i = 0; i < placement.serverCount(); i++) {
            into[used++] = placement.server(i);
        }
        if (placement.span().compareTo(Span.RACK) > 0) {
            used = addUplinks(placement, into, used, false);
        }
        return placement.span() == Span.CLUSTER ? addUplinks(placement, into, used, true) : used;
    }

    private int addUplinks(Placement placement, int[] into, int from, boolean ofPods) {
        int used = from;
        int last = -1;
        for (int i = 0; i < placement.serverCount(); i++) {
            int rack = topology.rackOf(placement.server(i));
            int link = ofPods ? ofPod(topology.podOf(rack)) : ofRack(rack);
            if (link != last && contended[link]) {
                into[used++] = link;
            }
            last = link;
        }
        return used;
    }

    /** Whether a ring over the placement passes the link. O(log servers of the placement). */
    public boolean passes(Placement placement, int link) {
        int ends = placement.serverCount() - 1;
        boolean outside = placement.server(0) < first[link] || placement.server(ends) >= end[link];
        if (!outside || !contended[link]) {
            return false;
        }
        int at = placement.indexOf(first[link]);
        int next = at >= 0 ? at : -at - 1;
        return next <= ends && placement.server(next) < end[link];
    }
}
