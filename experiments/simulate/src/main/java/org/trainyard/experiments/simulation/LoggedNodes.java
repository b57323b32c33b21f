package org.trainyard.experiments.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.trace.kubernetes.Quantity;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.JsonText;

/** The {@code nodes.json} beside a log, which {@code kubectl get nodes -o json} prints. */
final class LoggedNodes {
    private LoggedNodes() {}

    /**
     * A cluster with the CPU and memory that nodes with GPUs can give to pods, where there are as many with as many
     * GPUs and the cluster does not say its own.
     *
     * @throws InputException when the file is no list of nodes
     */
    static Topology hosts(Topology topology, Path file) {
        List<JsonNode> nodes = new ArrayList<>();
        JsonNode list;
        try {
            list = JsonText.read(InputFiles.text(file));
        } catch (IllegalArgumentException e) {
            throw InputException.at(
                    file.toString(), String.valueOf(e.getMessage()), "what kubectl get nodes -o json prints");
        }
        for (JsonNode node : list.path("items")) {
            if (gpus(node) > 0) {
                nodes.add(node);
            }
        }
        nodes.sort(
                Comparator.comparing(node -> node.path("metadata").path("name").asText(), LoggedServers.IN_ORDER));
        boolean isAs = nodes.size() == topology.servers()
                && IntStream.range(0, nodes.size()).allMatch(at -> gpus(nodes.get(at)) == topology.gpusOn(at));
        return isAs && !new HostDemands(topology).areKnown()
                ? topology.withHosts(
                        nodes.stream()
                                .mapToLong(node -> amount(file, node, "cpu"))
                                .toArray(),
                        nodes.stream()
                                .mapToLong(node -> amount(file, node, "memory") >> 20)
                                .toArray())
                : topology;
    }

    private static long gpus(JsonNode node) {
        long gpus = 0;
        for (Map.Entry<String, JsonNode> one :
                node.path("status").path("allocatable").properties()) {
            gpus += one.getKey().endsWith("/gpu") ? one.getValue().asLong() : 0;
        }
        return gpus;
    }

    private static long amount(Path file, JsonNode node, String resource) {
        JsonNode amount = node.path("status").path("allocatable").path(resource);
        return amount.isMissingNode()
                ? ServerSpec.UNLIMITED
                : Quantity.of(file + ", allocatable." + resource, resource, amount.asText());
    }
}
