package org.trainyard.experiments.watch;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import org.trainyard.env.InputException;

/** The servers of a recording: the GPUs of each are numbered on from those of the server before. */
final class RecordedCluster {
    private final JsonNode tree;
    private final int[] firstGpu;

    /** @param place of the tree, for messages */
    RecordedCluster(String place, JsonNode tree) {
        this.tree = tree;
        JsonNode servers = tree.path("servers");
        if (servers.size() == 0) {
            throw InputException.at(place, "no servers", "the cluster that --record writes");
        }
        firstGpu = new int[servers.size() + 1];
        for (int server = 0; server < servers.size(); server++) {
            firstGpu[server + 1] =
                    firstGpu[server] + servers.get(server).path("gpus").asInt();
        }
    }

    /** The cluster as in the file. */
    JsonNode tree() {
        return tree;
    }

    int gpus() {
        return firstGpu[firstGpu.length - 1];
    }

    int[] gpusOf(int server) {
        int[] gpus = new int[firstGpu[server + 1] - firstGpu[server]];
        Arrays.setAll(gpus, i -> firstGpu[server] + i);
        return gpus;
    }
}
