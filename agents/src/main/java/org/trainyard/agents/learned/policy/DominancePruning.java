package org.trainyard.agents.learned.policy;

import org.trainyard.env.gym.action.ActionExecutor;
import org.trainyard.env.gym.action.ActionSpace;
import org.trainyard.env.simulation.SimView;

/**
 * Tells which agents cannot act first in a round, whatever they choose, because another agent is known to choose a job of less estimated work, or the same work with a better
 * place: dominance pruning for a rule that {@link Policy#startsConsolidatedOnly starts consolidated jobs only}. Of all agents that select jobs in a round only one acts, so the
 * preemptions of the others need not be planned, nor their actions be scored.
 */
final class DominancePruning {
    /** Ways to select the same job, as far as they compare without a preview, the least cost first: on so many servers at home, on GPUs of other domains, by preemption. */
    private static final int BORROWED = Integer.MAX_VALUE - 1;

    private static final int PREEMPTED = Integer.MAX_VALUE;

    /** More than what is lost where costs of plans are compared as parts of greater sums. */
    private static final double ROUNDING = 1e-6;

    /** By agent, the least estimated work of a job that it may select, infinity when there is none; and the best way to select such a job. */
    private final double[] leastWork;

    private final int[] bestWay;
    /** By agent, the only job of least work that it may select, or {@link SimView#NONE} when there are several. */
    private final int[] leastJob;
    /** By agent, the first job of its window for which it may preempt, or {@link SimView#NONE}; and its only slot, or NONE when it has several. */
    private final int[] firstPreempting;

    private final int[] soleSlot;
    /** The least work of a job that an agent is known to select, the best way of all these, the first agent of that way, and the least cost of a preemption. */
    private double knownWork;

    private int knownWay;
    private int knownAgent;
    private double knownCost;

    DominancePruning(int agents) {
        leastWork = new double[agents];
        bestWay = new int[agents];
        leastJob = new int[agents];
        firstPreempting = new int[agents];
        soleSlot = new int[agents];
    }

    /** Begins a round in which no agent is known to select a job. */
    void begin() {
        knownWork = Double.POSITIVE_INFINITY;
    }

    /** Reads what an agent may select; returns whether that is anything. O(window). */
    boolean read(ActionExecutor executor, int agent) {
        leastWork[agent] = Double.POSITIVE_INFINITY;
        bestWay[agent] = PREEMPTED;
        firstPreempting[agent] = SimView.NONE;
        soleSlot[agent] = SimView.NONE;
        int options = 0;
        ActionSpace actions = executor.actions();
        for (int slot = 0; slot < executor.windowSize(agent); slot++) {
            int job = executor.windowJob(agent, slot);
            boolean preempts = executor.isLegal(agent, actions.preempt(slot));
            boolean selects = executor.isLegal(agent, actions.slot(slot))
                    && executor.masker().isConsolidated(job);
            if (preempts || selects) {
                soleSlot[agent] = options++ == 0 ? slot : SimView.NONE;
                if (preempts && firstPreempting[agent] == SimView.NONE) {
                    firstPreempting[agent] = job;
                }
                readOption(executor, agent, job, selects);
            }
        }
        return options > 0;
    }

    private void readOption(ActionExecutor executor, int agent, int job, boolean selects) {
        double work = executor.queues().workLeft(job);
        int way = selects ? wayToSelect(executor, agent, job) : PREEMPTED;
        if (work < leastWork[agent]) {
            leastWork[agent] = work;
            bestWay[agent] = way;
            leastJob[agent] = job;
        } else if (work == leastWork[agent]) {
            leastJob[agent] = SimView.NONE;
            bestWay[agent] = Math.min(bestWay[agent], way);
        }
    }

    private static int wayToSelect(ActionExecutor executor, int agent, int job) {
        int servers = executor.masker().serversAtHome(agent, job);
        return servers > 0 ? servers : BORROWED;
    }

    /** Whether a preemption is among the agent's options. */
    boolean mayPreempt(int agent) {
        return firstPreempting[agent] != SimView.NONE;
    }

    /** The slot of the only job that the agent may select, or {@link SimView#NONE} when there are several. */
    int soleSlot(int agent) {
        return soleSlot[agent];
    }

    /** Takes note of the action that an agent is going to take. */
    void choose(ActionExecutor executor, int agent, int action) {
        int slot = executor.actions().selectedSlotOf(action);
        if (slot < 0) {
            return;
        }
        int job = executor.windowJob(agent, slot);
        double work = executor.queues().workLeft(job);
        boolean preempts = executor.actions().preemptOf(action) >= 0;
        int way = preempts ? PREEMPTED : wayToSelect(executor, agent, job);
        double cost = preempts ? executor.masker().planCost(agent, job, Double.POSITIVE_INFINITY) : 0;
        if (work < knownWork || (work == knownWork && way < knownWay)) {
            knownWork = work;
            knownWay = way;
            knownAgent = agent;
            knownCost = cost;
        } else if (work == knownWork && way == knownWay) {
            knownAgent = Math.min(knownAgent, agent);
            knownCost = Math.min(knownCost, cost);
        }
    }

    /** A cost of a plan for the job from which on the agent cannot act first. */
    double costLimit(int agent, int job) {
        return job == leastJob[agent]
                        && leastWork[agent] == knownWork
                        && bestWay[agent] == PREEMPTED
                        && knownWay == PREEMPTED
                ? knownCost + ROUNDING
                : Double.POSITIVE_INFINITY;
    }

    /** Whether the agent could select a job of least work without borrowed GPUs and preemption. */
    boolean isAtHome(int agent) {
        return bestWay[agent] < BORROWED;
    }

    /**
     * Whether the agent cannot act first. O(1), but a search for a cheaper plan where it could only preempt for a job for which another agent preempts, too. That search is the agent's first, as
     * plans depend on those that were asked for earlier.
     */
    boolean isDominated(ActionExecutor executor, int agent) {
        if (leastWork[agent] != knownWork || bestWay[agent] != knownWay) {
            return leastWork[agent] > knownWork || (leastWork[agent] == knownWork && bestWay[agent] > knownWay);
        }
        if (knownWay == PREEMPTED) {
            int job = leastJob[agent];
            double limit = costLimit(agent, job);
            return job != SimView.NONE
                    && (executor.masker().leastPlanCost(agent, job) > limit
                            || (job == firstPreempting[agent]
                                    && executor.masker().planCost(agent, job, limit) == Double.POSITIVE_INFINITY));
        }
        // All borrowed places cost the same, and the first agent goes first.
        return knownWay == BORROWED && agent > knownAgent;
    }
}
