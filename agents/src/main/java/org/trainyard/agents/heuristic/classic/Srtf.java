package org.trainyard.agents.heuristic.classic;

import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.scheduling.preemption.RankPreemption;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;

/**
 * Shortest remaining time first, by predicted seconds still to run; preemptive.
 *
 * <p>Source: L. Schrage: A proof of the optimality of the shortest remaining processing time discipline, 1968; for GPU clusters the
 * baseline of Tiresias (J. Gu et al., NSDI 2019). Our deviations: (1) a job is preempted only when that lets a shorter one start;
 * (2) and only when it has a margin more to run, because a restart is not free; (3) jobs that do not fit are passed over.
 */
public final class Srtf implements Scheduler {
    /** Twice the simulator's default restart cost: the time one exchange wastes on the victim, and as much again to be worth it. */
    public static final double DEFAULT_MARGIN_SECONDS = 60;

    private final RankPreemption rule;

    public Srtf(Placer placer) {
        this(placer, DEFAULT_MARGIN_SECONDS);
    }

    /** @param marginSeconds how much longer than the newcomer's a victim's remaining time must be, seconds */
    public Srtf(Placer placer, double marginSeconds) {
        rule = new RankPreemption(SimView::predictedRemainingSeconds, marginSeconds, placer);
    }

    @Override
    public Decision decide(SimView view) {
        return rule.decide(view);
    }
}
