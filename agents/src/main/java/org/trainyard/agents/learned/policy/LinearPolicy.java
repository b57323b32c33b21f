package org.trainyard.agents.learned.policy;

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

    /** The score of actions that are taken only when nothing else is legal. */
    public static final double LAST_RESORT = -1e6;

    /** The columns of jobs that tell of consolidated places. */
    private static final Set<JobColumn> CONSOLIDATED =
            EnumSet.of(JobColumn.CONSOLIDATED_HERE, JobColumn.CONSOLIDATED_ACROSS);

    private final double[] weights;
    /**
     * Whether the score of selecting a job without a consolidated place is negative, whatever its other columns are: none of these but
     * the network stretch can be.
     */
    private final boolean startsConsolidatedOnly;

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
                            && executor.masker().isConsolidated(agent, executor.windowJob(agent, slot)))) {
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
