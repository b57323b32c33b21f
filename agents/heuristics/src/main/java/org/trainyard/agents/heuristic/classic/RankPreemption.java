package org.trainyard.agents.heuristic.classic;

import org.trainyard.agents.heuristic.queue.RunningOrder;
import org.trainyard.agents.heuristic.victims.PreemptionCandidates;
import org.trainyard.env.Invalid;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.scheduling.queue.WaitingJobs;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;

/**
 * Preemptive scheduling by rank: waiting jobs start in order of rank; one that does not fit preempts running jobs of
 * higher rank when that lets it start, else the next one is tried.
 *
 * <p>Victims are the jobs of the highest rank, of equals the latest submitted, and no more than are needed
 * ({@link PreemptionCandidates}). A victim's rank exceeds the pending job's by more than the margin, so at one instant
 * no job is both started and preempted. Every decision is derived from the state alone. Only jobs with plain demands
 * preempt others. O(different demands x (cost of the placer + victims)).
 */
final class RankPreemption {
    private final double margin;
    private final Placer placer;
    private final WaitingJobs waiting;
    private final PreemptionCandidates candidates;

    /** @param running the running jobs by the same rank */
    RankPreemption(Rank rank, RunningOrder running, double margin, Placer placer) {
        Invalid.when(!(margin >= 0), "margin (%s) must not be negative", margin);
        if (!placer.splitsAnywhere()) {
            throw new IllegalArgumentException(
                    "preemption needs a placer that takes any free GPUs, and this one (%s) does not"
                            .formatted(placer.getClass().getSimpleName()));
        }
        this.margin = margin;
        this.placer = placer;
        waiting = new WaitingJobs(rank);
        candidates = new PreemptionCandidates(rank, running);
    }

    Decision decide(SimView view) {
        waiting.update(view);
        for (int job = waiting.first(); job != SimView.NONE; job = waiting.first()) {
            JobSpec spec = view.job(job);
            boolean isAllowed = view.isWithinQuota(job, spec.gpus());
            Placement where = isAllowed ? placer.place(view, spec) : null;
            if (where != null) {
                return new Decision.Start(job, where);
            }
            int victim = isAllowed && spec.demand().isPlain()
                    ? candidates.victim(view, waiting.rank(job) + margin, spec.gpus(), Integer.MAX_VALUE)
                    : SimView.NONE;
            if (victim != SimView.NONE) {
                return new Decision.Preempt(victim);
            }
            waiting.refuse(view, job);
        }
        return Decision.WAIT;
    }

    /** The lowest rank of a waiting job, or infinity. */
    double lowestWaiting(SimView view) {
        waiting.update(view);
        int job = waiting.first();
        return job == SimView.NONE ? Double.POSITIVE_INFINITY : waiting.rank(job);
    }
}
