package org.trainyard.experiments.drive;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.GpuType;
import org.trainyard.experiments.io.JsonText;

/** The GPU nodes of a live cluster under one switch: its manager does not tell how they are wired. */
final class SeenTopology {
    private static final String GIGABYTES = "gigabytes_per_second";
    private static final String MICROS = "latency_micros";

    private SeenTopology() {}

    /** A description of type {@code Graph}, JSON. */
    static String described(String name, LiveSnapshot snapshot) {
        ObjectNode root = JsonNodeFactory.instance
                .objectNode()
                .put("type", "Graph")
                .put("name", name)
                .put("shape", "clos");
        root.putObject("nvlink").put(GIGABYTES, 150).put(MICROS, 1);
        root.putObject("pcie").put(GIGABYTES, 12).put(MICROS, 2);
        root.putArray("kinds");
        root.putArray("switches").addObject().put("id", "switch").put("tier", "leaf");
        root.putArray("servers");
        root.putArray("links");
        Set<String> kinds = new TreeSet<>();
        for (LiveSnapshot.Node node : snapshot.nodes().values()) {
            if (node.gpus() == 0) {
                continue;
            }
            String type = type(node.type());
            String kind = "%s-%d".formatted(type.toLowerCase(Locale.ROOT).replaceFirst("=1$", ""), node.gpus());
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
            throw InputException.at(name, "no node with GPUs", "nodes with GPUs");
        }
        return JsonText.compact(root);
    }

    /** A known type of GPU by its label, or one of its own that is as fast as any. */
    private static String type(String label) {
        String name = GpuType.nameIn(label);
        if (GpuType.parse(name) != null) {
            return name;
        }
        String plain = name.replaceAll("[^A-Za-z0-9._-]", "-");
        return (plain.isEmpty() ? "GPU" : plain.substring(0, Math.min(32, plain.length()))) + "=1";
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
