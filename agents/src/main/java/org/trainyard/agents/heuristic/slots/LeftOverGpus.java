package org.trainyard.agents.heuristic.slots;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.elastic.AllocationMoves;
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
    public static void deal(SimView view, List<Integer> jobs, List<int @Nullable []> rows, SlotNetwork network) {
        QuotaBudget quotas = new QuotaBudget(view, jobs);
        for (int i = 0; i < rows.size(); i++) {
            int[] row = rows.get(i);
            if (row != null) {
                quotas.claim(jobs.get(i), Arrays.stream(row).sum(), 0);
            }
        }
        for (int i = 0; i < rows.size(); i++) {
            if (rows.get(i) == null) {
                int[] row = row(view, jobs.get(i), network, quotas);
                network.take(ONE_GPU, row, 0);
                rows.set(i, row);
            }
        }
    }

    private static int[] row(SimView view, int job, SlotNetwork network, QuotaBudget quotas) {
        Demand demand = view.job(job).demand();
        int[] own = AllocationMoves.row(view, job);
        int held = Arrays.stream(own).sum();
        boolean stays = stays(own, network);
        int most = stays ? held : Math.min(demand.gpus(), (int) Math.round(network.totals()[0]));
        int gpus = most < demand.minGpus() ? 0 : quotas.claim(job, most, demand.minGpus());
        if (stays && gpus == held) {
            return own;
        }
        int[] row = gpus == 0 ? null : network.embed(ONE_GPU, gpus, 0);
        return row == null ? new int[network.servers()] : row;
    }

    /** Whether the GPUs that a job holds are free in this slot. */
    private static boolean stays(int[] own, SlotNetwork network) {
        for (int server = 0; server < own.length; server++) {
            if (own[server] > network.room(server, ONE_GPU)) {
                return false;
            }
        }
        return Arrays.stream(own).anyMatch(gpus -> gpus > 0);
    }
}
