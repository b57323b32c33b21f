package org.trainyard.agents.learned.ppo;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.nio.FloatBuffer;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.policy.RowBatch;
import org.trainyard.agents.learned.policy.StagingBuffer;

/**
 * Some joint states of a rollout as tensors: the rows that the rollout holds.
 *
 * <p>Memory is used again: the tensors of one minibatch must be closed before the next one is staged.
 */
final class Minibatch {
    /**
     * The inputs of the loss, for N rows.
     *
     * @param chosen N x A, one-hot: the action taken, or in imitation the teacher's
     * @param oldLogProbability N, of the action taken, under the policy that took it
     * @param advantage N, normalised
     * @param target N, value target in the critic's normalised unit
     * @param weight N, weight of a row in the actor's losses: adds up to one over the whole minibatch
     * @param valueWeight N, the same for the value loss
     * @param taught N x A log-probabilities of the teacher, or null without one
     */
    record Tensors(
            RowBatch.JointRows rows,
            NDArray chosen,
            NDArray oldLogProbability,
            NDArray advantage,
            NDArray target,
            NDArray weight,
            NDArray valueWeight,
            @Nullable NDArray taught) {}

    /**
     * @param active rows of agents that had a choice, which count for the actor
     * @param all rows, which count for the critic
     */
    record Counts(int active, int all) {}

    private static final int COLUMNS = 5;

    private final RolloutBuffer rollout;
    private final RowBatch rows;
    private final StagingBuffer chosen = new StagingBuffer();
    private final StagingBuffer columns = new StagingBuffer();
    private final StagingBuffer taught = new StagingBuffer();
    private int count;

    Minibatch(RolloutBuffer rollout) {
        this.rollout = rollout;
        rows = new RowBatch(rollout.spec);
    }

    /** Counts the rows of {@code states[from .. to - 1]}. */
    static Counts count(RolloutBuffer rollout, int[] states, int from, int to) {
        int active = 0;
        int all = 0;
        for (int i = from; i < to; i++) {
            for (int at = states[i] * rollout.agents; at < (states[i] + 1) * rollout.agents; at++) {
                active += rollout.active[at] ? 1 : 0;
                all += rollout.rows[at] != null ? 1 : 0;
            }
        }
        return new Counts(active, all);
    }

    /**
     * Copies the joint states {@code states[from .. to - 1]}.
     *
     * @param whole counts of the minibatch of which these states are a part
     */
    Tensors stage(PpoLoss.Weights weights, int[] states, int from, int to, Counts whole, NDManager scope) {
        int actions = rollout.spec.actions().size();
        count = count(rollout, states, from, to).all();
        rows.begin(count);
        FloatBuffer oneHot = chosen.fill(count * actions);
        FloatBuffer numbers = columns.fill(COLUMNS * count);
        FloatBuffer teacher = taught.fill(weights.hasTeacher() ? count * actions : 0);
        for (int i = from; i < to; i++) {
            rows.beginState();
            for (int at = states[i] * rollout.agents; at < (states[i] + 1) * rollout.agents; at++) {
                float[] row = rollout.rows[at];
                if (row != null) {
                    put(at, weights.imitates(), whole, oneHot, numbers);
                    if (weights.hasTeacher()) {
                        putTaught(at, teacher);
                    }
                    rows.add(row, 0, rollout.active[at]);
                }
            }
        }
        NDArray all = columns.tensor(scope, COLUMNS, count);
        return new Tensors(
                rows.tensors(scope),
                chosen.tensor(scope, count, actions),
                all.get(0),
                all.get(1),
                all.get(2),
                all.get(3),
                all.get(4),
                weights.hasTeacher() ? taught.tensor(scope, count, actions) : null);
    }

    private void put(int at, boolean imitates, Counts whole, FloatBuffer oneHot, FloatBuffer numbers) {
        int row = rows.count();
        boolean active = rollout.active[at];
        int action = imitates && active ? rollout.labels[at] : rollout.actions[at];
        for (int i = 0; i < rollout.spec.actions().size(); i++) {
            oneHot.put(i == action ? 1 : 0);
        }
        numbers.put(row, rollout.logProbabilities[at]);
        numbers.put(count + row, active ? rollout.normalisedAdvantages[at] : 0);
        numbers.put(2 * count + row, rollout.targets[at]);
        numbers.put(3 * count + row, active ? 1f / Math.max(1, whole.active()) : 0);
        numbers.put(4 * count + row, 1f / Math.max(1, whole.all()));
    }

    /** The teacher was not asked about agents without a choice: for them it waits. */
    private void putTaught(int at, FloatBuffer teacher) {
        int actions = rollout.spec.actions().size();
        if (rollout.active[at]) {
            teacher.put(rollout.taught, at * actions, actions);
        } else {
            for (int action = 0; action < actions; action++) {
                teacher.put(action == 0 ? 0 : -1e9f);
            }
        }
    }
}
