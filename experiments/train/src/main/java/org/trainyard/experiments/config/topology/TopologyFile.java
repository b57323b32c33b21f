package org.trainyard.experiments.config.topology;

import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InvalidFieldException;
import org.trainyard.env.binding.Nearest;
import org.trainyard.env.binding.OptionalKey;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.Link;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.io.InputFiles;

/** A topology file in YAML; {@code experiments/clusters} has an example of each type that needs no other file. */
public sealed interface TopologyFile {
    /** Name of a cluster that says none. */
    String NAME = "cluster";

    /** The topology; {@code file} is its description, for messages and relative paths. */
    Topology build(Path file);

    /** A topology that its description says in full, without another file. */
    sealed interface Described extends TopologyFile {
        /** How large it is going to be; nothing of that size is made to know it. */
        Size size();

        /** The topology; {@code place} is that of its description, for messages. */
        Topology build(String place);

        @Override
        default Topology build(Path file) {
            return build(file.toString());
        }
    }

    /** Counts of servers, of their GPUs, and of pairs of switches that are linked. */
    record Size(long servers, long gpus, long links) {}

    /** A tree: each rack has one spine, and all spines share a core. */
    record Tree(
            @OptionalKey(orElse = NAME) String name,
            @OptionalKey @Nullable FabricFile fabric,
            List<RackFile> racks,

            @OptionalKey(orElse = "" + Topologies.RACKS_PER_POD)
            int racksPerPod,

            @OptionalKey @Nullable Integer podUplinks)
            implements Described {
        public Tree {
            checkName(name);
            if (racks.isEmpty()) {
                throw new InvalidFieldException("racks", racks, "at least one kind of rack");
            }
            long servers = racks.stream()
                    .mapToLong(rack -> (long) rack.count() * rack.servers())
                    .sum();
            checkServers("racks", servers);
            InvalidFieldException.atLeast(1, "racksPerPod", racksPerPod);
            if (podUplinks != null) {
                checkLinks("podUplinks", podUplinks);
            }
        }

        @Override
        public Size size() {
            long servers = 0;
            long gpus = 0;
            for (RackFile rack : racks) {
                long here = (long) rack.count() * rack.servers();
                servers += here;
                gpus += here * rack.server().gpus();
            }
            return new Size(servers, gpus, servers);
        }

        @Override
        public Topology build(String place) {
            Fabric links = FabricFile.of(fabric);
            int widest = racks.stream().mapToInt(RackFile::servers).max().orElse(1);
            Topology.Builder builder = new Topology.Builder(name, links)
                    .racksPerPod(racksPerPod)
                    .podUplinks(
                            podUplinks != null
                                    ? podUplinks
                                    : Topologies.podUplinks(
                                            links, racksPerPod, widest, Topologies.rackUplinks(links, widest)));
            for (RackFile rack : racks) {
                int up = rack.uplinks() != null ? rack.uplinks() : Topologies.rackUplinks(links, rack.servers());
                for (int i = 0; i < rack.count(); i++) {
                    builder.rack(
                            Collections.nCopies(rack.servers(), rack.server().build()), up);
                }
            }
            return builder.build();
        }

        /** {@code count} racks of equal servers, each with {@code uplinks} parallel links to its spine. */
        record RackFile(
                @OptionalKey(orElse = "1") int count,
                int servers,
                @OptionalKey @Nullable Integer uplinks,
                ServerFile server) {
            RackFile {
                InvalidFieldException.within(1, Topologies.MAX_SERVERS, "count", count);
                InvalidFieldException.within(1, Topologies.MAX_SERVERS, "servers", servers);
                if (uplinks != null) {
                    checkLinks("uplinks", uplinks);
                }
            }
        }
    }

