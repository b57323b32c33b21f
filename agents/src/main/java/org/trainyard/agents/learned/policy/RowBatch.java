package org.trainyard.agents.learned.policy;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.nio.FloatBuffer;
import org.trainyard.env.gym.observation.ObservationSpace;

/**
 * Observation rows of some agents in some joint states, to be turned into tensors.
 *
 * <p>Memory is used again: the tensors of one batch must be closed before the next one begins.
 */
public final class RowBatch {
    /**
     * A batch as tensors: N rows of S joint states.
     *
     * @param rows N x {@code spec.size()}
     * @param shares S x N, the weight of each row in the mean of its state: equal for the agents that have a choice, or for all rows if
     *     none has
     * @param spread N x S, one where a row belongs to a state
     */
    public record JointRows(NDArray rows, NDArray shares, NDArray spread, ObservationSpace spec) {}

    private final StagingBuffer rows = new StagingBuffer();
    private final StagingBuffer shares = new StagingBuffer();
    private final StagingBuffer spread = new StagingBuffer();
    private final ObservationSpace spec;
    private int[] stateOf = new int[16];
    private boolean[] chooses = new boolean[16];
    private FloatBuffer floats = rows.fill(0);
    private int count;
    private int states;

    public RowBatch(ObservationSpace spec) {
        this.spec = spec;
    }

    ObservationSpace spec() {
        return spec;
    }

    /** Number of rows. */
    public int count() {
        return count;
    }

    /** Empties the batch and makes room for this many rows. */
    public void begin(int most) {
        floats = rows.fill(Math.multiplyExact(most, spec.size()));
        if (stateOf.length < most) {
            stateOf = new int[most];
            chooses = new boolean[most];
        }
        count = 0;
        states = 0;
    }

    /** Begins a joint state, to which the rows that follow belong. */
    public void beginState() {
        states++;
    }

    /** Adds the row {@code from[at .. at + spec.size() - 1]}. */
    public void add(float[] from, int at, boolean hasChoice) {
        floats.put(from, at, spec.size());
        stateOf[count] = states - 1;
        chooses[count++] = hasChoice;
    }

    public JointRows tensors(NDManager scope) {
        int[] all = new int[states];
        int[] choosing = new int[states];
        for (int row = 0; row < count; row++) {
            all[stateOf[row]]++;
            choosing[stateOf[row]] += chooses[row] ? 1 : 0;
        }
        float[] toStates = new float[states * count];
        float[] toRows = new float[states * count];
        for (int row = 0; row < count; row++) {
            int state = stateOf[row];
            toRows[row * states + state] = 1;
            if (chooses[row] || choosing[state] == 0) {
                toStates[state * count + row] = 1f / (choosing[state] == 0 ? all[state] : choosing[state]);
            }
        }
        shares.fill(toStates.length).put(toStates);
        spread.fill(toRows.length).put(toRows);
        return new JointRows(
                rows.tensor(scope, count, spec.size()),
                shares.tensor(scope, states, count),
                spread.tensor(scope, count, states),
                spec);
    }

    /** Replaces the batch by joint states of {@code agents} consecutive rows each, all with a choice. */
    void fill(float[] from, int at, int joint, int agents) {
        begin(joint * agents);
        for (int row = 0; row < joint * agents; row++) {
            if (row % agents == 0) {
                beginState();
            }
            add(from, at + row * spec.size(), true);
        }
    }
}
