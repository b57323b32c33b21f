package org.trainyard.agents.heuristic.slots;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.elastic.GpusByServer;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.workload.Demand;

/** GPUs that an allocation leaves: they go to the jobs without any, in order of submission, each as many as it was submitted for, or fewer. */
public final class LeftOverGpus {
    private static final double[] ONE_GPU = {1};

    private LeftOverGpus() {}

    /**
     * Fills the rows that are null and wanted.
     *
     * @param rows by job; those that stand are kept
     * @param network what they leave
     */
    public static void deal(SimView view, List<Integer> jobs, List<@Nullable GpusByServer> rows, SlotNetwork network) {
        QuotaBudget quotas = new QuotaBudget(view, jobs);
        for (int i = 0; i < rows.size(); i++) {
            GpusByServer row = rows.get(i);
            if (row != null) {
                quotas.claim(jobs.get(i), row.total(), 0);
            }
        }
        for (int i = 0; i < rows.size(); i++) {
            if (rows.get(i) == null) {
                GpusByServer row = row(view, jobs.get(i), network, quotas);
                network.take(ONE_GPU, row, 0);
                rows.set(i, row);
            }
        }
    }

    private static GpusByServer row(SimView view, int job, SlotNetwork network, QuotaBudget quotas) {
        Demand demand = view.job(job).demand();
        GpusByServer own = GpusByServer.heldBy(view, job);
        boolean stays = own.total() > 0 && areFree(own, network);
        int most = stays ? own.total() : Math.min(demand.gpus(), (int) Math.round(network.total(0)));
        int gpus = most < demand.minGpus() ? 0 : quotas.claim(job, most, demand.minGpus());
        if (stays && gpus == own.total()) {
            return own;
        }
        GpusByServer row = network.embed(ONE_GPU, gpus, 0);
        return row == null ? GpusByServer.NONE : row;
    }

    private static boolean areFree(GpusByServer gpus, SlotNetwork network) {
        for (int i = 0; i < gpus.serverCount(); i++) {
            if (gpus.gpusOn(i) > network.room(gpus.server(i), ONE_GPU)) {
                return false;
            }
        }
        return true;
    }
}