    /** {@link Topologies#leafSpine}. */
    record LeafSpine(
            @OptionalKey(orElse = NAME) String name,
            @OptionalKey @Nullable FabricFile fabric,
            int leaves,
            int spines,
            int serversPerLeaf,
            ServerFile server,

            @OptionalKey(orElse = "" + Topologies.OVERSUBSCRIPTION)
            double oversubscription)
            implements Described {
        public LeafSpine {
            checkName(name);
            InvalidFieldException.within(1, 10_000, "leaves", leaves);
            InvalidFieldException.within(1, 1_000, "spines", spines);
            InvalidFieldException.within(1, Topologies.MAX_SERVERS, "serversPerLeaf", serversPerLeaf);
            checkServers("leaves", (long) leaves * serversPerLeaf);
            checkRatio(oversubscription);
        }

        @Override
        public Size size() {
            long servers = (long) leaves * serversPerLeaf;
            return new Size(servers, servers * server.gpus(), (long) leaves * spines);
        }

        @Override
        public Topology build(String place) {
            return Topologies.leafSpine(
                    name, FabricFile.of(fabric), leaves, spines, serversPerLeaf, server.build(), oversubscription);
        }
    }

    /** {@link Topologies#fatTree}. */
    record FatTree(
            @OptionalKey(orElse = NAME) String name,
            @OptionalKey FabricFile.@Nullable LinkFile nvlink,
            @OptionalKey FabricFile.@Nullable LinkFile pcie,
            @OptionalKey FabricFile.@Nullable LinkFile link,
            int k,
            ServerFile server)
            implements Described {
        public FatTree {
            checkName(name);
            if (k < 2 || k % 2 != 0) {
                throw new InvalidFieldException("k", k, "an even number, at least 2");
            }
            InvalidFieldException.within(2, 72, "k", k);
        }

        @Override
        public Size size() {
            long servers = (long) k * k * k / 4;
            return new Size(servers, servers * server.gpus(), 2 * servers);
        }

        @Override
        public Topology build(String place) {
            Fabric links = FabricFile.of(new FabricFile(nvlink, pcie, link, link, link));
            return Topologies.fatTree(name, links, links.nic(), k, server.build());
        }
    }

    /** Switches, servers and links by name; {@link GraphCheck} checks them. */
    record Graph(
            String name,
            String shape,
            FabricFile.LinkFile nvlink,
            FabricFile.LinkFile pcie,
            List<Kind> kinds,
            List<Switch> switches,
            List<Server> servers,
            List<Edge> links)
            implements Described {
        public Graph {
            checkName(name);
            if (!List.of("tree", "clos").contains(shape)) {
                throw new InvalidFieldException("shape", shape, Nearest.oneOf(shape, List.of("tree", "clos")));
            }
            checkServers("servers", servers.size());
        }

        @Override
        public Size size() {
            Map<String, Integer> gpus = new HashMap<>();
            kinds.forEach(kind -> gpus.put(kind.id(), kind.server().gpus()));
            long all = servers.stream()
                    .mapToLong(server -> gpus.getOrDefault(server.kind(), 0))
                    .sum();
            return new Size(servers.size(), all, links.size());
        }

        @Override
        public Topology build(String place) {
            return new GraphCheck(place, this).topology();
        }

        /** A kind of server. */
        record Kind(String id, ServerFile server) {}

        /** A switch: leaf, spine or core. */
        record Switch(String id, String tier) {
            Switch {
                if (!List.of("leaf", "spine", "core").contains(tier)) {
                    throw new InvalidFieldException(
                            "tier", tier, Nearest.oneOf(tier, List.of("leaf", "spine", "core")));
                }
            }
        }

        /** A server of a kind. */
        record Server(String id, String kind) {}

        /** {@code count} parallel links of the given bandwidth between a server or switch and a switch. */
        record Edge(String from, String to, double gigabytesPerSecond, double latencyMicros, int count) {
            Edge {
                FabricFile.LinkFile.check(gigabytesPerSecond, latencyMicros);
                checkLinks("count", count);
            }
        }
    }

