package org.trainyard.experiments.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.trainyard.env.topology.Link;
import org.trainyard.env.topology.LinkClass;
import org.trainyard.env.topology.Routes;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;

/** What {@code inspect} says of a topology: servers, racks, links, and a route of every length. */
final class TopologyReport {
    private final Topology topology;

    TopologyReport(Topology topology) {
        this.topology = topology;
    }

    void print(PrintWriter out) {
        out.println("%s: %d GPUs on %d servers in %d racks in %d pods"
                .formatted(topology.name(), topology.gpus(), topology.servers(), topology.racks(), topology.pods()));
        out.println();
        Table racks = new Table("rack", "pod", "servers", "GPUs", "server");
        for (int rack = 0; rack < topology.racks(); rack++) {
            racks.add(
                    Integer.toString(rack),
                    Integer.toString(topology.podOf(rack)),
                    Integer.toString(topology.serversIn(rack)),
                    Integer.toString(gpusIn(rack)),
                    describe(topology.server(topology.firstServer(rack))));
        }
        racks.print(out);
        out.println();
        Table links = new Table("link", "GB/s", "microseconds");
        for (LinkClass tier : LinkClass.values()) {
            Link link = topology.fabric().of(tier);
            links.add(name(tier), number(link.bytesPerSecond() / 1e9), number(link.latencyNanos() / 1e3));
        }
        links.print(out);
        out.println();
        Table routes = new Table("route", "GB/s", "microseconds", "links");
        for (int server : samples()) {
            Routes.Route route = topology.routes().between(0, server);
            routes.add(
                    "server 0 to %d".formatted(server),
                    number(route.bytesPerSecond() / 1e9),
                    number(route.latencyNanos() / 1e3),
                    String.join(
                            " ",
                            route.tiers().stream().map(TopologyReport::name).toList()));
        }
        routes.print(out);
    }

    Map<String, Object> json() {
        Map<String, Object> links = new LinkedHashMap<>();
        for (LinkClass tier : LinkClass.values()) {
            Link link = topology.fabric().of(tier);
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("gigabytes_per_second", link.bytesPerSecond() / 1e9);
            row.put("latency_micros", link.latencyNanos() / 1e3);
            links.put(name(tier), row);
        }
        List<Map<String, Object>> racks = new ArrayList<>();
        for (int rack = 0; rack < topology.racks(); rack++) {
            ServerSpec server = topology.server(topology.firstServer(rack));
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("rack", rack);
            row.put("pod", topology.podOf(rack));
            row.put("servers", topology.serversIn(rack));
            row.put("gpus", gpusIn(rack));
            row.put("gpu_type", server.gpuType().name());
            row.put("sockets", server.sockets());
            row.put("nvlink", server.nvlink());
            racks.add(row);
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", topology.name());
        json.put("gpus", topology.gpus());
        json.put("servers", topology.servers());
        json.put("pods", topology.pods());
        json.put("racks", racks);
        json.put("links", links);
        return json;
    }

    /** The last server that each span reaches from server 0. */
    private List<Integer> samples() {
        Map<Object, Integer> farthest = new LinkedHashMap<>();
        for (int server = 1; server < topology.servers(); server++) {
            farthest.put(topology.span(0, server), server);
        }
        return List.copyOf(farthest.values());
    }

    private int gpusIn(int rack) {
        int gpus = 0;
        for (int i = 0; i < topology.serversIn(rack); i++) {
            gpus += topology.gpusOn(topology.firstServer(rack) + i);
        }
        return gpus;
    }

    private static String describe(ServerSpec server) {
        return "%d x %s on %d sockets, %s"
                .formatted(
                        server.gpus(), server.gpuType().name(), server.sockets(), server.nvlink() ? "NVLink" : "PCIe");
    }

    private static String name(LinkClass tier) {
        return tier.name().toLowerCase(Locale.ROOT);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.4g", value)
                .replaceAll("(\\.\\d*?)0+$", "$1")
                .replaceAll("\\.$", "");
    }
}
