package org.trainyard.env.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jgrapht.Graph;
import org.jgrapht.graph.AsUnmodifiableGraph;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.Invalid;

/**
 * An immutable data centre: pods of racks of servers of sockets of GPUs, and the {@link SwitchGraph} of switches
 * between the racks.
 *
 * <p>Everything is a dense index. The GPUs of server {@code s} are {@code firstGpu(s) .. firstGpu(s) + gpusOn(s) - 1},
 * socket by socket; the servers of a rack and the racks of a pod follow one another likewise.
 */
public final class Topology {
    private final String name;
    private final Fabric fabric;
    private final ServerSpec[] specs;
    private final int widestServer;
    /** GPUs of the widest rack, of the two widest, and so on. */
    private final int[] gpusInWidestRacks;

    private final int[] serverRack;
    private final int[] rackFirstServer;
    private final SwitchGraph wiring;
    private final Link[] nics;
    private final List<String> serverNames;
    private final int[] firstGpu;
    private final int[] gpuServer;
    private final Routes routes;
    private final Links links;
    private final InsideLinks inside;
    /** The topology as it is; null for that one. */
    private final @Nullable Topology truth;

    private @Nullable Graph<Integer, SwitchGraph.Cable> graph;

    private Topology(Builder builder) {
        name = builder.name;
        fabric = builder.fabric;
        int servers = builder.servers.size();
        Invalid.when(servers == 0, "topology (%s) has no server", name);
        specs = builder.servers.toArray(ServerSpec[]::new);
        int widest = 0;
        for (ServerSpec spec : specs) {
            widest = Math.max(widest, spec.gpus());
        }
        widestServer = widest;
        nics = builder.nics.toArray(Link[]::new);
        serverNames = List.copyOf(builder.serverNames);
        wiring = builder.wiring();
        serverRack = new int[servers];
        rackFirstServer = new int[builder.rackSizes.size() + 1];
        for (int rack = 0, server = 0; rack < builder.rackSizes.size(); rack++) {
            rackFirstServer[rack] = server;
            Arrays.fill(serverRack, server, server + builder.rackSizes.get(rack), rack);
            server += builder.rackSizes.get(rack);
            rackFirstServer[rack + 1] = server;
        }
        firstGpu = new int[servers + 1];
        for (int server = 0; server < servers; server++) {
            firstGpu[server + 1] = firstGpu[server] + specs[server].gpus();
        }
        gpusInWidestRacks = IntStream.range(0, builder.rackSizes.size())
                .map(rack -> firstGpu[rackFirstServer[rack]] - firstGpu[rackFirstServer[rack + 1]])
                .sorted()
                .map(negated -> -negated)
                .toArray();
        for (int i = 1; i < gpusInWidestRacks.length; i++) {
            gpusInWidestRacks[i] += gpusInWidestRacks[i - 1];
        }
        gpuServer = new int[firstGpu[servers]];
        for (int server = 0; server < servers; server++) {
            Arrays.fill(gpuServer, firstGpu[server], firstGpu[server + 1], server);
        }
        routes = new Routes(this);
        links = new Links(this);
        inside = new InsideLinks(fabric, specs, widestServer);
        truth = null;
    }

    private Topology(Topology truth, InsideLinks inside) {
        this(truth, inside, truth.specs, truth);
    }

    private Topology(Topology like, InsideLinks inside, ServerSpec[] specs, @Nullable Topology truth) {
        name = like.name;
        fabric = like.fabric;
        this.specs = specs;
        widestServer = like.widestServer;
        gpusInWidestRacks = like.gpusInWidestRacks;
        serverRack = like.serverRack;
        rackFirstServer = like.rackFirstServer;
        wiring = like.wiring;
        nics = like.nics;
        serverNames = like.serverNames;
        firstGpu = like.firstGpu;
        gpuServer = like.gpuServer;
        routes = like.routes;
        links = like.links;
        this.inside = inside;
        this.truth = truth;
    }

    /** This data centre where each server has so much CPU, thousandths of a core, and memory, MiB. */
    public Topology withHosts(long[] cpuMilli, long[] memoryMib) {
        ServerSpec[] limited = specs.clone();
        for (int server = 0; server < limited.length; server++) {
            limited[server] = specs[server].withHost(cpuMilli[server], memoryMib[server]);
        }
        return new Topology(this, inside, limited, null);
    }

    /** This data centre as it is, if it is what somebody believes of one. */
    public Topology truth() {
        return truth == null ? this : truth;
    }

    /** This data centre to whom sees all links, but must believe what rings inside servers have. */
    public Topology believed(RingBelief belief) {
        return new Topology(truth(), truth().inside.believed(belief));
    }

