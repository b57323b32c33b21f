package org.trainyard.agents.learned.policy;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.trainyard.env.gym.action.ActionExecutor;
import org.trainyard.env.gym.action.ActionSpace;
import org.trainyard.env.gym.observation.JobColumn;
import org.trainyard.env.gym.observation.ObservationSpace;
import org.trainyard.env.simulation.SimView;

/**
 * A linear rule: scores every legal action by a weighted sum of its own columns and takes the best. Waiting scores 0, taking up a job of
 * the window by the job's columns, preempting for it by the same columns with other weights, a server by the columns of the focus job on
 * that server.
 *
 * <p>Borrowing has one score; holding and forwarding are taken only when nothing else is legal. The weights are few enough for a
 * black-box search, and a decision needs no tensors.
 */
public final class LinearPolicy implements Policy {
    /** Number of weights: bias and columns of a job, columns of a server, bias and columns of a job to preempt for, borrowing. */
    public static final int WEIGHTS = 2 * (1 + ObservationSpace.JOB) + ObservationSpace.CANDIDATE + 1;

    /** Index of the first weight of a job's columns; the bias is the one before. */
    public static final int SLOT = 1;

    public static final int SERVER = 1 + ObservationSpace.JOB;
    public static final int DISPLACE = SERVER + ObservationSpace.CANDIDATE + 1;

    /** The weight that is the score of borrowing. */
    public static final int BORROW = WEIGHTS - 1;

    /** More than costs are rounded by. */
    private static final double ROUNDING = 1e-5;

    /** The score of actions that are taken only when nothing else is legal. */
    public static final double LAST_RESORT = -1e6;

    /** The columns of jobs that tell of consolidated places. */
    private static final Set<JobColumn> CONSOLIDATED =
            EnumSet.of(JobColumn.CONSOLIDATED_HERE, JobColumn.CONSOLIDATED_ACROSS);

    /** The columns of jobs that are the same for all agents, but for the consolidated places at home and elsewhere. */
    private static final Set<JobColumn> OF_JOB = EnumSet.of(
            JobColumn.PRESENT,
            JobColumn.GPUS,
            JobColumn.REMAINING_TIME,
            JobColumn.REMAINING_WORK,
            JobColumn.WAITED,
            JobColumn.WAITED_SHARE,
            JobColumn.NETWORK_STRETCH,
            JobColumn.HOPS,
            JobColumn.WIDE,
            JobColumn.PREEMPTIONS,
            JobColumn.STARTABLE,
            JobColumn.CONSOLIDATED_HERE,
            JobColumn.CONSOLIDATED_ACROSS,
            JobColumn.FREE,
            JobColumn.FREE_AFTER,
            JobColumn.LONG_WHEN_FULL);

    private final double[] weights;
    /**
     * Whether the score of selecting a job without a consolidated place is negative, whatever its other columns are: none of these but
     * the network stretch can be.
     */
    private final boolean startsConsolidatedOnly;
    /**
     * Whether the score of a preemption reads nothing of its plan but that there is one and what it costs, and is less for a longer job of as many GPUs: then a preemption that cannot be the best need
     * not be planned, as those for longer jobs that might fail because it does cannot be the best either.
     */
    private final boolean comparesPlansByCost;
    /** Whether the score of selecting a job reads {@link #OF_JOB} only. */
    private final boolean choosesByJobAlone;

    public LinearPolicy(double[] weights) {
        if (weights.length != WEIGHTS) {
            throw new IllegalArgumentException("(%d) weights, not (%d)".formatted(WEIGHTS, weights.length));
        }
        this.weights = weights.clone();
        startsConsolidatedOnly = weights[SLOT - 1] < 0
                && EnumSet.complementOf(EnumSet.copyOf(CONSOLIDATED)).stream()
                        .allMatch(column -> column == JobColumn.NETWORK_STRETCH
                                ? weights[SLOT + column.index()] == 0
                                : weights[SLOT + column.index()] <= 0);
        comparesPlansByCost = Arrays.stream(JobColumn.values()).allMatch(column -> switch (column) {
            case PRESENT, GPUS, CAN_PREEMPT -> true;
            case REMAINING_WORK, PREEMPTION_COST -> weights[DISPLACE + column.index()] <= 0;
            default -> weights[DISPLACE + column.index()] == 0;
        });
        choosesByJobAlone = EnumSet.complementOf(EnumSet.copyOf(OF_JOB)).stream()
                .allMatch(column -> weights[SLOT + column.index()] == 0);
    }

    /** A copy of the weights. */
    public double[] weights() {
        return weights.clone();
    }

    @Override
    public boolean isThreadSafe() {
        return true;
    }

    @Override
    public boolean readsOffersOnly() {
        return true;
    }

    @Override
    public boolean reads(JobColumn column) {
        return weights[SLOT + column.index()] != 0 || weights[DISPLACE + column.index()] != 0;
    }

    @Override
    public boolean startsConsolidatedOnly() {
        return startsConsolidatedOnly;
    }

    @Override
    public boolean comparesPlansByCost() {
        return comparesPlansByCost;
    }

    @Override
    public boolean choosesByJobAlone() {
        return choosesByJobAlone;
    }

