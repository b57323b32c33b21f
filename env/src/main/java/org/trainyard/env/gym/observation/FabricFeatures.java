package org.trainyard.env.gym.observation;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Links;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;

/**
 * Writes the sections {@code links} and {@code parents}: the fabric as a tree, because {@link Links} bundles the
 * parallel uplinks of a switch into one.
 *
 * <p>Hubs are the leaf switches above the agent's servers, then the pods above these, in order, then the core.
 * Every server of the agent, every domain, and every hub but the core is a child: it has one parent hub and an
 * uplink to it. The parent of a domain is the lowest hub above all its servers. The tree is built once per
 * topology, rings are counted once per version of the view.
 */
final class FabricFeatures {
    private final Topology topology;
    private final Domains domains;
    private final int leaves;
    private final int pods;
    private final FabricLink[] ofDomain;
    private final FabricLink[] ofLink;
    private final float[][] parents;
    private final int[] rings;
    private final int[] passed;
    private @Nullable SimView counted;
    private long countedVersion;

    FabricFeatures(Topology topology, Domains domains) {
        this.topology = topology;
        this.domains = domains;
        Links links = topology.links();
        ofLink = new FabricLink[links.count()];
        Arrays.setAll(ofLink, link -> FabricLink.of(links, link));
        ofDomain = new FabricLink[domains.count()];
        Arrays.setAll(
                ofDomain, d -> FabricLink.ofAll(links, links.rackLink(firstRack(d)), links.rackLink(lastRack(d))));
        int mostLeaves = 0;
        int mostPods = 0;
        for (int d = 0; d < domains.count(); d++) {
            mostLeaves = Math.max(mostLeaves, lastRack(d) - firstRack(d) + 1);
            mostPods = Math.max(mostPods, lastPod(d) - firstPod(d) + 1);
        }
        leaves = mostLeaves;
        pods = mostPods;
        parents = new float[domains.count()][];
        Arrays.setAll(parents, this::parentsFor);
        rings = new int[links.count()];
        passed = new int[links.count()];
    }

    /** Most leaf switches of any domain. */
    int leaves() {
        return leaves;
    }

    /** Most pods of any domain. */
    int pods() {
        return pods;
    }

    private int firstRack(int domain) {
        return topology.rackOf(domains.firstServer(domain));
    }

    private int lastRack(int domain) {
        return topology.rackOf(domains.firstServer(domain) + domains.servers(domain) - 1);
    }

    private int firstPod(int domain) {
        return topology.podOf(firstRack(domain));
    }

    private int lastPod(int domain) {
        return topology.podOf(lastRack(domain));
    }

    /** One plus the parent hub of every child in the agent's tree; 0 where there is no child. */
    private float[] parentsFor(int agent) {
        float[] hubs = new float[domains.mostServers() + domains.count() + leaves + pods];
        int first = firstRack(agent);
        for (int s = 0; s < domains.servers(agent); s++) {
            hubs[s] = 1 + topology.rackOf(domains.firstServer(agent) + s) - first;
        }
        int at = domains.mostServers();
        for (int d = 0; d < domains.count(); d++) {
            hubs[at++] = 1 + hubAbove(agent, d);
        }
        for (int rack = first; rack <= lastRack(agent); rack++) {
            hubs[at + rack - first] = 1 + leaves + topology.podOf(rack) - firstPod(agent);
        }
        Arrays.fill(hubs, at + leaves, at + leaves + lastPod(agent) - firstPod(agent) + 1, 1 + leaves + pods);
        return hubs;
    }

    private int hubAbove(int agent, int domain) {
        int rack = firstRack(domain);
        if (rack == lastRack(domain) && rack >= firstRack(agent) && rack <= lastRack(agent)) {
            return rack - firstRack(agent);
        }
        int pod = firstPod(domain);
        if (pod == lastPod(domain) && pod >= firstPod(agent) && pod <= lastPod(agent)) {
            return leaves + pod - firstPod(agent);
        }
        return leaves + pods;
    }

    /** Counts the rings on every contended link, unless the view has not changed. O(running jobs and their servers). */
    private void count(SimView view) {
        if (view == counted && view.version() == countedVersion) {
            return;
        }
        counted = view;
        countedVersion = view.version();
        Arrays.fill(rings, 0);
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            Placement placement = view.placement(job);
            int used = topology.links().usedBy(placement, passed);
            for (int i = 0; i < used; i++) {
                rings[passed[i]]++;
            }
        }
    }

    /** Rings on the server's NIC. */
    int ringsOnNic(SimView view, int server) {
        count(view);
        return rings[server];
    }

    /** Writes the uplinks of all children, then their parents. */
    void write(SimView view, int agent, ObservationSpace spec, float[] out, int row) {
        count(view);
        int at = row + spec.linksAt();
        for (int s = 0; s < domains.servers(agent); s++) {
            int server = domains.firstServer(agent) + s;
            ofLink[server].write(rings[server], out, at + s * ObservationSpace.LINK);
        }
        at += domains.mostServers() * ObservationSpace.LINK;
        for (int d = 0; d < domains.count(); d++, at += ObservationSpace.LINK) {
            ofDomain[d].write(ringsOf(d), out, at);
        }
        for (int rack = firstRack(agent); rack <= lastRack(agent); rack++) {
            int link = topology.links().rackLink(rack);
            ofLink[link].write(rings[link], out, at + (rack - firstRack(agent)) * ObservationSpace.LINK);
        }
        at += leaves * ObservationSpace.LINK;
        for (int pod = firstPod(agent); pod <= lastPod(agent); pod++) {
            int link = topology.links().podLink(pod);
            ofLink[link].write(rings[link], out, at + (pod - firstPod(agent)) * ObservationSpace.LINK);
        }
        System.arraycopy(parents[agent], 0, out, row + spec.parentsAt(), parents[agent].length);
    }

    /** Rings on the uplinks of all racks of the domain; a ring over several racks counts on each. */
    private int ringsOf(int domain) {
        int sum = 0;
        for (int rack = firstRack(domain); rack <= lastRack(domain); rack++) {
            sum += rings[topology.links().rackLink(rack)];
        }
        return sum;
    }
}
