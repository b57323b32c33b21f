package org.trainyard.agents.heuristic.slots;

import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import org.trainyard.env.simulation.SimView;

/** The GPUs that the quota of each virtual cluster leaves to the jobs of a slot, of which they claim parts in turn. */
public final class QuotaBudget {
    private final SimView view;
    private final SlotJobs jobs;
    /** By tenant that has claimed, the rest of its budget. */
    private final Int2IntOpenHashMap left = new Int2IntOpenHashMap();

    public QuotaBudget(SimView view, SlotJobs jobs) {
        this.view = view;
        this.jobs = jobs;
    }

    /**
     * GPUs that the virtual cluster of a job allows beyond those held by jobs outside the slot. O(jobs that hold GPUs).
     */
    private int budget(int job, int tenant) {
        int budget = unused(job);
        for (int holder = jobs.firstHolder(); holder != SimView.NONE; holder = jobs.nextHolder(holder)) {
            budget += view.tenant(holder) == tenant ? view.placement(holder).gpuCount() : 0;
        }
        return budget;
    }

    /** The most GPUs that the job's quota allows beyond those that its virtual cluster holds now. */
    private int unused(int job) {
        int low = 0;
        int high = view.topology().gpus();
        while (low < high) {
            int middle = (low + high + 1) / 2;
            if (view.isWithinQuota(job, middle)) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /**
     * Claims GPUs for a job: as many as it wants when its quota allows, all that are left when these are enough for it,
     * else none.
     */
    public int claim(int job, int wanted, int fewest) {
        int tenant = view.tenant(job);
        if (tenant == SimView.NONE) {
            return wanted;
        }
        if (!left.containsKey(tenant)) {
            left.put(tenant, budget(job, tenant));
        }
        int claimed = Math.min(wanted, left.get(tenant));
        claimed = claimed < fewest ? 0 : claimed;
        left.addTo(tenant, -claimed);
        return claimed;
    }
}