    @Override
    public boolean mightAct(ActionExecutor executor, int agent) {
        if (!startsConsolidatedOnly
                || executor.focus(agent) != SimView.NONE
                || !executor.isLegal(agent, ActionSpace.WAIT)) {
            return true;
        }
        ActionSpace actions = executor.actions();
        for (int slot = 0; slot < executor.windowSize(agent); slot++) {
            if (executor.isLegal(agent, actions.preempt(slot))
                    || (executor.isLegal(agent, actions.slot(slot))
                            && executor.masker().isConsolidated(executor.windowJob(agent, slot)))) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void act(float[] rows, int agents, ObservationSpace spec, int[] actions) {
        for (int agent = 0; agent < agents; agent++) {
            actions[agent] = best(rows, agent * spec.size(), spec);
        }
    }

    /** Plans without a limit where the agent would wait otherwise: then most searches fail, which spares those for longer jobs. */
    @Override
    public int act(float[] rows, int at, ObservationSpace spec, PreemptionOffers offers) {
        ActionSpace layout = spec.actions();
        int best = best(rows, at, spec, ActionSpace.WAIT, layout.server(0), ActionSpace.WAIT);
        double most = score(rows, at, spec, best);
        for (int slot = 0; slot < layout.window(); slot++) {
            int preempt = layout.preempt(slot);
            if (rows[at + spec.maskAt() + preempt] == 0) {
                continue;
            }
            int job = at + spec.jobsAt() + slot * ObservationSpace.JOB;
            rows[job + JobColumn.CAN_PREEMPT.index()] = 1;
            rows[job + JobColumn.PREEMPTION_COST.index()] =
                    (float) Math.min(JobColumn.MOST_COST, offers.leastCost(slot));
            if (score(rows, at, spec, preempt) > most
                    && offers.plan(
                            slot,
                            best == ActionSpace.WAIT
                                    ? Double.POSITIVE_INFINITY
                                    : costLimit(rows, at, spec, slot, most))) {
                double score = score(rows, at, spec, preempt);
                if (score > most) {
                    most = score;
                    best = preempt;
                }
            }
        }
        return best;
    }

    /** A cost of the plan from which on the score of preempting for the job in a slot is not above another. */
    private double costLimit(float[] rows, int at, ObservationSpace spec, int slot, double other) {
        double weight = weights[DISPLACE + JobColumn.PREEMPTION_COST.index()];
        if (weight == 0) {
            return Double.POSITIVE_INFINITY;
        }
        rows[at + spec.jobsAt() + slot * ObservationSpace.JOB + JobColumn.PREEMPTION_COST.index()] = 0;
        double free = score(rows, at, spec, spec.actions().preempt(slot));
        double limit = (free - other) / -weight + ROUNDING;
        return limit < JobColumn.MOST_COST ? limit : Double.POSITIVE_INFINITY;
    }

    /** The best action; of hundreds, only those of the agent's phase, selecting a job or placing it, are looked at. */
    private int best(float[] rows, int at, ObservationSpace spec) {
        ActionSpace layout = spec.actions();
        if (rows[at + spec.focusAt() + JobColumn.PRESENT.index()] != 0) {
            return best(rows, at, spec, layout.server(0), layout.preempt(0), ActionSpace.WAIT);
        }
        int selected = best(rows, at, spec, ActionSpace.WAIT, layout.server(0), ActionSpace.WAIT);
        return best(rows, at, spec, layout.preempt(0), layout.size(), selected);
    }

    /** The best of an action and of the legal ones in the range, the first of equals. */
    private int best(float[] rows, int at, ObservationSpace spec, int from, int to, int known) {
        int mask = at + spec.maskAt();
        int best = known;
        double most = rows[mask + known] != 0 ? score(rows, at, spec, known) : Double.NEGATIVE_INFINITY;
        for (int action = from; action < to; action++) {
            if (rows[mask + action] != 0) {
                double score = score(rows, at, spec, action);
                if (score > most) {
                    most = score;
                    best = action;
                }
            }
        }
        return best;
    }

    /** The score of an action of the row that begins at {@code at}. */
    public double score(float[] rows, int at, ObservationSpace spec, int action) {
        ActionSpace layout = spec.actions();
        if (action == ActionSpace.WAIT) {
            return 0;
        }
        int slot = layout.slotOf(action);
        if (slot >= 0) {
            return weights[SLOT - 1]
                    + sum(rows, at + spec.jobsAt() + slot * ObservationSpace.JOB, SLOT, ObservationSpace.JOB);
        }
        int displaced = layout.preemptOf(action);
        if (displaced >= 0) {
            return weights[DISPLACE - 1]
                    + sum(rows, at + spec.jobsAt() + displaced * ObservationSpace.JOB, DISPLACE, ObservationSpace.JOB);
        }
        int server = layout.serverOf(action);
        if (server >= 0) {
            return sum(
                    rows,
                    at + spec.candidatesAt() + server * ObservationSpace.CANDIDATE,
                    SERVER,
                    ObservationSpace.CANDIDATE);
        }
        return layout.borrowOf(action) >= 0 ? weights[BORROW] : LAST_RESORT;
    }

    private double sum(float[] rows, int at, int from, int count) {
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += weights[from + i] * rows[at + i];
        }
        return sum;
    }
}