    /** This data centre to whom nobody says more of the inside of servers than whether they have NVLink. */
    public Topology untold() {
        return new Topology(truth(), truth().inside.untold());
    }

    /**
     * A tree of equal racks of equal servers, all in pods of {@code racksPerPod} racks; every rack and every pod has
     * one uplink. {@link Topologies} makes those with more.
     */
    public static Topology uniform(
            String name, Fabric fabric, int racks, int serversPerRack, ServerSpec server, int racksPerPod) {
        Builder builder = new Builder(name, fabric).racksPerPod(racksPerPod);
        for (int rack = 0; rack < racks; rack++) {
            builder.rack(Collections.nCopies(serversPerRack, server));
        }
        return builder.build();
    }

    public String name() {
        return name;
    }

    public Fabric fabric() {
        return fabric;
    }

    /** The switches and the cables between them. */
    public SwitchGraph wiring() {
        return wiring;
    }

    /**
     * Switches, servers and the links between them as a graph that cannot be changed: switches by their indices, server
     * {@code i} as {@code wiring().switches() + i}, its network cards as a cable to the leaf of its rack. O(servers +
     * cables) when it is first asked for.
     */
    public Graph<Integer, SwitchGraph.Cable> graph() {
        if (truth != null) {
            return truth.graph();
        }
        synchronized (wiring) {
            if (graph == null) {
                Graph<Integer, SwitchGraph.Cable> made = wiring.graph();
                for (int server = 0; server < servers(); server++) {
                    int node = wiring.switches() + server;
                    made.addVertex(node);
                    made.addEdge(
                            node, serverRack[server], new SwitchGraph.Cable(node, serverRack[server], nics[server], 1));
                }
                graph = new AsUnmodifiableGraph<>(made);
            }
            return graph;
        }
    }

    public Routes routes() {
        return routes;
    }

    /** The links that rings of different jobs share. */
    public Links links() {
        return links;
    }

    /** The links between the GPUs of one server. */
    public InsideLinks inside() {
        return inside;
    }

    public int gpus() {
        return gpuServer.length;
    }

    public int servers() {
        return specs.length;
    }

    public int racks() {
        return rackFirstServer.length - 1;
    }

    public int pods() {
        return wiring.pods();
    }

    public ServerSpec server(int server) {
        return specs[server];
    }

    /**
     * The link from the server to its rack's switch; several NICs count as one with their total bandwidth, because a
     * ring uses all.
     */
    public Link nic(int server) {
        return nics[server];
    }

    /** The server's name in the source of the topology, or {@code server i}. */
    public String serverName(int server) {
        return serverNames.isEmpty() ? "server " + server : serverNames.get(server);
    }

    public int gpusOn(int server) {
        return specs[server].gpus();
    }

    public int firstGpu(int server) {
        return firstGpu[server];
    }

    public int serverOf(int gpu) {
        return gpuServer[gpu];
    }

    /** The socket of a GPU, counted within its server. */
    public int socketOf(int gpu) {
        int server = gpuServer[gpu];
        ServerSpec spec = specs[server];
        return (gpu - firstGpu[server]) / (spec.gpus() / spec.sockets());
    }

    public int rackOf(int server) {
        return serverRack[server];
    }

    public int firstServer(int rack) {
        return rackFirstServer[rack];
    }

    public int serversIn(int rack) {
        return rackFirstServer[rack + 1] - rackFirstServer[rack];
    }

    public int podOf(int rack) {
        return wiring.podOf(rack);
    }

    /** Number of GPUs of the server with the most. */
    public int widestServer() {
        return widestServer;
    }

    /** Number of GPUs of the rack with the most. */
    public int widestRack() {
        return gpusInWidestRacks[0];
    }

    /** A lower bound on the racks of a gang: their number if it had all GPUs of the widest. */
    public int fewestRacks(int gpus) {
        int racks = 1;
        while (racks < gpusInWidestRacks.length && gpusInWidestRacks[racks - 1] < gpus) {
            racks++;
        }
        return racks;
    }

    /** A lower bound on the servers of a gang: their number if all had as many GPUs as the widest. */
    public int fewestServers(int gpus) {
        return (gpus + widestServer - 1) / widestServer;
    }

    /** The smallest part of the data centre that contains both servers: SERVER, RACK, POD or CLUSTER. */
    public Locality span(int serverA, int serverB) {
        if (serverA == serverB) {
            return Locality.SERVER;
        }
        int rackA = serverRack[serverA];
        int rackB = serverRack[serverB];
        if (rackA == rackB) {
            return Locality.RACK;
        }
        return podOf(rackA) == podOf(rackB) ? Locality.POD : Locality.CLUSTER;
    }

