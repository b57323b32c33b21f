package org.trainyard.experiments.inspection;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.trainyard.env.topology.Links;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;

/** Counts and bandwidths of a topology, for its report. */
final class TopologyFigures {
    private final Topology topology;
    private final Links links;

    TopologyFigures(Topology topology) {
        this.topology = topology;
        links = topology.links();
    }

    /** How many GPUs there are of each type, by name. */
    Map<String, Integer> gpuTypes() {
        return kinds().entrySet().stream()
                .filter(kind -> kind.getKey().gpus() > 0)
                .collect(Collectors.groupingBy(
                        kind -> kind.getKey().gpuType().name(),
                        TreeMap::new,
                        Collectors.summingInt(kind -> kind.getKey().gpus() * kind.getValue())));
    }

    /** How many servers there are of each kind, in the order in which kinds first appear. */
    Map<ServerSpec, Integer> kinds() {
        return IntStream.range(0, topology.servers())
                .mapToObj(topology::server)
                .collect(Collectors.groupingBy(kind -> kind, LinkedHashMap::new, Collectors.summingInt(kind -> 1)));
    }

    int gpusIn(int rack) {
        return servers(rack).map(topology::gpusOn).sum();
    }

    boolean isMixed(int rack) {
        ServerSpec first = topology.server(topology.firstServer(rack));
        return servers(rack).anyMatch(server -> !topology.server(server).equals(first));
    }

    private IntStream servers(int rack) {
        return IntStream.range(topology.firstServer(rack), topology.firstServer(rack) + topology.serversIn(rack));
    }

    /** Least and greatest oversubscription of the racks; empty with one rack. */
    double[] rackOversubscription() {
        return range(IntStream.range(0, topology.racks()).map(links::rackLink));
    }

    /** Least and greatest oversubscription of the pods; empty with one pod. */
    double[] podOversubscription() {
        return range(IntStream.range(0, topology.pods()).map(links::podLink));
    }

    private double[] range(IntStream bundles) {
        double[] ratios = bundles.mapToDouble(links::oversubscription).sorted().toArray();
        return ratios.length < 2 ? new double[0] : new double[] {ratios[0], ratios[ratios.length - 1]};
    }

    /**
     * Bisection bandwidth in one direction. The halves consist of whole pods, of racks where there is one pod, or of
     * servers where there is one rack; of parts of unequal bandwidth it is half the sum.
     */
    double bisectionBytesPerSecond() {
        if (topology.pods() > 1) {
            return half(IntStream.range(0, topology.pods()).map(links::podLink));
        } else if (topology.racks() > 1) {
            return half(IntStream.range(0, topology.racks()).map(links::rackLink));
        }
        return half(IntStream.range(0, topology.servers()));
    }

    /** Units in the halves of the bisection: pods, racks or servers. */
    String bisected() {
        if (topology.pods() > 1) {
            return "pods";
        }
        return topology.racks() > 1 ? "racks" : "servers";
    }

    /** Half the usable bandwidth of these links; an undersubscribed link carries no more than the links below it. */
    private double half(IntStream bundles) {
        DoubleStream usable =
                bundles.mapToDouble(link -> links.bytesPerSecond(link) * Math.min(1, links.oversubscription(link)));
        return usable.sum() / 2;
    }

    List<Map<String, Object>> kindsJson() {
        List<Map<String, Object>> kinds = new ArrayList<>();
        kinds().forEach((kind, many) -> {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("servers", many);
            row.put("gpus", kind.gpus());
            row.put("gpu_type", kind.gpuType().name());
            row.put("sockets", kind.sockets());
            row.put("nvlink", kind.nvlink());
            if (kind.interior() != null) {
                row.put("interior", InteriorFigures.json(kind.interior()));
            }
            row.put("cpu_milli", kind.cpuMilli() == ServerSpec.UNLIMITED ? null : kind.cpuMilli());
            row.put("memory_mib", kind.memoryMib() == ServerSpec.UNLIMITED ? null : kind.memoryMib());
            row.put("sharing", kind.sharing().label());
            kinds.add(row);
        });
        return kinds;
    }

    List<Map<String, Object>> racksJson() {
        List<Map<String, Object>> racks = new ArrayList<>();
        for (int rack = 0; rack < topology.racks(); rack++) {
            ServerSpec server = topology.server(topology.firstServer(rack));
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("rack", rack);
            row.put("name", topology.wiring().name(rack));
            row.put("pod", topology.podOf(rack));
            row.put("servers", topology.serversIn(rack));
            row.put("gpus", gpusIn(rack));
            row.put("mixed", isMixed(rack));
            row.put("gpu_type", server.gpuType().name());
            row.put("sockets", server.sockets());
            row.put("nvlink", server.nvlink());
            row.put("oversubscription", links.oversubscription(links.rackLink(rack)));
            racks.add(row);
        }
        return racks;
    }
}
