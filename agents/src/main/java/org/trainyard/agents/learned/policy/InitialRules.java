package org.trainyard.agents.learned.policy;

import org.trainyard.env.gym.observation.CandidateColumn;
import org.trainyard.env.gym.observation.JobColumn;
import org.trainyard.env.gym.observation.ObservationColumn;

/** The initial mean and standard deviation of the search for a linear rule: weights of a {@link LinearPolicy}. */
public final class InitialRules {
    private static final int SLOT = LinearPolicy.SLOT;
    private static final int SERVER = LinearPolicy.SERVER;
    private static final int DISPLACE = LinearPolicy.DISPLACE;

    private InitialRules() {}

    /**
     * A member of the tuned family as a linear rule: least predicted work first; a job waits for a place on the fewest servers it fits on,
     * and takes the one that leaves the fewest GPUs free; with preemption, it displaces jobs that have more work left.
     */
    public static double[] patient() {
        double[] rule = new double[LinearPolicy.WEIGHTS];
        rule[SLOT - 1] = -10;
        rule[SLOT + JobColumn.CONSOLIDATED_HERE.index()] = 12;
        rule[SLOT + JobColumn.CONSOLIDATED_ACROSS.index()] = 11.9;
        rule[SLOT + JobColumn.REMAINING_WORK.index()] = -1;
        rule[SERVER + CandidateColumn.TAKES_OF_LEFT.index()] = 2;
        rule[SERVER + CandidateColumn.LEFTOVER.index()] = -1;
        rule[SERVER + CandidateColumn.COMPLETES.index()] = 5;
        rule[SERVER + CandidateColumn.SPLITS.index()] = -10;
        rule[LinearPolicy.BORROW] = -4;
        rule[DISPLACE - 1] = -10;
        rule[DISPLACE + JobColumn.CAN_PREEMPT.index()] = 12;
        rule[DISPLACE + JobColumn.REMAINING_WORK.index()] = -1;
        rule[DISPLACE + JobColumn.PREEMPTION_COST.index()] = -1;
        return rule;
    }

    /** Initial standard deviations; zero for weights that are not searched. */
    public static double[] spread(boolean preemption) {
        double[] spread = new double[LinearPolicy.WEIGHTS];
        set(
                spread,
                SLOT,
                0.3,
                JobColumn.GPUS,
                JobColumn.WAITED_SHARE,
                JobColumn.NETWORK_STRETCH,
                JobColumn.WAITS_ELSEWHERE);
        set(spread, SLOT, 0.3, JobColumn.CONSOLIDATED_ELSEWHERE, JobColumn.LEFTOVER, JobColumn.OPENS_SERVER);
        set(
                spread,
                SLOT,
                0.5,
                JobColumn.REMAINING_TIME,
                JobColumn.REMAINING_WORK,
                JobColumn.FREE,
                JobColumn.FREE_AFTER);
        set(spread, SLOT, 1, JobColumn.CONSOLIDATED_HERE, JobColumn.CONSOLIDATED_ACROSS, JobColumn.LONG_WHEN_FULL);
        set(spread, SLOT, 1, JobColumn.OWN_SLOWDOWN, JobColumn.NEIGHBOUR_SLOWDOWN);
        set(spread, SLOT, 2, JobColumn.EXTRA_SERVERS);
        set(spread, SLOT, 3, JobColumn.WAITED_SHARE_IF_SPREAD, JobColumn.LOOSER_THAN_ELSEWHERE);
        set(spread, SERVER, 0.5, CandidateColumn.LEFTOVER, CandidateColumn.OPENS_SERVER);
        set(spread, SERVER, 1, CandidateColumn.OWN_SLOWDOWN, CandidateColumn.NEIGHBOUR_SLOWDOWN);
        set(spread, SERVER, 0.3, CandidateColumn.NEIGHBOURS, CandidateColumn.FILLS);
        if (preemption) {
            spread[DISPLACE - 1] = 0.5;
            set(
                    spread,
                    DISPLACE,
                    0.5,
                    JobColumn.REMAINING_TIME,
                    JobColumn.REMAINING_WORK,
                    JobColumn.FREE,
                    JobColumn.PREEMPTED_LEAST_RUN);
            set(
                    spread,
                    DISPLACE,
                    0.3,
                    JobColumn.GPUS,
                    JobColumn.PREEMPTIONS,
                    JobColumn.WAITS_ELSEWHERE,
                    JobColumn.CONSOLIDATED_ELSEWHERE);
            set(spread, DISPLACE, 1, JobColumn.LONG_WHEN_FULL, JobColumn.PREEMPTION_COST, JobColumn.PREEMPTED_JOBS);
        }
        return spread;
    }

    private static void set(double[] spread, int from, double value, ObservationColumn... columns) {
        for (ObservationColumn column : columns) {
            spread[from + column.index()] = value;
        }
    }
}
