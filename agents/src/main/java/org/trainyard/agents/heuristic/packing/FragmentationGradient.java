package org.trainyard.agents.heuristic.packing;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.scheduling.placement.ServerScore;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/**
 * Fragmentation gradient descent (FGD): the server, and for a part of a GPU the GPU, where fragmentation grows least.
 *
 * <p>Source: Q. Weng, L. Yang, Y. Yu, W. Wang, X. Tang, G. Yang, L. Zhang: Beware of fragmentation: scheduling GPU-sharing workloads with
 * fragmentation gradient descent, USENIX ATC 2023, and its simulator: points are {@code 100 / (1 + exp(growth))}, growth of
 * {@link Fragmentation} in GPUs, cut to a whole number, so that many servers are equally good. Our deviation: (1) without a target
 * workload, as in ordinary runs, it is that of the jobs submitted so far, counted anew whenever there are a tenth more.
 *
 * <p>Points are kept until their server changes, so a decision costs O(GPUs) and O(kinds of the target x GPUs) for each server that has
 * changed since a like job came.
 */
final class FragmentationGradient implements ServerScore {
    private static final double FULL = 100;
    private static final double RECOUNT_GROWTH = 1.1;
    private static final int DEMANDS_KEPT = 1000;

    /** The points of every server for one demand, as of a version of the server, and the GPU they are for. */
    private static final class Kept {
        final int[] version;
        final byte[] points;
        final byte[] gpu;

        Kept(int servers) {
            version = new int[servers];
            points = new byte[servers];
            gpu = new byte[servers];
        }
    }

    private final Topology topology;
    private final Fragmentation fragmentation;
    private final TargetWorkload.@Nullable Counter seen;
    private final Map<Demand, Kept> keptByDemand = new HashMap<>();
    private final int[] gpus;
    private @Nullable Demand last;
    private @Nullable Kept lastKept;
    private int recountAt;

    /** @param target what fragmentation is measured by; null to learn it from the jobs submitted */
    FragmentationGradient(Topology topology, @Nullable TargetWorkload target) {
        this.topology = topology;
        fragmentation = new Fragmentation(topology, target == null ? new TargetWorkload.Counter().target() : target);
        seen = target == null ? new TargetWorkload.Counter() : null;
        gpus = new int[Math.max(1, topology.widestServer())];
    }

    @Override
    public long of(SimView view, Demand demand, int server) {
        return look(view, demand, server).points[server];
    }

    @Override
    public int gpu(SimView view, Demand demand, int server) {
        return topology.firstGpu(server) + look(view, demand, server).gpu[server];
    }

    private Kept look(SimView view, Demand demand, int server) {
        learn(view);
        Kept kept = kept(demand);
        int version = fragmentation.look(view, server);
        if (kept.version[server] != version) {
            kept.version[server] = version;
            if (ServerScore.isPart(demand)) {
                chooseGpu(view, demand, server, kept);
            } else {
                kept.points[server] = points(server, demand, tightest(view, demand, server));
            }
        }
        return kept;
    }

    private Kept kept(Demand demand) {
        Kept kept = lastKept;
        if (kept == null || !demand.equals(last)) {
            if (keptByDemand.size() > DEMANDS_KEPT) {
                keptByDemand.clear();
            }
            kept = keptByDemand.computeIfAbsent(demand, any -> new Kept(topology.servers()));
            last = demand;
            lastKept = kept;
        }
        return kept;
    }

    private void learn(SimView view) {
        if (seen == null || view.arrived() < recountAt) {
            return;
        }
        for (int job = seen.jobs(); job < view.arrived(); job++) {
            seen.add(view.job(job).demand());
        }
        recountAt = (int) Math.ceil(view.arrived() * RECOUNT_GROWTH);
        fragmentation.retarget(seen.target());
    }

    private void chooseGpu(SimView view, Demand demand, int server, Kept kept) {
        boolean isFirst = true;
        for (int gpu = 0; gpu < topology.gpusOn(server); gpu++) {
            if (view.cluster().fitsOn(topology.firstGpu(server) + gpu, demand) && !isLikeOneBefore(server, gpu)) {
                gpus[0] = gpu;
                byte points = points(server, demand, 1);
                if (isFirst || points > kept.points[server]) {
                    kept.points[server] = points;
                    kept.gpu[server] = (byte) gpu;
                    isFirst = false;
                }
            }
        }
    }

    private boolean isLikeOneBefore(int server, int gpu) {
        for (int before = 0; before < gpu; before++) {
            if (fragmentation.leftMilli(server, before) == fragmentation.leftMilli(server, gpu)) {
                return true;
            }
        }
        return false;
    }

    /** Lists the GPUs with least left that the job would get, and says how many; a job without GPUs gets none. */
    private int tightest(SimView view, Demand demand, int server) {
        int count = 0;
        long taken = 0;
        while (count < demand.gpus()) {
            int best = SimView.NONE;
            for (int gpu = 0; gpu < topology.gpusOn(server); gpu++) {
                boolean fits =
                        (taken & (1L << gpu)) == 0 && view.cluster().fitsOn(topology.firstGpu(server) + gpu, demand);
                if (fits
                        && (best == SimView.NONE
                                || fragmentation.leftMilli(server, gpu) < fragmentation.leftMilli(server, best))) {
                    best = gpu;
                }
            }
            taken |= 1L << best;
            gpus[count++] = best;
        }
        return count;
    }

    private byte points(int server, Demand demand, int count) {
        double growth = fragmentation.growthMilli(server, demand, gpus, count) / Demand.WHOLE;
        return (byte) (FULL / (1 + Math.exp(growth)));
    }
}
