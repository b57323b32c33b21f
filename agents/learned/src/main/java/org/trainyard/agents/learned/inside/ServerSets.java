package org.trainyard.agents.learned.inside;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import org.trainyard.env.gym.auction.ClusterGraph;
import org.trainyard.env.topology.ServerInterior;
import org.trainyard.gnn.cluster.GpuSetTable;
import org.trainyard.gnn.cluster.LinkMatrix;

/** The embeddings of sets of GPUs by server of one cluster. */
public final class ServerSets {
    private final GpuSetTable table;
    private final int[] interior;

    /** @param links by server; equal ones are the same object */
    public ServerSets(GpuSetTable table, LinkMatrix[] links) {
        this.table = table;
        interior = new int[links.length];
        IdentityHashMap<LinkMatrix, Integer> numbers = new IdentityHashMap<>();
        for (int server = 0; server < links.length; server++) {
            interior[server] = numbers.computeIfAbsent(links[server], table::number);
        }
    }

    /** By server of a cluster, its links; equal ones are the same object. */
    public static LinkMatrix[] links(ClusterGraph graph) {
        Map<ServerInterior, LinkMatrix> known = new HashMap<>();
        LinkMatrix[] links = new LinkMatrix[graph.rackOf().length];
        for (int server = 0; server < links.length; server++) {
            links[server] = known.computeIfAbsent(graph.interior(server), LinkMatrix::new);
        }
        return links;
    }

    /** Values of an embedding. */
    public int size() {
        return table.size();
    }

    /** The embedding of a set of GPUs of a server, all 0 for none; not to be changed. */
    public float[] of(int server, long gpus) {
        return table.embedding(interior[server], gpus);
    }
}
