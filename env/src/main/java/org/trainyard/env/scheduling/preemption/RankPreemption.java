package org.trainyard.env.scheduling.preemption;

import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.scheduling.queue.WaitingJobs;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;

/**
 * A preemption rule: waiting jobs go in order of rank, and one that does not fit pushes out running jobs of higher rank when that
 * lets it start, else it is passed over.
 *
 * <p>Victims are those of the highest rank, the latest submitted first, and only as many as are needed. A job is pushed out only
 * when its rank exceeds the newcomer's by more than the margin, so at one instant no job is both started and preempted. Decisions
 * come one at a time and each is found anew from the state, so the rule needs no plan. Only jobs that want whole
 * GPUs of any type and nothing else push others out, and only with GPUs that those hold alone do they reckon. O(different demands x running jobs).
 */
public final class RankPreemption {
    private final Rank rank;
    private final double margin;
    private final Placer placer;
    private final WaitingJobs waiting;

    private int[] running = new int[64];
    private double[] ranks = new double[64];
    private int[] victims = new int[64];
    private int runningCount;

    public RankPreemption(Rank rank, double margin, Placer placer) {
        if (!(margin >= 0)) {
            throw new IllegalArgumentException("margin (%s) must not be negative".formatted(margin));
        }
        if (!placer.splitsAnywhere()) {
            throw new IllegalArgumentException(
                    "preemption needs a placer that takes any free GPUs, and this one (%s) does not"
                            .formatted(placer.getClass().getSimpleName()));
        }
        this.rank = rank;
        this.margin = margin;
        this.placer = placer;
        waiting = new WaitingJobs(rank);
    }

    /** Whether a goes before b: negative when it does. */
    private int compare(int a, int b) {
        int byRank = Double.compare(ranks[b], ranks[a]);
        return byRank != 0 ? byRank : Integer.compare(b, a);
    }

    public Decision decide(SimView view) {
        waiting.update(view);
        boolean listed = false;
        for (int job = waiting.first(); job != SimView.NONE; job = waiting.first()) {
            JobSpec spec = view.job(job);
            boolean isAllowed = view.isWithinQuota(job, spec.gpus());
            Placement where = isAllowed ? placer.place(view, spec) : null;
            if (where != null) {
                return new Decision.Start(job, where);
            }
            if (!listed) {
                listRunning(view);
                listed = true;
            }
            boolean mayDisplace = isAllowed && spec.demand().isPlain();
            int victim = mayDisplace
                    ? victimFor(view, job, spec.gpus() - view.cluster().free())
                    : SimView.NONE;
            if (victim != SimView.NONE) {
                return new Decision.Preempt(victim);
            }
            waiting.refuse(view, job);
        }
        return Decision.WAIT;
    }

    /** The lowest rank that waits, or infinity. */
    public double lowestWaiting(SimView view) {
        waiting.update(view);
        int job = waiting.first();
        return job == SimView.NONE ? Double.POSITIVE_INFINITY : waiting.rank(job);
    }

    private void listRunning(SimView view) {
        if (running.length < view.runningCount()) {
            running = new int[2 * view.runningCount()];
            victims = new int[2 * view.runningCount()];
        }
        if (ranks.length < view.arrived()) {
            ranks = new double[2 * view.arrived()];
        }
        runningCount = 0;
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            ranks[job] = rank.of(view, job);
            running[runningCount++] = job;
        }
    }

    /** The first job to push out so that {@code missing} GPUs more become free for the newcomer, or {@link SimView#NONE}. */
    private int victimFor(SimView view, int newcomer, int missing) {
        double limit = waiting.rank(newcomer) + margin;
        int candidates = 0;
        int gained = 0;
        for (int i = 0; i < runningCount; i++) {
            if (ranks[running[i]] > limit) {
                victims[candidates++] = running[i];
                gained += wholeGpus(view, running[i]);
            }
        }
        if (gained < missing) {
            return SimView.NONE;
        }
        return spareTheNeedless(view, candidates, missing);
    }

    /** GPUs that surely become free when the job goes: those it holds alone. */
    private static int wholeGpus(SimView view, int job) {
        boolean mayShare = view.cluster().isShared() && view.job(job).demand().gpuMilli() < Demand.WHOLE;
        return mayShare ? 0 : view.placement(job).gpuCount();
    }

    /** The first of as many victims as are needed, in order, less those without whom there still are enough. */
    private int spareTheNeedless(SimView view, int candidates, int missing) {
        int count = 0;
        int gained = 0;
        while (gained < missing) {
            // Few are needed of many, so they are picked one by one rather than all sorted.
            bringHighestTo(count, candidates);
            gained += wholeGpus(view, victims[count++]);
        }
        int first = victims[count - 1];
        for (int i = count - 1; i >= 0; i--) {
            int gpus = wholeGpus(view, victims[i]);
            if (gained - gpus >= missing) {
                gained -= gpus;
            } else {
                first = victims[i];
            }
        }
        return first;
    }

    private void bringHighestTo(int from, int candidates) {
        int best = from;
        for (int i = from + 1; i < candidates; i++) {
            if (compare(victims[i], victims[best]) < 0) {
                best = i;
            }
        }
        int highest = victims[best];
        victims[best] = victims[from];
        victims[from] = highest;
    }
}
