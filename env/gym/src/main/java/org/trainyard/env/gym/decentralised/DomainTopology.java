package org.trainyard.env.gym.decentralised;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trainyard.env.topology.Link;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.SwitchGraph;
import org.trainyard.env.topology.Topology;

/** The servers of one domain as a data centre of their own, with the switches that join its racks. */
final class DomainTopology {
    private DomainTopology() {}

    /** The servers {@code first .. end - 1}, in their order; racks that lie in part in the domain are smaller there. */
    static Topology of(Topology whole, int first, int end, String name) {
        Topology.Builder builder = new Topology.Builder(name, whole.fabric());
        List<String> names = new ArrayList<>();
        int firstRack = whole.rackOf(first);
        int lastRack = whole.rackOf(end - 1);
        for (int rack = firstRack; rack <= lastRack; rack++) {
            List<ServerSpec> servers = new ArrayList<>();
            List<Link> nics = new ArrayList<>();
            int from = Math.max(first, whole.firstServer(rack));
            for (int server = from; server < end && whole.rackOf(server) == rack; server++) {
                servers.add(whole.server(server));
                nics.add(whole.nic(server));
                names.add(whole.serverName(server));
            }
            builder.rack(servers, nics, 1);
        }
        return builder.serverNames(names)
                .wiring(wiring(whole.wiring(), firstRack, lastRack))
                .build();
    }

    /** The switches above the racks of a domain that one of them reaches from below. */
    private static SwitchGraph wiring(SwitchGraph whole, int firstRack, int lastRack) {
        int[] number = new int[whole.switches()];
        Arrays.fill(number, -1);
        SwitchGraph.Builder part = new SwitchGraph.Builder();
        for (int rack = firstRack; rack <= lastRack; rack++) {
            number[rack] = part.add(SwitchGraph.Tier.LEAF, whole.name(rack));
        }
        for (SwitchGraph.Tier tier : List.of(SwitchGraph.Tier.SPINE, SwitchGraph.Tier.CORE)) {
            for (SwitchGraph.Cable cable : whole.cables()) {
                if (whole.tier(cable.upper()) == tier && number[cable.lower()] >= 0) {
                    if (number[cable.upper()] < 0) {
                        number[cable.upper()] = part.add(tier, whole.name(cable.upper()));
                    }
                    part.join(number[cable.lower()], number[cable.upper()], cable.link(), cable.count());
                }
            }
        }
        return part.build();
    }
}
