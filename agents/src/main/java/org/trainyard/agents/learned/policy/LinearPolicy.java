package org.trainyard.agents.learned.policy;

import org.trainyard.env.gym.action.ActionSpace;
import org.trainyard.env.gym.observation.ObservationSpace;

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

    private final double[] weights;

    public LinearPolicy(double[] weights) {
        if (weights.length != WEIGHTS) {
            throw new IllegalArgumentException("(%d) weights, not (%d)".formatted(WEIGHTS, weights.length));
        }
        this.weights = weights.clone();
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
    public void act(float[] rows, int agents, ObservationSpace spec, int[] actions) {
        for (int agent = 0; agent < agents; agent++) {
            actions[agent] = best(rows, agent * spec.size(), spec);
        }
    }

    private int best(float[] rows, int at, ObservationSpace spec) {
        // Few of hundreds of actions are legal: the offsets are computed once.
        int actions = spec.actions().size();
        int mask = at + spec.maskAt();
        int best = ActionSpace.WAIT;
        double most = Double.NEGATIVE_INFINITY;
        for (int action = 0; action < actions; action++) {
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
