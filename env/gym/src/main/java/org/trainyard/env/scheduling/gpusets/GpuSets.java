package org.trainyard.env.scheduling.gpusets;

import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.ServerInterior;
import org.trainyard.env.topology.Topology;

/**
 * The sets of free GPUs of a server that a gang would take: the one with the widest ring, and the one whose loss harms
 * the next gangs least. Ours: the quality of free GPUs for the next gangs is the mean, over all sizes of a gang, of the
 * widest ring that is left over the widest that so many GPUs have anywhere. Every answer is found once for all servers
 * of an interior, O(sets of the free GPUs).
 */
public final class GpuSets {
    private final Topology topology;
    private final Known[] known;

    /** Cached answers for an interior. */
    private static final class Known {
        /** By free GPUs, the quality of these; negative when not known. */
        private final double[] quality;
        /** By free GPUs, size and rule, the set. */
        private final Long2LongOpenHashMap chosen = new Long2LongOpenHashMap();

        Known(int gpus) {
            quality = new double[1 << gpus];
            Arrays.fill(quality, -1);
        }
    }

    public GpuSets(Topology topology) {
        this.topology = topology;
        known = new Known[topology.servers()];
        Map<ServerInterior, Known> byInterior = new HashMap<>();
        for (int server = 0; server < known.length; server++) {
            ServerInterior interior = topology.inside().of(server);
            known[server] = topology.inside().hasOwn(server)
                    ? byInterior.computeIfAbsent(interior, one -> new Known(one.gpus()))
                    : byInterior.computeIfAbsent(interior, one -> new Known(0));
        }
    }

    /** The free GPUs of a server, as a bit set counted within it. */
    public static long free(SimView view, int server) {
        int first = view.topology().firstGpu(server);
        long free = 0;
        for (int gpu = 0; gpu < view.topology().gpusOn(server); gpu++) {
            if (view.cluster().owner(first + gpu) == Cluster.FREE) {
                free |= 1L << gpu;
            }
        }
        return free;
    }

    /** The set of so many of these GPUs with the widest ring, then with the least loss, then the lowest. */
    public long widest(int server, long free, int size) {
        return chosen(server, free, size, false);
    }

    /** The set of so many of these GPUs with the least loss, then with the widest ring, then the lowest. */
    public long sparing(int server, long free, int size) {
        return chosen(server, free, size, true);
    }

    /** Loss of the next gangs by a set, 0 to 1: the quality of the free GPUs with it less that without. */
    public double loss(int server, long free, long set) {
        return quality(server, free) - quality(server, free & ~set);
    }

    /** Quality of these GPUs for the next gangs, 0 to 1. */
    public double quality(int server, long free) {
        if (!topology.inside().hasOwn(server)) {
            return ofUniform(server, Long.bitCount(free));
        }
        double[] quality = known[server].quality;
        int at = (int) free;
        if (quality[at] < 0) {
            double sum = 0;
            int sizes = topology.gpusOn(server);
            double[] widest = new double[sizes + 1];
            for (long set = free; set != 0; set = (set - 1) & free) {
                int size = Long.bitCount(set);
                if (size > 1) {
                    widest[size] =
                            Math.max(widest[size], topology.inside().of(server).ring(set));
                }
            }
            for (int size = 2; size <= sizes; size++) {
                sum += widest[size] / topology.inside().best(size);
            }
            quality[at] = sizes < 2 ? 0 : sum / (sizes - 1);
        }
        return quality[at];
    }

    public double qualityOfAll(int server) {
        int gpus = topology.gpusOn(server);
        return gpus == 0 ? 0 : quality(server, -1L >>> (64 - gpus));
    }

    private double ofUniform(int server, int free) {
        double sum = 0;
        for (int size = 2; size <= free; size++) {
            sum += topology.inside().of(server).ring(-1L >>> (64 - size))
                    / topology.inside().best(size);
        }
        return sum / Math.max(1, topology.gpusOn(server) - 1);
    }

    private long chosen(int server, long free, int size, boolean spares) {
        if (size == Long.bitCount(free)) {
            return free;
        }
        Long2LongOpenHashMap sets = known[server].chosen;
        long key = (free << 7 | size) << 1 | (spares ? 1 : 0);
        long set = sets.get(key);
        if (set == 0) {
            set = choose(server, free, size, spares);
            sets.put(key, set);
        }
        return set;
    }

    private long choose(int server, long free, int size, boolean spares) {
        ServerInterior interior = topology.inside().of(server);
        long best = 0;
        double bestRing = 0;
        double bestLeft = 0;
        for (long set = free; set != 0; set = (set - 1) & free) {
            if (Long.bitCount(set) == size) {
                double ring = size > 1 ? interior.ring(set) : 0;
                double left = quality(server, free & ~set);
                double first = spares ? left - bestLeft : ring - bestRing;
                double second = spares ? ring - bestRing : left - bestLeft;
                if (best == 0 || first > 0 || (first == 0 && second >= 0)) {
                    best = set;
                    bestRing = ring;
                    bestLeft = left;
                }
            }
        }
        return best;
    }
}
