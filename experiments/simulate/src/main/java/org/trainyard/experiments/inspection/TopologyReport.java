package org.trainyard.experiments.inspection;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.trainyard.env.topology.Link;
import org.trainyard.env.topology.LinkClass;
import org.trainyard.env.topology.Routes;
import org.trainyard.env.topology.ServerInterior;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.SwitchGraph;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.io.TextTable;

/** Kinds of servers, racks, switches, links, bottlenecks, and one route of each locality. */
public final class TopologyReport implements Report {
    private final Topology topology;
    private final TopologyFigures figures;

    public TopologyReport(Topology topology) {
        this.topology = topology;
        figures = new TopologyFigures(topology);
    }

    @Override
    public void print(PrintWriter out) {
        out.println("%s: %d GPUs on %d servers in %d racks in %d pods"
                .formatted(topology.name(), topology.gpus(), topology.servers(), topology.racks(), topology.pods()));
        out.println("switches: %d leaf, %d spine, %d core"
                .formatted(count(SwitchGraph.Tier.LEAF), count(SwitchGraph.Tier.SPINE), count(SwitchGraph.Tier.CORE)));
        if (!topology.serverName(0).equals("server 0")) {
            int last = topology.servers() - 1;
            out.println("servers are called %s to %s".formatted(topology.serverName(0), topology.serverName(last)));
        }
        out.println("GPU types: %s".formatted(figures.gpuTypes()));
        out.println();
        printServers(out);
        printRacks(out);
        printLinks(out);
        printBottlenecks(out);
        printRoutes(out);
    }

    private int count(SwitchGraph.Tier tier) {
        return topology.wiring().count(tier);
    }

    private void printServers(PrintWriter out) {
        TextTable servers = new TextTable("servers", "how many", "CPU", "memory", "GPUs are given out");
        figures.kinds()
                .forEach((kind, many) -> servers.add(
                        describe(kind),
                        Integer.toString(many),
                        kind.cpuMilli() == ServerSpec.UNLIMITED
                                ? "unlimited"
                                : number(kind.cpuMilli() / 1e3) + " cores",
                        kind.memoryMib() == ServerSpec.UNLIMITED
                                ? "unlimited"
                                : number(kind.memoryMib() / 1024.0) + " GiB",
                        kind.sharing().name().toLowerCase(Locale.ROOT)));
        servers.print(out);
        out.println();
        figures.kinds().keySet().stream()
                .map(ServerSpec::interior)
                .filter(Objects::nonNull)
                .distinct()
                .forEach(interior -> printInterior(out, interior));
    }

    private static void printInterior(PrintWriter out, ServerInterior interior) {
        TextTable sets = new TextTable("GPUs of a set", "sets of GB/s in interior " + interior);
        InteriorFigures.rings(interior)
                .forEach((size, counts) -> sets.add(Integer.toString(size), InteriorFigures.text(counts)));
        sets.print(out);
        out.println();
    }

    /** Consecutive racks that are equal share a row. */
    private void printRacks(PrintWriter out) {
        TextTable racks = new TextTable("rack", "pod", "servers", "GPUs", "uplinks GB/s", "server");
        List<String> before = List.of();
        int first = 0;
        for (int rack = 0; rack <= topology.racks(); rack++) {
            List<String> row = rack == topology.racks() ? List.of() : rackRow(rack);
            if (!row.equals(before) && rack > 0) {
                List<String> cells = new ArrayList<>(before);
                cells.add(0, first == rack - 1 ? Integer.toString(first) : "%d-%d".formatted(first, rack - 1));
                racks.add(cells.toArray(String[]::new));
                first = rack;
            }
            before = row;
        }
        racks.print(out);
        out.println();
    }

    private List<String> rackRow(int rack) {
        return List.of(
                Integer.toString(topology.podOf(rack)),
                Integer.toString(topology.serversIn(rack)),
                Integer.toString(figures.gpusIn(rack)),
                number(topology.links().bytesPerSecond(topology.links().rackLink(rack)) / 1e9),
                figures.isMixed(rack) ? "several kinds" : describe(topology.server(topology.firstServer(rack))));
    }

    private void printLinks(PrintWriter out) {
        TextTable links = new TextTable("link", "GB/s", "microseconds");
        for (LinkClass tier : LinkClass.values()) {
            Link link = topology.fabric().of(tier);
            links.add(name(tier), number(link.bytesPerSecond() / 1e9), number(link.latencyNanos() / 1e3));
        }
        links.print(out);
        out.println();
    }

    private void printBottlenecks(PrintWriter out) {
        out.println("oversubscription: racks %s, pods %s"
                .formatted(ratio(figures.rackOversubscription()), ratio(figures.podOversubscription())));
        out.println("  (cables are whole, so a rack or a pod may have less than the ratio asked for, never more)");
        out.println("bisection bandwidth: %s GB/s between two halves of the %s"
                .formatted(number(figures.bisectionBytesPerSecond() / 1e9), figures.bisected()));
        out.println();
    }

    private static String ratio(double[] range) {
        if (range.length == 0) {
            return "none (there is one)";
        }
        String least = number(range[0]) + ":1";
        return range[0] == range[1] ? least : "%s to %s:1".formatted(least, number(range[1]));
    }

    private void printRoutes(PrintWriter out) {
        TextTable routes = new TextTable("route", "GB/s", "microseconds", "links");
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

    @Override
    public Map<String, Object> json() {
        Map<String, Object> links = new LinkedHashMap<>();
        for (LinkClass tier : LinkClass.values()) {
            Link link = topology.fabric().of(tier);
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("gigabytes_per_second", link.bytesPerSecond() / 1e9);
            row.put("latency_micros", link.latencyNanos() / 1e3);
            links.put(name(tier), row);
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", topology.name());
        json.put("gpus", topology.gpus());
        json.put("servers", topology.servers());
        json.put("pods", topology.pods());
        Map<String, Object> switches = new LinkedHashMap<>();
        for (SwitchGraph.Tier tier : SwitchGraph.Tier.values()) {
            switches.put(tier.name().toLowerCase(Locale.ROOT), count(tier));
        }
        json.put("switches", switches);
        json.put("gpu_types", figures.gpuTypes());
        json.put("kinds", figures.kindsJson());
        json.put("racks", figures.racksJson());
        json.put("links", links);
        json.put("rack_oversubscription", figures.rackOversubscription());
        json.put("pod_oversubscription", figures.podOversubscription());
        json.put("bisection_gigabytes_per_second", figures.bisectionBytesPerSecond() / 1e9);
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

    private static String describe(ServerSpec server) {
        if (server.gpus() == 0) {
            return "no GPU";
        }
        return "%d x %s on %d %s, %s"
                .formatted(
                        server.gpus(),
                        server.gpuType().name(),
                        server.sockets(),
                        server.sockets() == 1 ? "socket" : "sockets",
                        server.interior() != null
                                ? "interior " + server.interior()
                                : server.nvlink() ? "NVLink" : "PCIe");
    }

    private static String name(LinkClass tier) {
        return tier.name().toLowerCase(Locale.ROOT);
    }

    static String number(double value) {
        if (Double.isInfinite(value)) {
            return "-";
        }
        String text =
                value >= 1000 ? String.format(Locale.ROOT, "%.0f", value) : String.format(Locale.ROOT, "%.4g", value);
        return text.contains(".") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text;
    }
}
