package org.trainyard.experiments.inspection;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.stream.Collectors;
import org.trainyard.env.Counted;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Link;
import org.trainyard.env.topology.LinkClass;
import org.trainyard.env.topology.Routes;
import org.trainyard.env.topology.ServerInterior;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.SwitchGraph;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.AnswerTable;
import org.trainyard.experiments.io.CellFormat;

/** Kinds of servers, racks, switches, links, bottlenecks, and one route of each locality. */
public final class TopologyReport implements Report {
    private final Topology topology;
    private final TopologyFigures figures;

    public TopologyReport(Topology topology) {
        this.topology = topology;
        figures = new TopologyFigures(topology);
    }

    @Override
    public Answer answer() {
        Answer answer = new Answer()
                .tell(
                        "%s: %d GPUs on %d servers in %d racks in %d pods",
                        topology.name(), topology.gpus(), topology.servers(), topology.racks(), topology.pods())
                .tell(
                        "switches: %d leaf, %d spine, %d core",
                        count(SwitchGraph.Tier.LEAF), count(SwitchGraph.Tier.SPINE), count(SwitchGraph.Tier.CORE));
        if (!topology.serverName(0).equals("server 0")) {
            String last = topology.serverName(topology.servers() - 1);
            answer.say("servers are called %s to %s".formatted(topology.serverName(0), last));
        }
        answer.say("GPU types: %s".formatted(figures.gpuTypes()));
        String unknown = figures.kinds().keySet().stream()
                .filter(server -> server.gpus() > 0)
                .map(ServerSpec::gpuType)
                .filter(type -> type.speed() == GpuType.V100.speed() && GpuType.parse(type.name()) == null)
                .map(GpuType::name)
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
        if (!unknown.isEmpty()) {
            answer.say("note: the speed of GPUs of type %s is not known; that of a V100 is assumed".formatted(unknown));
        }
        answer.gap().table(servers()).gap();
        figures.kinds().keySet().stream()
                .map(ServerSpec::interior)
                .filter(Objects::nonNull)
                .distinct()
                .forEach(interior -> answer.table(interior(interior)).gap());
        return answer.table(racks())
                .gap()
                .table(links())
                .gap()
                .say("oversubscription: racks %s, pods %s"
                        .formatted(ratio(figures.rackOversubscription()), ratio(figures.podOversubscription())))
                .say("  (cables are whole, so a rack or a pod may have less than the ratio asked for, never more)")
                .say("bisection bandwidth: %s GB/s between two halves of the %s"
                        .formatted(number(figures.bisectionBytesPerSecond() / 1e9), figures.bisected()))
                .gap()
                .table(routes());
    }

    private int count(SwitchGraph.Tier tier) {
        return topology.wiring().count(tier);
    }

    private AnswerTable<Map.Entry<ServerSpec, Integer>> servers() {
        return AnswerTable.of(figures.kinds().entrySet())
                .text("servers", row -> describe(row.getKey()))
                .number("how many", "%.0f", Map.Entry::getValue)
                .text("CPU", row -> limit(row.getKey().cpuMilli(), 1e3, " cores"))
                .text("memory", row -> limit(row.getKey().memoryMib(), 1024, " GiB"))
                .text("GPUs are given out", row -> row.getKey().sharing().label());
    }

    private static String limit(long amount, double unit, String name) {
        return amount == ServerSpec.UNLIMITED ? "unlimited" : number(amount / unit) + name;
    }

    private static AnswerTable<Map.Entry<Integer, NavigableMap<Double, Integer>>> interior(ServerInterior interior) {
        return AnswerTable.of(InteriorFigures.rings(interior).entrySet())
                .number("GPUs of a set", "%.0f", Map.Entry::getKey)
                .text("sets of GB/s in interior " + interior, row -> InteriorFigures.text(row.getValue()));
    }

    /** Consecutive racks that are equal share a row. */
    private AnswerTable<List<String>> racks() {
        List<List<String>> rows = new ArrayList<>();
        for (int rack = 0, first = 0; rack < topology.racks(); rack++) {
            List<String> row = rackRow(rack);
            if (rack + 1 == topology.racks() || !row.equals(rackRow(rack + 1))) {
                List<String> cells = new ArrayList<>(row);
                cells.add(0, first == rack ? Integer.toString(first) : "%d-%d".formatted(first, rack));
                rows.add(cells);
                first = rack + 1;
            }
        }
        return AnswerTable.texts(List.of("rack", "pod", "servers", "GPUs", "uplinks GB/s", "server"), rows);
    }

    private List<String> rackRow(int rack) {
        return List.of(
                Integer.toString(topology.podOf(rack)),
                Integer.toString(topology.serversIn(rack)),
                Integer.toString(figures.gpusIn(rack)),
                number(topology.links().bytesPerSecond(topology.links().rackLink(rack)) / 1e9),
                figures.isMixed(rack) ? "several kinds" : describe(topology.server(topology.firstServer(rack))));
    }

    private AnswerTable<LinkClass> links() {
        return AnswerTable.of(List.of(LinkClass.values()))
                .text("link", LinkClass::label)
                .text("GB/s", tier -> number(topology.fabric().of(tier).bytesPerSecond() / 1e9))
                .text("microseconds", tier -> number(topology.fabric().of(tier).latencyNanos() / 1e3));
    }

    private static String ratio(double[] range) {
        if (range.length == 0) {
            return "none (there is one)";
        }
        String least = number(range[0]) + ":1";
        return range[0] == range[1] ? least : "%s to %s:1".formatted(least, number(range[1]));
    }

    private AnswerTable<Integer> routes() {
        Routes routes = topology.routes();
        return AnswerTable.of(samples())
                .text("route", "server 0 to %d"::formatted)
                .text("GB/s", server -> number(routes.between(0, server).bytesPerSecond() / 1e9))
                .text("microseconds", server -> number(routes.between(0, server).latencyNanos() / 1e3))
                .text(
                        "links",
                        server -> routes.between(0, server).tiers().stream()
                                .map(LinkClass::label)
                                .collect(Collectors.joining(" ")));
    }

    @Override
    public Map<String, Object> json() {
        Map<String, Object> links = new LinkedHashMap<>();
        for (LinkClass tier : LinkClass.values()) {
            Link link = topology.fabric().of(tier);
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("gigabytes_per_second", link.bytesPerSecond() / 1e9);
            row.put("latency_micros", link.latencyNanos() / 1e3);
            links.put(tier.label(), row);
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", topology.name());
        json.put("gpus", topology.gpus());
        json.put("servers", topology.servers());
        json.put("pods", topology.pods());
        Map<String, Object> switches = new LinkedHashMap<>();
        for (SwitchGraph.Tier tier : SwitchGraph.Tier.values()) {
            switches.put(tier.label(), count(tier));
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
        String wiring =
                server.interior() == null ? server.nvlink() ? "NVLink" : "PCIe" : "interior " + server.interior();
        return Counted.say(
                "%d x %s on %d sockets, %s", server.gpus(), server.gpuType().name(), server.sockets(), wiring);
    }

    static String number(double value) {
        if (Double.isInfinite(value)) {
            return "-";
        }
        String text = CellFormat.number(value >= 1000 ? "%.0f" : "%.4g", value);
        return text.contains(".") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text;
    }
}
