package org.trainyard.agents.heuristic.sjfbco;

import it.unimi.dsi.fastutil.ints.IntArrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.placing.BestFit;
import org.trainyard.agents.heuristic.placing.CandidateServers;
import org.trainyard.agents.heuristic.placing.ConstrainedFit;
import org.trainyard.agents.heuristic.placing.GangBuilder;
import org.trainyard.env.Invalid;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;

/**
 * The placement of SJF-BCO for jobs that arrive one by one: small jobs go to servers in use, large ones to the servers
 * that will be least busy.
 *
 * <p>Source: M. Yu, B. Ji, H. Rajan, J. Liu: On scheduling ring-all-reduce learning jobs in multi-tenant GPU clusters
 * with communication contention, MobiHoc 2022. The paper's rules compare GPUs by the time for which they are booked
 * from the start of the batch. Ours:
 *
 * <ol>
 *   <li>A GPU is booked for the predicted remaining time of its job, so an idle one for nothing: every cap theta admits
 *       all idle GPUs, and there is nothing to bisect.
 *   <li>Small jobs, of up to {@code kappa} GPUs: idle GPUs are all booked equally, and ties follow the stated purpose
 *       of the rule, to fill servers in use: {@link BestFit}.
 *   <li>Large jobs: servers with idle GPUs in order of booked time per GPU, just enough of them to have {@code lambda}
 *       times the job's GPUs idle; of these the ones with most idle GPUs, so that the ring is short. So {@code lambda}
 *       trades quiet servers for short rings.
 *   <li>Jobs without GPUs, or for one server: {@link BestFit}.
 * </ol>
 *
 * A large job costs O(servers log servers + running jobs).
 */
final class BalancedFit implements Placer {
    private final GangBuilder gang = new GangBuilder();
    private final Placer fill = new BestFit();
    private final int kappa;
    private final double lambda;

    /**
     * @param kappa GPUs of the largest job that counts as small
     * @param lambda ratio of idle GPUs on the servers considered for a large job to its GPUs, at least 1
     */
    BalancedFit(int kappa, double lambda) {
        Invalid.when(
                kappa < 0 || !(lambda >= 1), "kappa (%d) must be 0 or more, lambda (%s) at least 1", kappa, lambda);
        this.kappa = kappa;
        this.lambda = lambda;
    }

    @Override
    public @Nullable Placement place(SimView view, JobSpec job) {
        if (job.gpus() <= Math.max(1, kappa) || job.demand().oneServer()) {
            return fill.place(view, job);
        }
        PlacementBuilder builder = gang.ifRoom(view, job);
        if (builder == null) {
            return null;
        }
        double[] booked = bookedSeconds(view);
        int[] servers = CandidateServers.sorted(builder, booked.length, server -> booked[server]);
        int considered = 0;
        for (int idle = 0; considered < servers.length && idle < lambda * job.gpus(); considered++) {
            idle += builder.available(servers[considered]);
        }
        IntArrays.mergeSort(
                servers, 0, considered, (a, b) -> Integer.compare(builder.available(b), builder.available(a)));
        return ConstrainedFit.fill(builder, job.demand(), considered, i -> servers[i]);
    }

    /** Booked time per GPU of every server, seconds. */
    private static double[] bookedSeconds(SimView view) {
        double[] bookedSeconds = new double[view.topology().servers()];
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            Placement placement = view.placement(job);
            double left = view.predictedRemainingSeconds(job);
            for (int i = 0; i < placement.serverCount(); i++) {
                int server = placement.server(i);
                int all = Math.max(1, view.topology().gpusOn(server));
                bookedSeconds[server] += left * placement.gpusOn(i) / all;
            }
        }
        return bookedSeconds;
    }
}
