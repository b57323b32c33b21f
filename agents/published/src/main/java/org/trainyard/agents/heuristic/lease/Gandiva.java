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
 * Gandiva: time slicing when demand exceeds the cluster, migration of jobs that span servers, and packing of parts of
 * GPUs, with unpacking where a pack progresses less than one job alone.
 *
 * <p>The job that has waited longest goes first, and jobs that have held GPUs for a time slice are preempted for it. A
 * pack progresses less than one job alone when the reciprocals of its jobs' slowdowns add up to less than 1; then the
 * last submitted job migrates to a free GPU, and the two models are not packed again.
 *
 * <p>Source: W. Xiao, R. Bhardwaj, R. Ramjee, M. Sivathanu, N. Kwatra, Z. Han, P. Patel, X. Peng, H. Zhao, Q. Zhang, F.
 * Yang, L. Zhou: Gandiva: introspective cluster scheduling for deep learning, OSDI 2018 (known second-hand, and by the
 * class of that name in Dally's simulator). Needs no predictions. Our deviations: (1) a time slice is 30 minutes, not
 * one or two: here every change costs a restart, where Gandiva keeps suspended jobs in the host's memory; (2) only
 * demands for part of one GPU are packed, and only where GPUs may be shared, because a demand for a whole GPU is firm
 * here; (3) packs are judged by the present slowdown rather than before and after packing, so neighbours elsewhere on
 * the server count too; (4) migration waits for the end of the job's time slice; (5) no growing and shrinking.
 */
public final class Gandiva implements Scheduler {
    /** Length of a time slice; ours. */
    private static final long TIME_SLICE_NANOS = 1_800_000_000_000L;

    private final GandivaFit fit;
    private final LeaseScheduler rule;

    /** @param seed root of the order in which servers of equal score are tried */
    public Gandiva(Topology topology, long seed) {
        fit = new GandivaFit(topology, seed);
        rule = new LeaseScheduler(
                topology, new TimeSlices(), fit, DelayPolicy.NONE, new LeaseScheduler.Terms(TIME_SLICE_NANOS, true));
    }

    /** The job that has waited longest goes first, and every job may be preempted at the end of its time slice. */
    private static final class TimeSlices implements LeaseScheduler.Order {
        @Override
        public double rank(SimView view, int job) {
            return view.queuedSinceNanos(job);
        }

        @Override
        public boolean isHolderRankSteady() {
            return true;
        }
    }

    @Override
    public Decision decide(SimView view) {
        Decision decision = rule.decide(view);
        if (decision instanceof Decision.Wait && view.cluster().isShared()) {
            Decision unpacked = unpack(view);
            return unpacked != null ? unpacked : decision;
        }
        return decision;
    }

    /**
     * Migrates a job out of a pack that progresses less than one job alone to a free GPU; null when there is no such
     * pack or GPU.
     */
    private @Nullable Decision unpack(SimView view) {
        if (view.cluster().free() == 0) {
            return null;
        }
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            JobSpec spec = view.job(job);
            if (GandivaFit.isPackable(view, spec.demand()) && isLastOfSlowPack(view, job)) {
                Placement where = fit.place(view, spec);
                if (where != null && view.cluster().freeMilli(where.gpu(0)) == Demand.WHOLE) {
                    return new Decision.Resize(job, where);
                }
            }
        }
        return null;
    }

    /**
     * Whether the job is the last submitted of several on its GPU that together progress less than one alone; their
     * models are then recorded as incompatible.
     */
    private boolean isLastOfSlowPack(SimView view, int job) {
        int gpu = view.placement(job).gpu(0);
        int server = view.topology().serverOf(gpu);
        double progress = 1 / view.slowdown(job);
        int others = 0;
        for (int i = 0; i < view.jobsOn(server); i++) {
            int other = view.jobOn(server, i);
            if (other != job && GandivaFit.holds(view, other, gpu)) {
                others++;
                progress += 1 / view.slowdown(other);
                if (other > job) {
                    return false;
                }
            }
        }
        if (others == 0 || progress >= 1) {
            return false;
        }
        for (int i = 0; i < view.jobsOn(server); i++) {
            int other = view.jobOn(server, i);
            if (other != job && GandivaFit.holds(view, other, gpu)) {
                fit.markIncompatible(
                        view.job(job).model().name(), view.job(other).model().name());
            }
        }
        return true;
    }
}
