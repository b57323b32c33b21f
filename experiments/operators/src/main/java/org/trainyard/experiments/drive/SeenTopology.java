package org.trainyard.experiments.drive;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.GpuType;
import org.trainyard.experiments.io.JsonText;

/** The GPU nodes of a live cluster under one switch: its manager does not tell how they are wired. */
final class SeenTopology {
    private static final String SWITCH = "switch";

    private SeenTopology() {}

    private record Graph(
            String type,
            String name,
            String shape,
            Wire nvlink,
            Wire pcie,
            Collection<Kind> kinds,
            List<Switch> switches,
            List<Server> servers,
            List<Cable> links) {}

    private record Wire(int gigabytesPerSecond, int latencyMicros) {}

    private record Kind(String id, Interior server) {}

    private record Interior(
            int gpus,
            String gpuType,
            int sockets,
            boolean nvlink,
            @Nullable Integer cpuMilli,
            @Nullable Integer memoryMib,
            String sharing) {
        Interior(int gpus, String type) {
            this(gpus, type, gpus % 2 == 0 && gpus > 4 ? 2 : 1, gpus > 1, null, null, "whole");
        }
    }

    private record Switch(String id, String tier) {}

    private record Server(String id, String kind) {}

    private record Cable(String from, String to, double gigabytesPerSecond, int latencyMicros, int count) {}

    /** A description of type {@code Graph}, JSON. */
    static String described(String name, LiveSnapshot snapshot) {
        Map<String, Kind> kinds = new LinkedHashMap<>();
        List<Server> servers = new ArrayList<>();
        List<Cable> links = new ArrayList<>();
        for (LiveSnapshot.Node node : snapshot.nodes().values()) {
            if (node.gpus() > 0) {
                String type = type(node.type());
                String kind = "%s-%d".formatted(type.toLowerCase(Locale.ROOT).replaceFirst("=1$", ""), node.gpus());
                kinds.putIfAbsent(kind, new Kind(kind, new Interior(node.gpus(), type)));
                servers.add(new Server(node.name(), kind));
                links.add(new Cable(node.name(), SWITCH, 12.5, 5, 1));
            }
        }
        if (kinds.isEmpty()) {
            throw InputException.at(name, "no node with GPUs", "nodes with GPUs");
        }
        return JsonText.compact(new Graph(
                "Graph",
                name,
                "clos",
                new Wire(150, 1),
                new Wire(12, 2),
                kinds.values(),
                List.of(new Switch(SWITCH, "leaf")),
                servers,
                links));
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
}
