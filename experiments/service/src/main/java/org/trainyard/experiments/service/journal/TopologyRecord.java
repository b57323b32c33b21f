package org.trainyard.experiments.service.journal;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Link;
import org.trainyard.env.topology.LinkClass;
import org.trainyard.env.topology.ServerInterior;
import org.trainyard.env.topology.ServerInterior.Board;
import org.trainyard.env.topology.ServerInterior.NvLink;
import org.trainyard.env.topology.ServerInterior.Pcie;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.SwitchGraph;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.io.Sha256;

/** A topology with all its values as JSON, and back: it needs neither the file nor the name from which it came. */
final class TopologyRecord {
    private TopologyRecord() {}

    static JsonNode of(Topology topology) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("name", topology.name());
        all.put(
                "fabric",
                Arrays.stream(LinkClass.values())
                        .map(tier -> link(topology.fabric().of(tier)))
                        .toList());
        List<ServerSpec> kinds = IntStream.range(0, topology.servers())
                .mapToObj(topology::server)
                .distinct()
                .toList();
        all.put("kinds", kinds.stream().map(TopologyRecord::kind).toList());
        List<Object> racks = new ArrayList<>();
        for (int rack = 0; rack < topology.racks(); rack++) {
            List<Object> servers = new ArrayList<>();
            for (int i = 0; i < topology.serversIn(rack); i++) {
                int server = topology.firstServer(rack) + i;
                servers.add(List.of(
                        topology.serverName(server),
                        kinds.indexOf(topology.server(server)),
                        link(topology.nic(server))));
            }
            racks.add(servers);
        }
        all.put("racks", racks);
        SwitchGraph wiring = topology.wiring();
        all.put(
                "switches",
                IntStream.range(0, wiring.switches())
                        .mapToObj(node -> List.of(wiring.tier(node).name(), wiring.name(node)))
                        .toList());
        all.put(
                "cables",
                wiring.cables().stream()
                        .map(cable -> List.of(cable.lower(), cable.upper(), link(cable.link()), cable.count()))
                        .toList());
        return JsonText.tree(all);
    }

    /** The beginning of the SHA-256 of a record, in hexadecimal. */
    static String sha256(JsonNode topology) {
        return Sha256.of(JsonText.compact(topology));
    }

    private static List<Object> link(Link link) {
        return List.of(link.bytesPerSecond(), link.latencyNanos());
    }

    private static Link link(JsonNode link) {
        return new Link(link.path(0).doubleValue(), link.path(1).longValue());
    }

    private static List<Object> kind(ServerSpec server) {
        GpuType type = server.gpuType();
        List<Object> kind = new ArrayList<>(List.of(
                type.name(),
                type.speed(),
                type.memoryBytes(),
                server.sockets(),
                server.gpus(),
                server.nvlink(),
                server.cpuMilli(),
                server.memoryMib(),
                server.sharing().name()));
        if (server.interior() != null) {
            kind.add(InteriorRecord.of(server.interior()));
        }
        return kind;
    }

    private static ServerSpec kind(JsonNode kind) {
        return new ServerSpec(
                new GpuType(
                        kind.path(0).asText(),
                        kind.path(1).doubleValue(),
                        kind.path(2).longValue()),
                kind.path(3).intValue(),
                kind.path(4).intValue(),
                kind.path(5).booleanValue(),
                kind.has(9) ? InteriorRecord.read(kind.path(9)) : null,
                kind.path(6).longValue(),
                kind.path(7).longValue(),
                GpuSharing.valueOf(kind.path(8).asText()));
    }

    /**
     * The topology of a record.
     *
     * @throws IllegalArgumentException when it is none
     */
    static Topology read(JsonNode all) {
        JsonNode fabric = all.path("fabric");
        Topology.Builder topology = new Topology.Builder(
                all.path("name").asText(),
                new Fabric(
                        link(fabric.path(0)),
                        link(fabric.path(1)),
                        link(fabric.path(2)),
                        link(fabric.path(3)),
                        link(fabric.path(4))));
        List<ServerSpec> kinds = new ArrayList<>();
        all.path("kinds").forEach(kind -> kinds.add(kind(kind)));
        List<String> names = new ArrayList<>();
        for (JsonNode rack : all.path("racks")) {
            List<ServerSpec> servers = new ArrayList<>();
            List<Link> nics = new ArrayList<>();
            for (JsonNode server : rack) {
                names.add(server.path(0).asText());
                servers.add(kinds.get(server.path(1).intValue()));
                nics.add(link(server.path(2)));
            }
            topology.rack(servers, nics, 1);
        }
        SwitchGraph.Builder wiring = new SwitchGraph.Builder();
        all.path("switches")
                .forEach(node -> wiring.add(
                        SwitchGraph.Tier.valueOf(node.path(0).asText()),
                        node.path(1).asText()));
        all.path("cables")
                .forEach(cable -> wiring.join(
                        cable.path(0).intValue(),
                        cable.path(1).intValue(),
                        link(cable.path(2)),
                        cable.path(3).intValue()));
        return topology.serverNames(names).wiring(wiring.build()).build();
    }

    /** The first ways in which one differs from another, of two that are not equal. */
    static List<String> differences(Topology from, Topology to) {
        List<String> found = new ArrayList<>();
        note(found, "name", from.name(), to.name());
        note(found, "racks", from.racks(), to.racks());
        note(found, "servers", from.servers(), to.servers());
        note(found, "GPUs", from.gpus(), to.gpus());
        for (int server = 0; server < Math.min(from.servers(), to.servers()); server++) {
            note(found, "name of server " + server, from.serverName(server), to.serverName(server));
            note(found, "server " + server, kind(from.server(server)), kind(to.server(server)));
        }
        if (found.isEmpty()) {
            found.add("links");
        }
        return found.subList(0, Math.min(3, found.size()));
    }

    private static void note(List<String> found, String what, Object from, Object to) {
        if (!from.equals(to)) {
            found.add("%s: %s, was %s".formatted(what, to, from));
        }
    }

    /** The links inside a server as JSON, and back. */
    static final class InteriorRecord {
        private InteriorRecord() {}

        static List<Object> of(ServerInterior interior) {
            Board board = interior.board();
            Pcie pcie = interior.pcie();
            return List.of(
                    interior.name(),
                    List.of(board.gpus(), board.switches(), board.sockets(), board.nicSocket()),
                    List.of(pcie.withinSwitch(), pcie.withinSocket(), pcie.acrossSockets()),
                    interior.isSwitched()
                            ? interior.nvlink(0, 1)
                            : interior.links().stream()
                                    .map(link -> List.of(link.a(), link.b(), link.bandwidth()))
                                    .toList());
        }

        static ServerInterior read(JsonNode interior) {
            String name = interior.path(0).asText();
            JsonNode on = interior.path(1);
            Board board = new Board(
                    on.path(0).intValue(),
                    on.path(1).intValue(),
                    on.path(2).intValue(),
                    on.path(3).intValue());
            JsonNode tiers = interior.path(2);
            Pcie pcie = new Pcie(
                    tiers.path(0).doubleValue(),
                    tiers.path(1).doubleValue(),
                    tiers.path(2).doubleValue());
            JsonNode links = interior.path(3);
            if (links.isNumber()) {
                return ServerInterior.uniform(name, board, links.doubleValue(), pcie);
            }
            List<NvLink> read = new ArrayList<>();
            links.forEach(link -> read.add(new NvLink(
                    link.path(0).intValue(),
                    link.path(1).intValue(),
                    link.path(2).doubleValue())));
            return ServerInterior.of(name, board, pcie, read.toArray(NvLink[]::new));
        }
    }
}
