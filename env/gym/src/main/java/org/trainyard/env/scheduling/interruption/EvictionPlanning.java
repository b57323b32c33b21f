package org.trainyard.env.scheduling.interruption;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.DecisionSink;

/** The planners that make room for a waiting job, each on servers of its own. */
public interface EvictionPlanning {
    /** Number of planners. */
    int count();

    /** Begins with plans for a waiting job. */
    void begin(int job);

    /** Whether a planner is for gangs that narrow rings slow down. */
    boolean isByLinks(int planner);

    /** Relative speed, for the job, of the GPUs on which a planner makes room. */
    double speed(int planner);

    /** Speed over the slowdown by the widest ring there, for gangs that narrow rings slow down; 0 for others. */
    double linkedSpeed(int planner);

    /**
     * The plan for the job; null when this planner has none, or, where GPUs are not shared, none that costs less than a
     * limit.
     */
    @Nullable EvictionPlan plan(int planner, double limit);

    /**
     * Predicted slowdown of the waiting job where the last plan makes room beside another job, at least 1; 1 elsewhere.
     */
    double own();

    /** Predicted extra slowdown of the job beside it. */
    double harm();

    /** The last plan, as it is until the next event: a planner may overwrite its own by the next. */
    EvictionPlan kept(EvictionPlan plan);

    /** Preempts and migrates the victims of one of these plans. */
    void carryOut(EvictionPlan plan, DecisionSink decisions);
}