    @Override
    public String toString() {
        return Counted.say("%s: %d GPUs on %d servers in %d racks", name, gpus(), servers(), racks());
    }

    /** Collects racks of servers; indices follow the order of the calls. */
    public static final class Builder {
        private final String name;
        private final Fabric fabric;
        private final List<ServerSpec> servers = new ArrayList<>();
        private final List<Link> nics = new ArrayList<>();
        private final List<Integer> rackSizes = new ArrayList<>();
        private final List<Integer> uplinks = new ArrayList<>();
        private List<String> serverNames = List.of();
        private int racksPerPod = Integer.MAX_VALUE;
        private int podUplinks = 1;
        private @Nullable SwitchGraph wiring;

        public Builder(String name, Fabric fabric) {
            this.name = name;
            this.fabric = fabric;
        }

        /** Adds a rack with at least one server and, in a tree, one uplink. */
        public Builder rack(List<ServerSpec> rackServers) {
            return rack(rackServers, 1);
        }

        /** Adds a rack with at least one server and, in a tree, so many parallel uplinks. */
        public Builder rack(List<ServerSpec> rackServers, int rackUplinks) {
            return rack(rackServers, Collections.nCopies(rackServers.size(), fabric.nic()), rackUplinks);
        }

        /**
         * Adds a rack with at least one server, each with a NIC of its own, and, in a tree, a number of parallel
         * uplinks.
         */
        public Builder rack(List<ServerSpec> rackServers, List<Link> rackNics, int rackUplinks) {
            Invalid.when(rackServers.isEmpty(), "rack (%d) of %s has no server", rackSizes.size(), name);
            if (rackNics.size() != rackServers.size()) {
                throw new IllegalArgumentException("rack (%d) has %d servers but %d NICs"
                        .formatted(rackSizes.size(), rackServers.size(), rackNics.size()));
            }
            servers.addAll(rackServers);
            nics.addAll(rackNics);
            rackSizes.add(rackServers.size());
            uplinks.add(rackUplinks);
            return this;
        }

        /** Number of neighbouring racks of a tree that share a spine; by default all. */
        public Builder racksPerPod(int racks) {
            Invalid.when(racks < 1, "racks per pod (%d) must be at least 1", racks);
            racksPerPod = racks;
            return this;
        }

        /** Number of parallel links from every pod of a tree to the core; by default one. */
        public Builder podUplinks(int links) {
            podUplinks = links;
            return this;
        }

        /** The graph of switches, if not a tree of the fabric's links: one leaf per rack, in the order of the racks. */
        public Builder wiring(SwitchGraph newWiring) {
            wiring = newWiring;
            return this;
        }

        /** Names of the servers, in the order of their indices. */
        public Builder serverNames(List<String> names) {
            serverNames = List.copyOf(names);
            return this;
        }

        private SwitchGraph wiring() {
            if (!serverNames.isEmpty() && serverNames.size() != servers.size()) {
                throw new IllegalArgumentException(
                        "names (%d) must be as many as servers (%d)".formatted(serverNames.size(), servers.size()));
            }
            SwitchGraph made = wiring == null ? tree() : wiring;
            if (made.count(SwitchGraph.Tier.LEAF) != rackSizes.size()) {
                throw new IllegalArgumentException("leaves (%d) must be as many as racks (%d)"
                        .formatted(made.count(SwitchGraph.Tier.LEAF), rackSizes.size()));
            }
            return made;
        }

        private SwitchGraph tree() {
            SwitchGraph.Builder tree = new SwitchGraph.Builder();
            for (int rack = 0; rack < rackSizes.size(); rack++) {
                tree.add(SwitchGraph.Tier.LEAF, "leaf " + rack);
            }
            int pods = (int) (((long) rackSizes.size() + racksPerPod - 1) / racksPerPod);
            for (int pod = 0; pod < pods; pod++) {
                int spine = tree.add(SwitchGraph.Tier.SPINE, "spine " + pod);
                for (int i = 0; i < racksPerPod && pod * racksPerPod + i < rackSizes.size(); i++) {
                    int rack = pod * racksPerPod + i;
                    tree.join(rack, spine, fabric.tor(), uplinks.get(rack));
                }
            }
            if (pods > 1) {
                int core = tree.add(SwitchGraph.Tier.CORE, "core");
                for (int pod = 0; pod < pods; pod++) {
                    tree.join(rackSizes.size() + pod, core, fabric.spine(), podUplinks);
                }
            }
            return tree.build();
        }

        public Topology build() {
            return new Topology(this);
        }
    }
}
