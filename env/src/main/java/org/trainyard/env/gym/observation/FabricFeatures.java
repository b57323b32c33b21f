package org.trainyard.env.gym.observation;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Links;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;

/**
 * Writes the data centre as an agent sees it: a tree, for {@link Links} bundles the parallel ways of every fabric into one way up.
 *
 * <p>Hubs are the leaf switches (and then the pods) under which the agent has servers, in order, and the core. Every server of the
 * agent, every domain, and every hub but the core is a child: it has one hub above it and a link to that. A domain hangs on the
 * nearest hub that it lies under whole. Who hangs where is found once per topology; what runs over the links, once per version.
 */
final class FabricFeatures {
    /** The bandwidth that is written as 1: NVLink 4 of an H100, 900 GB/s by its data sheet. */
    private static final double BEST_GIGABYTES_PER_SECOND = 900;

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

    /** The leaf switches of the domain that has most. */
    int leaves() {
        return leaves;
    }

    /** The pods of the domain that has most. */
    int pods() {
        return pods;
    }

    /** A bandwidth between 0 and about 1: logarithmic, for a data centre's links differ by a factor of a hundred. */
    static float bandwidth(double bytesPerSecond) {
        return (float) (Math.log1p(bytesPerSecond / 1e9) / Math.log1p(BEST_GIGABYTES_PER_SECOND));
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

    /** One plus the hub of every child of the agent's; 0 where there is no child. */
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

    /** Counts the rings on every contended link, unless nothing has changed since that was done. O(running jobs and their servers). */
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

    /** How many rings pass the server's NIC. */
    int ringsOnNic(SimView view, int server) {
        count(view);
        return rings[server];
    }

    /** Writes the links of all children, then the hubs they hang on, of one agent. */
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

    /** On the uplinks of all racks of the domain; a ring over several of them counts on each. */
    private int ringsOf(int domain) {
        int sum = 0;
        for (int rack = firstRack(domain); rack <= lastRack(domain); rack++) {
            sum += rings[topology.links().rackLink(rack)];
        }
        return sum;
    }
}
