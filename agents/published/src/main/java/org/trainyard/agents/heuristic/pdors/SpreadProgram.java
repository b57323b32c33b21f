package org.trainyard.agents.heuristic.pdors;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.linear.BoxedProgram;
import org.trainyard.agents.heuristic.linear.BoxedProgram.Row;

/** The linear relaxation of the workers and servers of a job on several machines in one slot. */
final class SpreadProgram {
    private final Ledger ledger;
    private final ServerJob job;
    private final int slot;

    SpreadProgram(Ledger ledger, ServerJob job, int slot) {
        this.ledger = ledger;
        this.job = job;
        this.slot = slot;
    }

    /** Workers, then servers, of each of the machines; null when nothing is feasible. */
    double @Nullable [] solve(int[] machines, int workers, double[] workerPrice, double[] serverPrice) {
        int count = machines.length;
        double[] costs = new double[2 * count];
        double[] upper = new double[2 * count];
        for (int i = 0; i < count; i++) {
            costs[i] = workerPrice[machines[i]];
            costs[count + i] = serverPrice[machines[i]];
        }
        for (int i = 0; i < costs.length; i++) {
            // A machine that lacks a resource has an infinite price.
            boolean isPossible = costs[i] < Double.POSITIVE_INFINITY;
            upper[i] = isPossible ? Double.POSITIVE_INFINITY : 0;
            costs[i] = isPossible ? costs[i] : 0;
        }
        int[] all = new int[2 * count];
        Arrays.setAll(all, i -> i);
        double[] sum = new double[count];
        Arrays.fill(sum, 1);
        double[] balance = new double[2 * count];
        Arrays.fill(balance, 0, count, -1);
        Arrays.fill(balance, count, 2 * count, job.workersPerServer());
        List<Row> rows = new ArrayList<>();
        rows.add(new Row(Arrays.copyOf(all, count), sum, workers, job.mostWorkers()));
        rows.add(new Row(all, balance, 0, Double.POSITIVE_INFINITY));
        for (int i = 0; i < count; i++) {
            for (int r = 0; r < ledger.resources(); r++) {
                double worker = job.workerDemand()[r];
                double server = job.serverDemand()[r];
                if (worker > 0 || server > 0) {
                    rows.add(new Row(
                            new int[] {i, count + i},
                            new double[] {worker, server},
                            Double.NEGATIVE_INFINITY,
                            Math.max(0, ledger.free(slot, machines[i], r))));
                }
            }
        }
        return count == 0 ? null : BoxedProgram.minimise(costs, upper, rows);
    }
}
