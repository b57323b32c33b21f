package org.trainyard.agents.learned.auction;

import org.trainyard.env.gym.auction.BidServers;
import org.trainyard.gnn.cluster.ClusterTree;

/** The racks of the servers of a bid, each once, in the order of the bid's list of servers. */
public final class BidRacks {
    private final ClusterTree tree;
    /** By rack, the last bid, counted over all calls, that has it; and the racks of the present bid. */
    private final long[] seen;

    private final int[] racks;
    private long bids;

    public BidRacks(ClusterTree tree) {
        this.tree = tree;
        seen = new long[tree.racks()];
        racks = new int[tree.racks()];
    }

    /** Lists the racks of a bid; returns how many there are. O(servers of the bid). */
    public int list(BidServers servers, int bid) {
        int count = 0;
        bids++;
        for (int i = servers.first(bid); i < servers.end(bid); i++) {
            int rack = tree.rackOf(servers.server(i));
            if (seen[rack] != bids) {
                seen[rack] = bids;
                racks[count++] = rack;
            }
        }
        return count;
    }

    /** The number of the node of the i-th rack that was listed. */
    public int node(int i) {
        return tree.servers() + racks[i];
    }
}
