package org.trainyard.agents.learned.auction;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.trainyard.env.gym.auction.BidServers;
import org.trainyard.gnn.cluster.ClusterTree;

class BidInputsTest {
    /** Five servers in two racks: nodes 0 to 4, 5 and 6, and the core, 7. */
    private static final ClusterTree TREE = new ClusterTree(new int[] {0, 0, 0, 1, 1});

    private static BidServers lists(int[]... lists) {
        BidServers servers = new BidServers();
        for (int[] list : lists) {
            servers.begin();
            for (int server : list) {
                servers.add(server);
            }
        }
        return servers;
    }

    @Test
    void inputs_are_means_over_servers_and_over_racks_and_the_core() {
        float[] embeddings = {1, 2, 4, 8, 16, 100, 200, 1000};
        BidInputs inputs = new BidInputs(TREE, 1, null);
        inputs.pool(
                lists(new int[] {}, new int[] {2}, new int[] {0, 1, 4}, new int[] {3, 3, 4}), 0, 4, embeddings, 0, 1);

        assertThat(inputs.values())
                .startsWith(
                        0,
                        0,
                        1000,
                        4,
                        100,
                        1000,
                        1 / 3f + 2 / 3f + 16 / 3f,
                        150,
                        1000,
                        8 / 3f + 8 / 3f + 16 / 3f,
                        200,
                        1000);
    }
}
