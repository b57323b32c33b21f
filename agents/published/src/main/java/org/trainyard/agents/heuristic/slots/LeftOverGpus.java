package org.trainyard.agents.heuristic.slots;

import org.trainyard.agents.heuristic.elastic.GpusByServer;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.workload.Demand;

/**
 * GPUs that an allocation leaves: they go to the jobs without any, in order of submission, each as many as it was
 * submitted for, or fewer.
 */
public final class LeftOverGpus {
    private static final double[] ONE_GPU = {1};

    private final SimView view;
    private final SlotNetwork network;
    private final QuotaBudget quotas;

    private LeftOverGpus(SimView view, SlotNetwork network, QuotaBudget quotas) {
        this.view = view;
        this.network = network;
        this.quotas = quotas;
    }

    /**
     * The allocation with what the other jobs get. O(jobs that hold GPUs or get some).
     *
     * @param allocation of some of the jobs, which stands
     * @param network what they leave
     */
    public static SlotAllocation deal(SimView view, SlotJobs jobs, SlotAllocation allocation, SlotNetwork network) {
        QuotaBudget quotas = new QuotaBudget(view, jobs);
        for (int i = 0; i < allocation.size(); i++) {
            GpusByServer row = allocation.gpus(i);
            if (row != null) {
                quotas.claim(allocation.job(i), row.total(), 0);
            }
        }
        return new LeftOverGpus(view, network, quotas).deal(jobs, allocation);
    }

    private SlotAllocation deal(SlotJobs jobs, SlotAllocation standing) {
        SlotAllocation all = new SlotAllocation();
        SlotJobs.Scan scan = jobs.scan();
        int at = 0;
        for (int job = scan.next(left()); job != SimView.NONE; job = scan.next(left())) {
            for (; at < standing.size() && standing.job(at) < job; at++) {
                all.copy(standing, at);
            }
            if (at < standing.size() && standing.job(at) == job) {
                continue;
            }
            GpusByServer row = row(job);
            network.take(ONE_GPU, row, 0);
            all.give(job, row);
        }
        for (; at < standing.size(); at++) {
            all.copy(standing, at);
        }
        return all;
    }

    private int left() {
        return (int) Math.round(network.total(0));
    }

    private GpusByServer row(int job) {
        Demand demand = view.job(job).demand();
        GpusByServer own = GpusByServer.heldBy(view, job);
        boolean stays = own.total() > 0 && areFree(own);
        int most = stays ? own.total() : Math.min(demand.gpus(), left());
        int gpus = most < demand.minGpus() ? 0 : quotas.claim(job, most, demand.minGpus());
        if (stays && gpus == own.total()) {
            return own;
        }
        GpusByServer row = network.embed(ONE_GPU, gpus, 0);
        return row == null ? GpusByServer.NONE : row;
    }

    private boolean areFree(GpusByServer gpus) {
        for (int i = 0; i < gpus.serverCount(); i++) {
            if (gpus.gpusOn(i) > network.room(gpus.server(i), ONE_GPU)) {
                return false;
            }
        }
        return true;
    }
}
