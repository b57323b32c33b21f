package org.trainyard.env.topology;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The links of a data centre with one kind of link per tier and shortest possible paths between racks: through one
 * spine within a pod, through one core between pods. Routes then depend only on the locality of their ends.
 *
 * @param tor leaf to spine; null when there is no such cable
 * @param spine spine to core; null when there is no such cable
 */
record UniformFabric(Link nic, @Nullable Link tor, @Nullable Link spine) {
    /** The uniform links of the topology, or null when it is not uniform. O(servers + cables). */
    static @Nullable UniformFabric of(Topology topology) {
        Link nic = topology.nic(0);
        for (int server = 1; server < topology.servers(); server++) {
            if (!topology.nic(server).equals(nic)) {
                return null;
            }
        }
        SwitchGraph wiring = topology.wiring();
        Link tor = null;
        Link spine = null;
        for (SwitchGraph.Cable cable : wiring.cables()) {
            boolean fromLeaf = wiring.tier(cable.lower()) == SwitchGraph.Tier.LEAF;
            Link before = fromLeaf ? tor : spine;
            if (before != null && !before.equals(cable.link())) {
                return null;
            }
            tor = fromLeaf ? cable.link() : tor;
            spine = fromLeaf ? spine : cable.link();
        }
        return isNear(topology) ? new UniformFabric(nic, tor, spine) : null;
    }

    /** Whether every pod has a spine joined to all its leaves, and one core is joined to such a spine of every pod. */
    private static boolean isNear(Topology topology) {
        SwitchGraph wiring = topology.wiring();
        int[] leavesIn = new int[wiring.pods()];
        for (int rack = 0; rack < topology.racks(); rack++) {
            leavesIn[wiring.podOf(rack)]++;
        }
        int[] leavesOf = new int[wiring.switches()];
        for (SwitchGraph.Cable cable : wiring.cables()) {
            leavesOf[cable.upper()] += wiring.tier(cable.lower()) == SwitchGraph.Tier.LEAF ? 1 : 0;
        }
        Set<Integer> covered = new HashSet<>();
        for (int i = topology.racks(); i < wiring.switches(); i++) {
            if (seesAll(wiring, i, leavesOf, leavesIn)) {
                covered.add(wiring.podOf(i));
            }
        }
        for (int pod = 0; pod < wiring.pods(); pod++) {
            if (leavesIn[pod] > 1 && !covered.contains(pod)) {
                return false;
            }
        }
        return wiring.pods() == 1 || oneCoreSeesAll(wiring, leavesOf, leavesIn);
    }

    private static boolean seesAll(SwitchGraph wiring, int spine, int[] leavesOf, int[] leavesIn) {
        int pod = wiring.podOf(spine);
        return wiring.tier(spine) == SwitchGraph.Tier.SPINE && pod >= 0 && leavesOf[spine] == leavesIn[pod];
    }

    private static boolean oneCoreSeesAll(SwitchGraph wiring, int[] leavesOf, int[] leavesIn) {
        int[] podsOf = new int[wiring.switches()];
        Set<Long> counted = new HashSet<>();
        for (SwitchGraph.Cable cable : wiring.cables()) {
            if (seesAll(wiring, cable.lower(), leavesOf, leavesIn)
                    && counted.add((long) cable.upper() << 32 | wiring.podOf(cable.lower()))) {
                podsOf[cable.upper()]++;
            }
        }
        for (int pods : podsOf) {
            if (pods == wiring.pods()) {
                return true;
            }
        }
        return false;
    }
}
