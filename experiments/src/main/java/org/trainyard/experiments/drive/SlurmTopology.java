package org.trainyard.experiments.drive;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.trainyard.env.InputException;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.slurm.SlurmSnapshot;

/** The GPU nodes of a Slurm as a cluster under one switch: Slurm does not tell how they are wired. */
final class SlurmTopology {
    private static final String GIGABYTES = "gigabytes_per_second";
    private static final String MICROS = "latency_micros";

    private SlurmTopology() {}

    /** A description of type {@code Graph}, JSON. */
    static String described(SlurmSnapshot snapshot) {
        ObjectNode root = JsonNodeFactory.instance
                .objectNode()
                .put("type", "Graph")
                .put("name", "slurm")
                .put("shape", "clos");
        root.putObject("nvlink").put(GIGABYTES, 150).put(MICROS, 1);
        root.putObject("pcie").put(GIGABYTES, 12).put(MICROS, 2);
        root.putArray("kinds");
        root.putArray("switches").addObject().put("id", "switch").put("tier", "leaf");
        root.putArray("servers");
        root.putArray("links");
        Set<String> kinds = new TreeSet<>();
        for (SlurmSnapshot.Node node : snapshot.nodes().values()) {
            if (node.gpus() == 0) {
                continue;
            }
            String type = node.type().isEmpty() ? "GPU" : node.type().toUpperCase(Locale.ROOT);
            String kind = "%s-%d".formatted(type.toLowerCase(Locale.ROOT), node.gpus());
            if (kinds.add(kind)) {
                root.withArray("kinds").addObject().put("id", kind).set("server", server(node.gpus(), type));
            }
            root.withArray("servers").addObject().put("id", node.name()).put("kind", kind);
            root.withArray("links")
                    .addObject()
                    .put("from", node.name())
                    .put("to", "switch")
                    .put(GIGABYTES, 12.5)
                    .put(MICROS, 5)
                    .put("count", 1);
        }
        if (kinds.isEmpty()) {
            throw InputException.at("sinfo", "no node with GPUs", "nodes with Gres=gpu");
        }
        return JsonText.compact(root);
    }

    private static ObjectNode server(int gpus, String type) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("gpus", gpus)
                .put("gpu_type", type)
                .put("sockets", gpus % 2 == 0 && gpus > 4 ? 2 : 1)
                .put("nvlink", gpus > 1)
                .putNull("cpu_milli")
                .putNull("memory_mib")
                .put("sharing", "whole");
    }
}
