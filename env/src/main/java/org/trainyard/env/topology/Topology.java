package org.trainyard.env.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An immutable data centre: pods of racks of servers of sockets of GPUs.
 *
 * <p>Everything is a dense index. The GPUs of server {@code s} are {@code firstGpu(s) .. firstGpu(s) + gpusOn(s) - 1}, socket
 * by socket; the servers of a rack and the racks of a pod follow one another likewise.
 */
public final class Topology {
    private final String name;
    private final Fabric fabric;
    private final ServerSpec[] specs;
    private final int[] serverRack;
    private final int[] rackFirstServer;
    private final int racksPerPod;
    private final int[] firstGpu;
    private final int[] gpuServer;
    private final Routes routes;
    private final Links links;

    private Topology(Builder builder) {
        name = builder.name;
        fabric = builder.fabric;
        racksPerPod = builder.racksPerPod;
        int servers = builder.servers.size();
        if (servers == 0) {
            throw new IllegalArgumentException("topology (%s) has no server".formatted(name));
        }
        specs = builder.servers.toArray(ServerSpec[]::new);
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
        gpuServer = new int[firstGpu[servers]];
        for (int server = 0; server < servers; server++) {
            Arrays.fill(gpuServer, firstGpu[server], firstGpu[server + 1], server);
        }
        routes = new Routes(this);
        links = new Links(this);
    }

    /** A topology with equal racks of equal servers, all in pods of {@code racksPerPod} racks. */
    public static Topology uniform(
            String name, Fabric fabric, int racks, int serversPerRack, ServerSpec server, int racksPerPod) {
        Builder builder = new Builder(name, fabric).racksPerPod(racksPerPod);
        for (int rack = 0; rack < racks; rack++) {
            builder.rack(java.util.Collections.nCopies(serversPerRack, server));
        }
        return builder.build();
    }

    public String name() {
        return name;
    }

    public Fabric fabric() {
        return fabric;
    }

    public Routes routes() {
        return routes;
    }

    /** The links on which jobs meet. */
    public Links links() {
        return links;
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
        return (racks() + racksPerPod - 1) / racksPerPod;
    }

    public ServerSpec server(int server) {
        return specs[server];
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
        return rack / racksPerPod;
    }

    /** The most GPUs any one server has. */
    public int widestServer() {
        int widest = 0;
        for (ServerSpec spec : specs) {
            widest = Math.max(widest, spec.gpus());
        }
        return widest;
    }

    /** The smallest part of the data centre holding both servers: SERVER, RACK, POD or CLUSTER. */
    public Span span(int serverA, int serverB) {
        if (serverA == serverB) {
            return Span.SERVER;
        }
        int rackA = serverRack[serverA];
        int rackB = serverRack[serverB];
        if (rackA == rackB) {
            return Span.RACK;
        }
        return podOf(rackA) == podOf(rackB) ? Span.POD : Span.CLUSTER;
    }

    @Override
    public String toString() {
        return "%s: %d GPUs on %d servers in %d racks".formatted(name, gpus(), servers(), racks());
    }

    /** Gathers racks of servers; the order of the calls is the order of the indices. */
    public static final class Builder {
        private final String name;
        private final Fabric fabric;
        private final List<ServerSpec> servers = new ArrayList<>();
        private final List<Integer> rackSizes = new ArrayList<>();
        private int racksPerPod = Integer.MAX_VALUE;

        public Builder(String name, Fabric fabric) {
            this.name = name;
            this.fabric = fabric;
        }

        /** Adds a rack with at least one server. */
        public Builder rack(List<ServerSpec> rackServers) {
            if (rackServers.isEmpty()) {
                throw new IllegalArgumentException("rack (%d) of %s has no server".formatted(rackSizes.size(), name));
            }
            servers.addAll(rackServers);
            rackSizes.add(rackServers.size());
            return this;
        }

        /** How many neighbouring racks share a spine; all of them unless said. */
        public Builder racksPerPod(int racks) {
            if (racks < 1) {
                throw new IllegalArgumentException("racks per pod (%d) must be at least 1".formatted(racks));
            }
            racksPerPod = racks;
            return this;
        }

        public Topology build() {
            return new Topology(this);
        }
    }
}
