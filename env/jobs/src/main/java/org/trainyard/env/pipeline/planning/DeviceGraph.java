package org.trainyard.env.pipeline.planning;

import java.util.Arrays;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;

/**
 * GPUs joined by links of any bandwidth.
 *
 * <p>The times are those of SPP (Z. Luo et al., 2022): every pair of replicas of two neighbouring stages exchanges its
 * part over its own path, and an all-reduce is a ring over the narrowest pair. On a topology we add: (1) all traffic
 * between the GPUs of two servers also passes the network cards of both, so a transfer lasts at least as long as its
 * busiest card; latencies are left out.
 */
public final class DeviceGraph implements Devices {
    private final double[][] bandwidth;
    private final int[] server;
    private final double[] speed;
    private final double[] memory;
    /** By server. */
    private final double[] card;

    private DeviceGraph(double[][] bandwidth, int[] server, double[] speed, double[] memory, double[] card) {
        this.bandwidth = bandwidth;
        this.server = server;
        this.speed = speed;
        this.memory = memory;
        this.card = card;
    }

    /**
     * Equal GPUs with unlimited memory, each on a server of its own.
     *
     * @param bytesPerSecond symmetric; the diagonal is ignored
     */
    public static DeviceGraph of(double[][] bytesPerSecond) {
        int count = bytesPerSecond.length;
        double[][] copy = new double[count][];
        int[] servers = new int[count];
        for (int i = 0; i < count; i++) {
            copy[i] = bytesPerSecond[i].clone();
            servers[i] = i;
        }
        double[] one = filled(count, 1);
        double[] unlimited = filled(count, Double.POSITIVE_INFINITY);
        return new DeviceGraph(copy, servers, one, unlimited, unlimited.clone());
    }

    /** The GPUs of a placement, in its order. */
    public static DeviceGraph of(Topology topology, Placement placement) {
        int[] gpus = new int[placement.gpuCount()];
        for (int i = 0; i < gpus.length; i++) {
            gpus[i] = placement.gpu(i);
        }
        return of(topology, gpus);
    }

    /** GPUs of a topology, those of a server one after the other. */
    public static DeviceGraph of(Topology topology, int... gpus) {
        int count = gpus.length;
        int[] server = new int[count];
        int[] servers = new int[count];
        int found = 0;
        double[] speed = new double[count];
        double[] memory = new double[count];
        for (int i = 0; i < count; i++) {
            int on = topology.serverOf(gpus[i]);
            if (found == 0 || servers[found - 1] != on) {
                servers[found++] = on;
            }
            server[i] = found - 1;
            speed[i] = topology.server(on).gpuType().speed();
            memory[i] = topology.server(on).gpuType().memoryBytes();
        }
        double[] card = new double[found];
        double[][] between = new double[found][found];
        for (int a = 0; a < found; a++) {
            card[a] = topology.nic(servers[a]).bytesPerSecond();
            for (int b = 0; b < a; b++) {
                between[a][b] =
                        topology.routes().between(servers[a], servers[b]).bytesPerSecond();
                between[b][a] = between[a][b];
            }
        }
        double[][] bandwidth = new double[count][count];
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < count; j++) {
                bandwidth[i][j] =
                        server[i] == server[j] ? inside(topology, gpus[i], gpus[j]) : between[server[i]][server[j]];
            }
        }
        return new DeviceGraph(bandwidth, server, speed, memory, card);
    }

    private static double inside(Topology topology, int gpuA, int gpuB) {
        int on = topology.serverOf(gpuA);
        int first = topology.firstGpu(on);
        return topology.inside().bytesPerSecond(on, gpuA - first, gpuB - first);
    }

    private static double[] filled(int count, double value) {
        double[] values = new double[count];
        Arrays.fill(values, value);
        return values;
    }

    /** Returns this graph with the bandwidth of every path between servers, and of every network card, capped. */
    public DeviceGraph withNetwork(double mostBytesPerSecond) {
        double[][] capped = new double[count()][count()];
        for (int i = 0; i < count(); i++) {
            for (int j = 0; j < count(); j++) {
                capped[i][j] = server[i] == server[j] ? bandwidth[i][j] : Math.min(bandwidth[i][j], mostBytesPerSecond);
            }
        }
        double[] cards = Arrays.stream(card)
                .map(bytes -> Math.min(bytes, mostBytesPerSecond))
                .toArray();
        return new DeviceGraph(capped, server, speed, memory, cards);
    }

    /** The least bandwidth of a server's network card. */
    public double narrowestCard() {
        return Arrays.stream(card).min().orElse(Double.POSITIVE_INFINITY);
    }

    @Override
    public int count() {
        return server.length;
    }

    @Override
    public int serverOf(int gpu) {
        return server[gpu];
    }

    @Override
    public double speed(int gpu) {
        return speed[gpu];
    }

    @Override
    public double memoryBytes(int gpu) {
        return memory[gpu];
    }

    @Override
    public double bytesPerSecond(int gpuA, int gpuB) {
        return bandwidth[gpuA][gpuB];
    }

    @Override
    public double allReduceSeconds(int[] gpus, double bytes) {
        double narrowest = Double.POSITIVE_INFINITY;
        for (int i = 0; i < gpus.length; i++) {
            for (int j = 0; j < i; j++) {
                narrowest = Math.min(narrowest, bandwidth[gpus[i]][gpus[j]]);
            }
        }
        return 2.0 * (gpus.length - 1) / gpus.length * bytes / narrowest;
    }

    @Override
    public double transferSeconds(int[] from, int[] to, double bytes) {
        if (bytes == 0) {
            return 0;
        }
        double narrowest = Double.POSITIVE_INFINITY;
        for (int a : from) {
            for (int b : to) {
                narrowest = Math.min(narrowest, bandwidth[a][b]);
            }
        }
        double pair = bytes / ((double) from.length * to.length * narrowest);
        return Math.max(pair, busiestCardSeconds(from, to, bytes));
    }

    private double busiestCardSeconds(int[] from, int[] to, double bytes) {
        double longest = 0;
        for (int s = 0; s < card.length; s++) {
            double sends = share(from, s);
            double receives = share(to, s);
            double crossing = Math.max(sends * (1 - receives), receives * (1 - sends));
            longest = Math.max(longest, crossing * bytes / card[s]);
        }
        return longest;
    }

    private double share(int[] gpus, int ofServer) {
        int here = 0;
        for (int gpu : gpus) {
            here += server[gpu] == ofServer ? 1 : 0;
        }
        return (double) here / gpus.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DeviceGraph graph
                && Arrays.equals(server, graph.server)
                && Arrays.deepEquals(bandwidth, graph.bandwidth)
                && Arrays.equals(card, graph.card)
                && Arrays.equals(speed, graph.speed)
                && Arrays.equals(memory, graph.memory);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(server) + Arrays.hashCode(card) + Arrays.deepHashCode(bandwidth);
    }
}