    /** The hosts and switches of Alibaba's Lingjun cluster, as {@link LingjunTable} reads them. */
    record Lingjun(
            @OptionalKey(orElse = NAME) String name,
            String file,
            @OptionalKey @Nullable FabricFile fabric,
            ServerFile server,

            @OptionalKey(orElse = "" + Topologies.OVERSUBSCRIPTION)
            double oversubscription)
            implements TopologyFile {
        public Lingjun {
            checkName(name);
            checkRatio(oversubscription);
        }

        @Override
        public Topology build(Path at) {
            return LingjunTable.topology(
                    NodeTable.read(beside(at, file)), name, FabricFile.of(fabric), server.build(), oversubscription);
        }
    }

    /** A list of nodes, as {@link NodeColumns} reads them, all in one rack or with a given number per rack. */
    record NodeList(
            @OptionalKey(orElse = NAME) String name,
            String file,
            @OptionalKey @Nullable FabricFile fabric,
            @OptionalKey(orElse = "whole") String sharing,
            @OptionalKey @Nullable Integer serversPerRack,

            @OptionalKey(orElse = "" + Topologies.OVERSUBSCRIPTION)
            double oversubscription)
            implements TopologyFile {
        public NodeList {
            checkName(name);
            ServerFile.sharing("sharing", sharing);
            if (serversPerRack != null) {
                InvalidFieldException.within(1, Topologies.MAX_SERVERS, "serversPerRack", serversPerRack);
            }
            checkRatio(oversubscription);
        }

        @Override
        public Topology build(Path at) {
            NodeTable table = NodeTable.read(beside(at, file));
            NodeColumns columns = NodeColumns.of(table.header());
            return (columns == null ? NodeColumns.OPENB : columns)
                    .topology(
                            table,
                            name,
                            FabricFile.of(fabric),
                            ServerFile.sharing("sharing", sharing),
                            serversPerRack == null ? Topologies.MAX_SERVERS : serversPerRack,
                            oversubscription);
        }
    }

    private static Path beside(Path file, String other) {
        return file.resolveSibling(InputFiles.path(other));
    }

    private static void checkName(String name) {
        if (name.isBlank()) {
            throw new InvalidFieldException("name", name, "text that is not empty");
        }
    }

    private static void checkServers(String component, long servers) {
        if (servers > Topologies.MAX_SERVERS) {
            throw new InvalidFieldException(
                    component, servers, "at most %d servers in all".formatted(Topologies.MAX_SERVERS));
        }
    }

    private static void checkLinks(String component, int links) {
        InvalidFieldException.within(1, 1e6, component, links);
    }

    private static void checkRatio(double oversubscription) {
        InvalidFieldException.within(0.01, 1e4, "oversubscription", oversubscription);
    }

    /** The links of a topology file, one kind for each tier. */
    record FabricFile(
            @OptionalKey @Nullable LinkFile nvlink,
            @OptionalKey @Nullable LinkFile pcie,
            @OptionalKey @Nullable LinkFile nic,
            @OptionalKey @Nullable LinkFile tor,
            @OptionalKey @Nullable LinkFile spine) {
        /** Links of {@link Fabric#DEFAULT} where a file says nothing of them. */
        static Fabric of(@Nullable FabricFile said) {
            Fabric usual = Fabric.DEFAULT;
            return said == null
                    ? usual
                    : new Fabric(
                            link(said.nvlink, usual.nvlink()),
                            link(said.pcie, usual.pcie()),
                            link(said.nic, usual.nic()),
                            link(said.tor, usual.tor()),
                            link(said.spine, usual.spine()));
        }

        private static Link link(@Nullable LinkFile said, Link usual) {
            return said == null ? usual : said.build();
        }

        /** Bandwidth and latency of one direction of a link. */
        record LinkFile(double gigabytesPerSecond, double latencyMicros) {
            LinkFile {
                check(gigabytesPerSecond, latencyMicros);
            }

            Link build() {
                return Link.of(gigabytesPerSecond, latencyMicros);
            }

            static void check(double gigabytesPerSecond, double latencyMicros) {
                InvalidFieldException.above(0, "gigabytesPerSecond", gigabytesPerSecond);
                InvalidFieldException.within(0, 1e6, "gigabytesPerSecond", gigabytesPerSecond);
                InvalidFieldException.within(0, 1e9, "latencyMicros", latencyMicros);
            }
        }
    }
}
