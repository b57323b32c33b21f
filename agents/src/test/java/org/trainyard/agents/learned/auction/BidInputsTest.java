package org.trainyard.agents.learned.auction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.ForSeeds;
import org.trainyard.env.RandomStreams;
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

        assertThat(inputs.size()).isEqualTo(3);
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

    @ForSeeds
    void scattering_is_the_transpose_of_pooling(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "test/inputs");
        int hidden = 3;
        int stride = 5;
        float[] embeddings = normal(random, 2 + 7 * stride + hidden);
        BidServers servers = lists(new int[] {4, 0}, new int[] {}, new int[] {1, 3, 3}, new int[] {2});
        BidInputs inputs = new BidInputs(TREE, hidden, null);
        inputs.pool(servers, 1, 3, embeddings, 2, stride);
        float[] slopes = normal(random, 3 * inputs.size());
        System.arraycopy(slopes, 0, inputs.gradient(), 0, slopes.length);
        float[] scattered = new float[embeddings.length];
        inputs.scatter(servers, 1, 3, scattered, 2, stride, null);

        double pooled = 0;
        for (int i = 0; i < slopes.length; i++) {
            pooled += slopes[i] * inputs.values()[i];
        }
        double back = 0;
        for (int i = 0; i < embeddings.length; i++) {
            back += scattered[i] * embeddings[i];
        }
        assertThat(back).isCloseTo(pooled, within(1e-4));
        assertThat(scattered[0]).isZero();
    }

    private static float[] normal(RandomGenerator random, int size) {
        float[] values = new float[size];
        for (int i = 0; i < size; i++) {
            values[i] = (float) random.nextGaussian();
        }
        return values;
    }
}
