package org.trainyard.experiments.service.journal;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.io.JsonText;

/**
 * The registration of a cluster, the first line of its file.
 *
 * @param id by which requests call it
 * @param description with which it was registered: a text, or the name of a preset or file
 * @param topology of the description at registration
 */
public record RegisteredCluster(String id, String description, Topology topology) {
    static final String FORMAT = "trainyard-live-2";

    private record Entry(String format, String cluster, String description, String sha256, JsonNode topology) {}

    JsonNode entry() {
        JsonNode all = TopologyRecord.of(topology);
        return JsonText.tree(new Entry(FORMAT, id, description, TopologyRecord.sha256(all), all));
    }

    /** The registration of an entry; null when it is none, or its topology does not have its hash. */
    static @Nullable RegisteredCluster of(JsonNode entry) {
        JsonNode all = entry.path("topology");
        if (!entry.path("format").asText().equals(FORMAT)
                || !TopologyRecord.sha256(all).equals(entry.path("sha256").asText())) {
            return null;
        }
        return new RegisteredCluster(
                entry.path("cluster").asText(), entry.path("description").asText(), TopologyRecord.read(all));
    }

    /** Differences between the registered topology and that of the description now; empty for none. */
    public List<String> differences(Topology now) {
        return TopologyRecord.of(topology).equals(TopologyRecord.of(now))
                ? List.of()
                : TopologyRecord.differences(topology, now);
    }
}
