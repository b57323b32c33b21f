package org.trainyard.agents.heuristic.packing;

import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.placing.BestFit;
import org.trainyard.agents.heuristic.placing.GangBuilder;
import org.trainyard.agents.linkestimates.MapaPrediction;
import org.trainyard.env.performance.ring.RingSlowdown;
import org.trainyard.env.scheduling.gpusets.GpuSets;
import org.trainyard.env.scheduling.gpusets.SetChoice;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerInterior;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/**
 * The policy Preserve of K. Ranganath, J. D. Suetterlein, J. B. Manzano, S. L. Song, D. Wong: MAPA: multi-accelerator
 * pattern allocation policy for multi-tenant GPU servers, SC 2021: a gang that is sensitive to bandwidth takes the ring
 * of free GPUs with the greatest predicted bandwidth; any other, and a job of one GPU, the free GPUs that leave the
 * most bandwidth of NVLink between those that stay free, of equals those with the most bandwidth along their own ring.
 *
 * <p>Certain, from the program that the authors released: this rule, the prediction from the numbers of double links,
 * single links and PCIe along a ring ({@link MapaPrediction}), that first found wins between equals, and that the head
 * of the queue blocks. Ours: (1) several servers, of which all GPUs are compared, the first of equals; what stays free
 * is that of the whole cluster; (2) a link of 40 GB/s or more is a double one, and NVLink through switches has double
 * links everywhere; (3) who is sensitive, which the authors' job files say: whom the narrowest ring slows down by more
 * than a tenth; (4) a gang wider than any server is placed by {@link BestFit}.
 */
public final class Mapa implements Placer {
    private final RingSlowdown slowdown;
    private final GangBuilder gang = new GangBuilder();
    private final BestFit wider = new BestFit();

    public Mapa(Topology topology) {
        slowdown = new RingSlowdown(topology);
    }

    @Override
    public @Nullable Placement place(SimView view, JobSpec job) {
        if (job.gpus() < 1
                || job.gpus() > view.topology().widestServer()
                || !job.demand().isPlain()) {
            return wider.place(view, job);
        }
        boolean isSensitive = job.gpus() > 1 && slowdown.most(job) > SetChoice.SENSITIVE;
        int best = SimView.NONE;
        long bestSet = 0;
        double bestFirst = Double.NEGATIVE_INFINITY;
        double bestSecond = Double.NEGATIVE_INFINITY;
        for (int server = 0; server < view.topology().servers(); server++) {
            long free = GpuSets.free(view, server);
            if (Long.bitCount(free) < job.gpus()) {
                continue;
            }
            ServerInterior interior = view.topology().inside().of(server);
            MapaPrediction rings = new MapaPrediction(interior);
            double before = rings.nvlinks(free);
            for (long set = lowest(free, job.gpus()); set != 0; set = next(set, free)) {
                double first = isSensitive ? rings.predicted(set) : rings.nvlinks(free & ~set) - before;
                double second = isSensitive ? 0 : rings.alongRing(set);
                if (first > bestFirst || (first == bestFirst && second > bestSecond)) {
                    best = server;
                    bestSet = set;
                    bestFirst = first;
                    bestSecond = second;
                }
            }
        }
        if (best == SimView.NONE) {
            return job.demand().oneServer() ? null : wider.place(view, job);
        }
        PlacementBuilder builder = gang.on(view, job.demand());
        builder.take(best, job.gpus(), bestSet);
        return builder.build();
    }

    private static long lowest(long free, int size) {
        return deposit((1L << size) - 1, free);
    }

    /** The next set of the size among the free GPUs; 0 after the last. */
    private static long next(long set, long free) {
        long compact = 0;
        int bit = 0;
        for (long left = free; left != 0; left &= left - 1, bit++) {
            compact |= (set & left & -left) != 0 ? 1L << bit : 0;
        }
        long low = compact & -compact;
        long ripple = compact + low;
        long following = ripple | (((compact ^ ripple) >>> 2) / low);
        return following >= 1L << Long.bitCount(free) ? 0 : deposit(following, free);
    }

    /** The GPUs of {@code free} at these places. */
    private static long deposit(long places, long free) {
        long set = 0;
        int bit = 0;
        for (long left = free; left != 0; left &= left - 1, bit++) {
            set |= (places >>> bit & 1) != 0 ? left & -left : 0;
        }
        return set;
    }
}
