package org.trainyard.env.gym.action;

import java.util.Arrays;

/**
 * The legal actions of an agent. Hundreds of actions place or forward a selected job, one per domain and server;
 * while the agent has selected none these are illegal, so that neither clearing nor copying the mask looks at them.
 */
final class ActionMask {
    private final boolean[] isLegal;
    /** The first action that decides about a selected job, and the first after them. */
    private final int ofSelectedFrom;

    private final int ofSelectedTo;
    private boolean isOfSelected;

    ActionMask(ActionSpace actions) {
        isLegal = new boolean[actions.size()];
        ofSelectedFrom = actions.server(0);
        ofSelectedTo = actions.preempt(0);
    }

    /** Makes all actions illegal, before those of an agent are set that has or has not selected a job. */
    void clear(boolean ofSelected) {
        Arrays.fill(isLegal, 0, ofSelectedFrom, false);
        Arrays.fill(isLegal, ofSelectedTo, isLegal.length, false);
        if (isOfSelected || ofSelected) {
            Arrays.fill(isLegal, ofSelectedFrom, ofSelectedTo, false);
        }
        isOfSelected = ofSelected;
    }

    void set(int action, boolean legal) {
        isLegal[action] = legal;
    }

    boolean isLegal(int action) {
        return action >= 0 && action < isLegal.length && isLegal[action];
    }

    /** Whether an action of those that decide about a selected job is legal. */
    boolean isAnyOfSelected() {
        for (int action = ofSelectedFrom; action < ofSelectedTo; action++) {
            if (isLegal[action]) {
                return true;
            }
        }
        return false;
    }

    /** Writes 1 for each legal action and 0 for the others. */
    void write(float[] out, int at) {
        Arrays.fill(out, at, at + isLegal.length, 0);
        if (isOfSelected) {
            write(ofSelectedFrom, ofSelectedTo, out, at);
        } else {
            write(0, ofSelectedFrom, out, at);
            write(ofSelectedTo, isLegal.length, out, at);
        }
    }

    private void write(int from, int to, float[] out, int at) {
        for (int action = from; action < to; action++) {
            if (isLegal[action]) {
                out[at + action] = 1;
            }
        }
    }
}
