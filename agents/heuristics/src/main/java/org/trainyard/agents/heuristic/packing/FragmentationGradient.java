package org.trainyard.agents.heuristic.packing;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.placing.ServerScore;
import org.trainyard.env.scheduling.fragmentation.Fragmentation;
import org.trainyard.env.scheduling.fragmentation.TargetWorkload;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/**
 * Fragmentation gradient descent (FGD): the server, and for a part of a GPU the GPU, with the least growth of
 * fragmentation.
 *
 * <p>Source: Q. Weng, L. Yang, Y. Yu, W. Wang, X. Tang, G. Yang, L. Zhang: Beware of fragmentation: scheduling
 * GPU-sharing workloads with fragmentation gradient descent, USENIX ATC 2023, and its simulator: the score is
 * {@code 100 / (1 + exp(growth))}, growth of {@link Fragmentation} in GPUs, truncated, so that many servers tie. Our
 * deviation: (1) without a target workload, as in ordinary runs, the target is the jobs submitted so far, recounted
 * whenever they have grown by a tenth.
 *
 * <p>Scores are cached until their server changes, so a decision costs O(GPUs), and O(kinds of the target x GPUs) for
 * each server that has changed since the last job of equal demand.
 */
final class FragmentationGradient implements ServerScore {
    private static final double FULL = 100;
    private static final double RECOUNT_GROWTH = 1.1;
    private static final int MAX_CACHED_DEMANDS = 1000;

    /** Cached scores of every server for one demand, with the version of the server, and the chosen GPU. */
    private static final class CachedScores {
        final int[] version;
        final byte[] score;
        final byte[] gpu;

        CachedScores(int servers) {
            version = new int[servers];
            score = new byte[servers];
            gpu = new byte[servers];
        }
    }

    private final Topology topology;
    private final Fragmentation fragmentation;
    private final TargetWorkload.@Nullable Counter seen;
    private final Map<Demand, CachedScores> cacheByDemand = new HashMap<>();
    private final int[] gpus;
    private @Nullable Demand last;
    private @Nullable CachedScores lastCached;
    private int recountAt;

    /** @param target the workload against which fragmentation is measured; null to count the submitted jobs */
    FragmentationGradient(Topology topology, @Nullable TargetWorkload target) {
        this.topology = topology;
        fragmentation = new Fragmentation(topology, target == null ? new TargetWorkload.Counter().target() : target);
        seen = target == null ? new TargetWorkload.Counter() : null;
        gpus = new int[Math.max(1, topology.widestServer())];
    }

    @Override
    public long of(SimView view, Demand demand, int server) {
        return update(view, demand, server).score[server];
    }

    @Override
    public int gpu(SimView view, Demand demand, int server) {
        return topology.firstGpu(server) + update(view, demand, server).gpu[server];
    }

    private CachedScores update(SimView view, Demand demand, int server) {
        recount(view);
        CachedScores cached = cached(demand);
        int version = fragmentation.read(view, server);
        if (cached.version[server] != version) {
            cached.version[server] = version;
            if (ServerScore.isPart(demand)) {
                chooseGpu(view, demand, server, cached);
            } else {
                cached.score[server] = score(server, demand, tightest(view, demand, server));
            }
        }
        return cached;
    }

    private CachedScores cached(Demand demand) {
        CachedScores cached = lastCached;
        if (cached == null || !demand.equals(last)) {
            if (cacheByDemand.size() > MAX_CACHED_DEMANDS) {
                cacheByDemand.clear();
            }
            cached = cacheByDemand.computeIfAbsent(demand, any -> new CachedScores(topology.servers()));
            last = demand;
            lastCached = cached;
        }
        return cached;
    }

    /** Counts each job once, before it starts: it is not known for ever. */
    @Override
    public void noteArrivals(SimView view) {
        if (seen == null) {
            return;
        }
        for (int job = seen.jobs(); job < view.arrived(); job++) {
            seen.add(view.job(job).demand());
        }
    }

    private void recount(SimView view) {
        noteArrivals(view);
        if (seen == null || view.arrived() < recountAt) {
            return;
        }
        recountAt = (int) Math.ceil(view.arrived() * RECOUNT_GROWTH);
        fragmentation.retarget(seen.target());
    }

    private void chooseGpu(SimView view, Demand demand, int server, CachedScores cached) {
        boolean isFirst = true;
        for (int gpu = 0; gpu < topology.gpusOn(server); gpu++) {
            if (view.cluster().fitsOn(topology.firstGpu(server) + gpu, demand) && !equalsEarlierGpu(server, gpu)) {
                gpus[0] = gpu;
                byte score = score(server, demand, 1);
                if (isFirst || score > cached.score[server]) {
                    cached.score[server] = score;
                    cached.gpu[server] = (byte) gpu;
                    isFirst = false;
                }
            }
        }
    }

    private boolean equalsEarlierGpu(int server, int gpu) {
        for (int before = 0; before < gpu; before++) {
            if (fragmentation.leftMilli(server, before) == fragmentation.leftMilli(server, gpu)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Lists the GPUs with the least left that the job would get, and returns their number; a job without GPUs gets
     * none.
     */
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

    private byte score(int server, Demand demand, int count) {
        double growth = fragmentation.growthMilli(server, demand, gpus, count) / Demand.WHOLE;
        return (byte) (FULL / (1 + Math.exp(growth)));
    }
}
