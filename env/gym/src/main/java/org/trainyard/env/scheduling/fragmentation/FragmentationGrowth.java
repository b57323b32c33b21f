package org.trainyard.env.scheduling.fragmentation;

import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/**
 * The growth of {@link Fragmentation} when a job starts, by which FGD chooses servers and GPUs.
 *
 * <p>Source: Q. Weng et al.: Beware of fragmentation: scheduling GPU-sharing workloads with fragmentation gradient
 * descent, USENIX ATC 2023. Our deviation: (1) the target workload is the first jobs submitted so far: as many as the
 * largest member of a fixed sequence, in which each is a tenth more than the one before, so that it depends on the
 * state alone. O(kinds of the target x GPUs of the server).
 */
public final class FragmentationGrowth {
    private static final double RECOUNT_GROWTH = 1.1;

    private final Fragmentation fragmentation;
    private final TargetWorkload.Counter seen = new TargetWorkload.Counter();
    private final int[] gpus;
    private int recountAt = 1;

    public FragmentationGrowth(Topology topology) {
        fragmentation = new Fragmentation(topology, seen.target());
        gpus = new int[Math.max(1, topology.widestServer())];
    }

    private void update(SimView view, int server) {
        boolean isOld = false;
        while (view.arrived() >= recountAt) {
            while (seen.jobs() < recountAt) {
                seen.add(view.job(seen.jobs()).demand());
            }
            recountAt = Math.max(recountAt + 1, (int) Math.ceil(recountAt * RECOUNT_GROWTH));
            isOld = true;
        }
        if (isOld) {
            fragmentation.retarget(seen.target());
        }
        fragmentation.read(view, server);
    }

    /**
     * GPUs that become useless to the target workload if one worker gets this GPU, which has room for it; below 0 for
     * fewer than before.
     */
    public double onGpu(SimView view, Demand demand, int gpu) {
        int server = view.topology().serverOf(gpu);
        update(view, server);
        gpus[0] = gpu - view.topology().firstGpu(server);
        return fragmentation.growthMilli(server, demand, gpus, 1) / Demand.WHOLE;
    }

    /**
     * GPUs that become useless to the target workload if a number of workers get free GPUs of the server, which has
     * room for them; below 0 for fewer than before. A job without GPUs gets none.
     */
    public double onServer(SimView view, Demand demand, int server, int workers) {
        update(view, server);
        int count = 0;
        for (int gpu = 0; gpu < view.topology().gpusOn(server) && count < Math.min(workers, demand.gpus()); gpu++) {
            if (view.cluster().fitsOn(view.topology().firstGpu(server) + gpu, demand)) {
                gpus[count++] = gpu;
            }
        }
        Demand here = workers >= demand.gpus()
                ? demand
                : demand.withHost(demand.cpuMilliOf(workers), demand.memoryMibOf(workers));
        return fragmentation.growthMilli(server, here, gpus, count) / Demand.WHOLE;
    }
}
