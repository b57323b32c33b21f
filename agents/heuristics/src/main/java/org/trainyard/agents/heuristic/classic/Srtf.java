package org.trainyard.agents.heuristic.classic;

import org.trainyard.agents.heuristic.queue.RunningByFallingRank;
import org.trainyard.env.scheduling.order.OrderedScheduler;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.SimView;

/**
 * Shortest remaining time first, by predicted remaining seconds; preemptive.
 *
 * <p>Source: L. Schrage: A proof of the optimality of the shortest remaining processing time discipline, 1968; for GPU
 * clusters the baseline of Tiresias (J. Gu et al., NSDI 2019). Our deviations: (1) a job is preempted only when that
 * lets a shorter job start; (2) and only when its remaining time exceeds that of the shorter job by a margin, because a
 * restart has a cost; (3) jobs that do not fit are skipped.
 */
public final class Srtf implements OrderedScheduler {
    /** Twice the default restart cost of the simulator: the restart itself, and the same again as the least gain. */
    public static final double DEFAULT_MARGIN_SECONDS = 60;

    private final RankPreemption rule;

    public Srtf(Placer placer) {
        this(placer, DEFAULT_MARGIN_SECONDS);
    }

    /**
     * @param marginSeconds least difference between the remaining times of the preempted and the pending job, seconds
     */
    public Srtf(Placer placer, double marginSeconds) {
        Rank remaining = SimView::predictedRemainingSeconds;
        rule = new RankPreemption(remaining, new RunningByFallingRank(remaining), marginSeconds, placer);
    }

    @Override
    public double rank(SimView view, int job) {
        return view.predictedRemainingSeconds(job);
    }

    @Override
    public String rankName() {
        return "predicted remaining time, s";
    }

    @Override
    public Decision decide(SimView view) {
        return rule.decide(view);
    }
}
