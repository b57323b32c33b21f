package org.trainyard.env.scheduling.interruption;

import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.simulation.SimView;

/**
 * Cost of a plan or a move in restarts and lost work.
 *
 * @param restarts restarts of all jobs that are preempted, each over its remaining time
 * @param lostWork work that they lose, each over its remaining time
 * @param share time of both over the gain: GPU time over that of the job that gets room, time over the time that a move
 *     saves
 * @param preemptions the most that any of them has been preempted
 */
public record PreemptionOverhead(double restarts, double lostWork, double share, int preemptions) {
    /** Overhead of a plan for a job with so many seconds left. */
    public static PreemptionOverhead of(
            SimView view, EvictionPlan plan, Rank remaining, int job, double remainingSeconds) {
        double restarts = 0;
        double lost = 0;
        double gpuSeconds = 0;
        int most = 0;
        for (int v = 0; v < plan.size(); v++) {
            int victim = plan.victim(v);
            double seconds = Math.max(1, remaining.of(view, victim));
            double restart = view.restartSeconds(victim);
            double unsaved = view.unsavedSeconds(victim);
            restarts += restart / seconds;
            lost += unsaved / seconds;
            gpuSeconds += (restart + unsaved) * view.job(victim).gpus();
            most = Math.max(most, view.preemptions(victim));
        }
        double work = Math.max(1, remainingSeconds) * view.job(job).gpus();
        return new PreemptionOverhead(restarts, lost, gpuSeconds / work, most);
    }

    /** Overhead of a move of a job with so many seconds left, of which it saves some. */
    public static PreemptionOverhead ofMove(SimView view, int job, double remainingSeconds, double savedSeconds) {
        double seconds = Math.max(1, remainingSeconds);
        double restart = view.restartSeconds(job);
        double unsaved = view.unsavedSeconds(job);
        return new PreemptionOverhead(
                restart / seconds,
                unsaved / seconds,
                (restart + unsaved) / Math.max(1, savedSeconds),
                view.preemptions(job));
    }
}
