package org.trainyard.agents.learned.policy;

import org.trainyard.env.gym.observation.ObservationSpace.Candidate;
import org.trainyard.env.gym.observation.ObservationSpace.Job;

/** Where a search for a rule starts, and how far from there it looks at first: weights of a {@link LinearPolicy}. */
public final class InitialRules {
    private static final int SLOT = LinearPolicy.SLOT;
    private static final int SERVER = LinearPolicy.SERVER;
    private static final int DISPLACE = LinearPolicy.DISPLACE;

    private InitialRules() {}

    /**
     * The best of the tuned family in these terms: least predicted work first, on as few servers as there can be or not at all, where
     * it fits most tightly at home; with preemption pushing out who takes longer.
     */
    public static double[] patient() {
        double[] rule = new double[LinearPolicy.WEIGHTS];
        rule[SLOT - 1] = -10;
        rule[SLOT + Job.CONSOLIDATED_HERE] = 12;
        rule[SLOT + Job.CONSOLIDATED_ACROSS] = 11.9;
        rule[SLOT + Job.WORK] = -1;
        rule[SERVER + Candidate.TAKES_OF_LEFT] = 2;
        rule[SERVER + Candidate.LEFTOVER] = -1;
        rule[SERVER + Candidate.COMPLETES] = 5;
        rule[SERVER + Candidate.SPLITS] = -10;
        rule[LinearPolicy.BORROW] = -4;
        rule[DISPLACE - 1] = -10;
        rule[DISPLACE + Job.CAN_DISPLACE] = 12;
        rule[DISPLACE + Job.WORK] = -1;
        rule[DISPLACE + Job.DISPLACED_LOSS] = -1;
        return rule;
    }

    /** First standard deviations; zero for what stays. */
    public static double[] spread(boolean preemption) {
        double[] spread = new double[LinearPolicy.WEIGHTS];
        set(spread, SLOT, 0.3, Job.GPUS, Job.WAITED_SHARE, Job.NETWORK_STRETCH, Job.WAITS_ELSEWHERE);
        set(spread, SLOT, 0.3, Job.CONSOLIDATED_ELSEWHERE, Job.LEFTOVER, Job.OPENS_SERVER);
        set(spread, SLOT, 0.5, Job.SECONDS, Job.WORK, Job.FREE, Job.FREE_AFTER);
        set(spread, SLOT, 1, Job.CONSOLIDATED_HERE, Job.CONSOLIDATED_ACROSS, Job.LONG_WHEN_FULL);
        set(spread, SLOT, 1, Job.OWN_SLOWDOWN, Job.HARM);
        set(spread, SLOT, 2, Job.EXTRA_SERVERS);
        set(spread, SLOT, 3, Job.WAITED_SHARE_IF_SPREAD, Job.LOOSER_THAN_ELSEWHERE);
        set(spread, SERVER, 0.5, Candidate.LEFTOVER, Candidate.OPENS_SERVER);
        set(spread, SERVER, 1, Candidate.OWN_SLOWDOWN, Candidate.HARM);
        set(spread, SERVER, 0.3, Candidate.NEIGHBOURS, Candidate.FILLS);
        if (preemption) {
            set(spread, DISPLACE, 0.5, -1, Job.SECONDS, Job.WORK, Job.FREE, Job.DISPLACED_LEAST_RUN);
            set(spread, DISPLACE, 0.3, Job.GPUS, Job.PREEMPTIONS, Job.WAITS_ELSEWHERE, Job.CONSOLIDATED_ELSEWHERE);
            set(spread, DISPLACE, 1, Job.LONG_WHEN_FULL, Job.DISPLACED_LOSS, Job.DISPLACED_JOBS);
        }
        return spread;
    }

    private static void set(double[] spread, int from, double value, int... columns) {
        for (int column : columns) {
            spread[from + column] = value;
        }
    }
}
