package org.trainyard.agents.learned.ppo;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.nio.FloatBuffer;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.policy.RowBatch;
import org.trainyard.agents.learned.policy.StagingBuffer;

/**
 * Some joint states of a rollout as the tensors of a loss: only the rows that are there, those of agents with a choice above all.
 *
 * <p>Memory is used again: the tensors of one must be closed before the next one is staged.
 */
final class Minibatch {
    /**
     * What a loss is made of, for N rows.
     *
     * @param chosen N x A, one at the action to judge
     * @param oldLogProbability N, of that action when it was chosen
     * @param advantage N, normalised
     * @param target N, what the critic should say in its unit
     * @param weight N, of a row in the actor's losses; they add up to one over all parts of a minibatch
     * @param valueWeight N, the same for the critic's
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

    private static final int COLUMNS = 5;

    private final RowBatch rows;
    private final StagingBuffer chosen = new StagingBuffer();
    private final StagingBuffer columns = new StagingBuffer();
    private final StagingBuffer taught = new StagingBuffer();
    private int count;

    Minibatch(RolloutBuffer rollout) {
        rows = new RowBatch(rollout.spec);
    }

    /** How many rows of these states count for the actor, and how many for the critic. */
    static int[] weigh(RolloutBuffer rollout, int[] states, int from, int to) {
        int active = 0;
        int seen = 0;
        for (int i = from; i < to; i++) {
            for (int at = states[i] * rollout.agents; at < (states[i] + 1) * rollout.agents; at++) {
                active += rollout.active[at] ? 1 : 0;
                seen += rollout.seen[at] ? 1 : 0;
            }
        }
        return new int[] {active, seen};
    }

    /**
     * Copies the states {@code states[from .. to - 1]}.
     *
     * @param whole what {@link #weigh} says of the minibatch that this is a part of
     */
    Tensors stage(UpdateTargets lesson, int[] states, int from, int to, int[] whole, NDManager scope) {
        RolloutBuffer rollout = lesson.rollout;
        int actions = rollout.spec.actions().size();
        count = weigh(rollout, states, from, to)[1];
        rows.begin(count);
        FloatBuffer oneHot = chosen.fill(count * actions);
        FloatBuffer numbers = columns.fill(COLUMNS * count);
        FloatBuffer teacher = taught.fill(lesson.isTaught ? count * actions : 0);
        for (int i = from; i < to; i++) {
            rows.beginState();
            for (int at = states[i] * rollout.agents; at < (states[i] + 1) * rollout.agents; at++) {
                if (rollout.seen[at]) {
                    put(lesson, at, whole, oneHot, numbers);
                    if (lesson.isTaught) {
                        putTaught(rollout, at, teacher);
                    }
                    rows.add(rollout.rows, at * rollout.spec.size(), rollout.active[at]);
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
                lesson.isTaught ? taught.tensor(scope, count, actions) : null);
    }

    private void put(UpdateTargets lesson, int at, int[] whole, FloatBuffer oneHot, FloatBuffer numbers) {
        RolloutBuffer rollout = lesson.rollout;
        int row = rows.count();
        int judged = lesson.imitates && rollout.active[at] ? rollout.labels[at] : rollout.actions[at];
        for (int action = 0; action < rollout.spec.actions().size(); action++) {
            oneHot.put(action == judged ? 1 : 0);
        }
        boolean active = rollout.active[at];
        numbers.put(row, rollout.logProbabilities[at]);
        numbers.put(count + row, active ? lesson.advantages[at] : 0);
        numbers.put(2 * count + row, lesson.targets[at]);
        numbers.put(3 * count + row, active ? 1f / Math.max(1, whole[0]) : 0);
        numbers.put(4 * count + row, 1f / Math.max(1, whole[1]));
    }

    /** Of an agent without a choice the teacher said nothing: as if it had to wait. */
    private static void putTaught(RolloutBuffer rollout, int at, FloatBuffer teacher) {
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
