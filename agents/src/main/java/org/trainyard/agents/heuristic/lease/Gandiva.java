package org.trainyard.agents.heuristic.lease;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;

/**
 * Gandiva: when more is wanted than there is, jobs take turns; who is spread over servers moves together when it can; parts of GPUs are
 * packed, and taken apart again where the pack does less than one job alone.
 *
 * <p>Whoever has waited longest goes first, and who has had its GPUs for a turn makes way for it. A pack does less than one alone when the
 * reciprocals of its jobs' slowdowns add up to less than 1; then the last submitted moves to a free GPU, and the two models are not
 * packed again.
 *
 * <p>Source: W. Xiao, R. Bhardwaj, R. Ramjee, M. Sivathanu, N. Kwatra, Z. Han, P. Patel, X. Peng, H. Zhao, Q. Zhang, F. Yang, L. Zhou:
 * Gandiva: introspective cluster scheduling for deep learning, OSDI 2018 (as we know it second-hand, and by the class of that name in
 * Dally's simulator). Needs no predictions. Our deviations: (1) a turn is 30 minutes, not one or two: here every change of turns costs a
 * restart, where Gandiva keeps suspended jobs in the host's memory; (2) only demands for part of one GPU are packed, and only where GPUs
 * may be shared, for a demand for a whole GPU is firm here; (3) packs are judged by the slowdown of now rather than before and after, so
 * neighbours elsewhere on the server count too; (4) migration waits for the end of the job's turn; (5) no growing and shrinking.
 */
public final class Gandiva implements Scheduler {
    /** Length of a turn; ours. */
    private static final long TURN_NANOS = 1_800_000_000_000L;

    private final GandivaFit fit;
    private final LeaseScheduler rule;

    /** @param seed of the order in which equal servers are tried */
    public Gandiva(Topology topology, long seed) {
        fit = new GandivaFit(topology, seed);
        rule = new LeaseScheduler(new Turns(), fit, DelayPolicy.NONE, new LeaseScheduler.Terms(TURN_NANOS, true));
    }

    /** Who has waited longest goes first, and everybody makes way at the end of a turn. */
    private static final class Turns implements LeaseScheduler.Order {
        @Override
        public double rank(SimView view, int job) {
            return view.queuedSinceNanos(job);
        }

        @Override
        public boolean displaces(double newcomer, double holder) {
            return true;
        }
    }

    @Override
    public Decision decide(SimView view) {
        Decision decision = rule.decide(view);
        if (decision instanceof Decision.Wait && view.cluster().isShared()) {
            Decision apart = takeApart(view);
            return apart != null ? apart : decision;
        }
        return decision;
    }

    /** Moves a job out of a pack that does less than one job alone to a GPU of its own, or null when there is none of either. */
    private @Nullable Decision takeApart(SimView view) {
        if (view.cluster().free() == 0) {
            return null;
        }
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            JobSpec spec = view.job(job);
            if (GandivaFit.isPackable(view, spec.demand()) && isLastOfBadPack(view, job)) {
                Placement where = fit.place(view, spec);
                if (where != null && view.cluster().freeMilli(where.gpu(0)) == Demand.WHOLE) {
                    return new Decision.Resize(job, where);
                }
            }
        }
        return null;
    }

    /** Whether the job is the last submitted of several on its GPU that together do less than one alone; they are remembered then. */
    private boolean isLastOfBadPack(SimView view, int job) {
        int gpu = view.placement(job).gpu(0);
        int server = view.topology().serverOf(gpu);
        double done = 1 / view.slowdown(job);
        int others = 0;
        for (int i = 0; i < view.jobsOn(server); i++) {
            int other = view.jobOn(server, i);
            if (other != job && GandivaFit.holds(view, other, gpu)) {
                others++;
                done += 1 / view.slowdown(other);
                if (other > job) {
                    return false;
                }
            }
        }
        if (others == 0 || done >= 1) {
            return false;
        }
        for (int i = 0; i < view.jobsOn(server); i++) {
            int other = view.jobOn(server, i);
            if (other != job && GandivaFit.holds(view, other, gpu)) {
                fit.separate(
                        view.job(job).model().name(), view.job(other).model().name());
            }
        }
        return true;
    }
}
