package org.trainyard.agents.heuristic.slots;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.elastic.GpusByServer;
import org.trainyard.env.simulation.SimView;

/**
 * Dominant resource fairness over elastic jobs, slot by slot: every job gets one worker more in turn, from the fewest that it can run on, until all have what they can use or the cluster is full.
 *
 * <p>Sources: A. Ghodsi et al.: Dominant resource fairness, NSDI 2011; P. Sun et al.: Dorm, ICDCS 2017, the baseline of PD-ORS. Our deviations: (1) GPUs are the one resource, so the dominant share is that of GPUs; (2) Dorm's
 * limits on changes are left out.
 */
public final class DominantShares implements SlotAllocator {
    private static final double[] ONE_GPU = {1};

    @Override
    public List<@Nullable GpusByServer> allocate(SimView view, List<Integer> jobs, long slot) {
        SlotNetwork network = SlotCapacity.network(view, jobs);
        int[] shares = shares(view, jobs, (int) Math.round(network.total(0)));
        List<@Nullable GpusByServer> rows = new ArrayList<>();
        for (int i = 0; i < shares.length; i++) {
            GpusByServer row = network.embed(ONE_GPU, shares[i], 0);
            row = row == null ? GpusByServer.NONE : row;
            network.take(ONE_GPU, row, 0);
            rows.add(row);
        }
        return rows;
    }

    /** Workers by job. */
    private static int[] shares(SimView view, List<Integer> jobs, int gpus) {
        QuotaBudget quotas = new QuotaBudget(view, jobs);
        int[] shares = new int[jobs.size()];
        int left = gpus;
        for (int i = 0; i < shares.length; i++) {
            int fewest = view.job(jobs.get(i)).demand().minGpus();
            shares[i] = fewest <= left ? quotas.claim(jobs.get(i), fewest, fewest) : 0;
            left -= shares[i];
        }
        int[] most = new int[shares.length];
        int highest = 0;
        for (int i = 0; i < shares.length; i++) {
            int more = shares[i] == 0 ? 0 : view.job(jobs.get(i)).demand().maxGpus() - shares[i];
            most[i] = shares[i] + quotas.claim(jobs.get(i), Math.min(more, gpus), 0);
            highest = Math.max(highest, most[i]);
        }
        for (int level = 1; left > 0 && level < highest; level++) {
            for (int i = 0; i < shares.length && left > 0; i++) {
                if (shares[i] == level && shares[i] < most[i]) {
                    shares[i]++;
                    left--;
                }
            }
        }
        return shares;
    }
}
