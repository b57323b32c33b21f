package org.trainyard.agents.heuristic.slots;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import org.trainyard.agents.heuristic.elastic.GpusByServer;
import org.trainyard.env.simulation.SimView;

/**
 * Dominant resource fairness over elastic jobs, slot by slot: every job gets one worker more in turn, from the fewest
 * that it can run on, until all have what they can use or the cluster is full.
 *
 * <p>Sources: A. Ghodsi et al.: Dominant resource fairness, NSDI 2011; P. Sun et al.: Dorm, ICDCS 2017, the baseline of
 * PD-ORS. Our deviations: (1) GPUs are the one resource, so the dominant share is that of GPUs; (2) Dorm's limits on
 * changes are left out.
 */
public final class DominantShares implements SlotAllocator {
    private static final double[] ONE_GPU = {1};

    @Override
    public SlotAllocation allocate(SimView view, SlotJobs jobs, long slot) {
        SlotNetwork network = SlotCapacity.network(view, jobs);
        IntArrayList served = new IntArrayList();
        int[] shares = shares(view, jobs, (int) Math.round(network.total(0)), served);
        SlotAllocation allocation = new SlotAllocation();
        for (int i = 0; i < shares.length; i++) {
            GpusByServer row = network.embed(ONE_GPU, shares[i], 0);
            row = row == null ? GpusByServer.NONE : row;
            network.take(ONE_GPU, row, 0);
            allocation.give(served.getInt(i), row);
        }
        return allocation;
    }

    /**
     * Workers of the jobs that hold GPUs or get some.
     *
     * @param served takes these jobs
     */
    private static int[] shares(SimView view, SlotJobs jobs, int gpus, IntArrayList served) {
        QuotaBudget quotas = new QuotaBudget(view, jobs);
        IntArrayList least = new IntArrayList();
        int left = gpus;
        SlotJobs.Scan scan = jobs.scan();
        for (int job = scan.next(left); job != SimView.NONE; job = scan.next(left)) {
            int fewest = view.job(job).demand().minGpus();
            int share = fewest <= left ? quotas.claim(job, fewest, fewest) : 0;
            left -= share;
            served.add(job);
            least.add(share);
        }
        return grown(view, quotas, served, least.toIntArray(), left, gpus);
    }

    /** Shares that grow in turn while GPUs are left. */
    private static int[] grown(
            SimView view, QuotaBudget quotas, IntArrayList served, int[] shares, int free, int gpus) {
        int[] most = new int[shares.length];
        int highest = 0;
        IntArrayList growing = new IntArrayList();
        for (int i = 0; i < shares.length; i++) {
            int job = served.getInt(i);
            int more = shares[i] == 0 ? 0 : view.job(job).demand().maxGpus() - shares[i];
            most[i] = shares[i] + quotas.claim(job, Math.min(more, gpus), 0);
            if (shares[i] < most[i]) {
                growing.add(i);
                highest = Math.max(highest, most[i]);
            }
        }
        int left = free;
        for (int level = 1; left > 0 && level < highest; level++) {
            for (int at = 0; at < growing.size() && left > 0; at++) {
                int i = growing.getInt(at);
                if (shares[i] == level && shares[i] < most[i]) {
                    shares[i]++;
                    left--;
                }
            }
        }
        return shares;
    }
}
