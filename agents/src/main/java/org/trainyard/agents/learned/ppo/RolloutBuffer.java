package org.trainyard.agents.learned.ppo;

import java.util.Arrays;
import org.trainyard.env.gym.observation.ObservationSpace;

/**
 * What happened in some steps of several environments, in flat arrays that are used again. Index {@code at} of a choice is {@code
 * (step x environments + environment) x agents + agent}; what has an index per state leaves out the agent.
 *
 * <p>Written by {@link RolloutCollector}s, each the columns of its own environments.
 */
final class RolloutBuffer {
    /** How a step of an environment ended. */
    static final byte GOES_ON = 0;

    static final byte TERMINATED = 1;
    static final byte TRUNCATED = 2;

    final int steps;
    final int environments;
    final int agents;
    final ObservationSpace spec;

    final float[] rows;
    /** Whether there is a row: of all who had a choice, and of a few others so that the critic knows such states too. */
    final boolean[] seen;

    final int[] actions;
    final boolean[] active;
    final float[] logProbabilities;
    /** The critic's guess for every agent that had a choice, in its normalised unit. */
    final float[] values;
    /** What the teacher would do, where there is one and the policy is to imitate it. */
    final int[] labels;
    /** The teacher's log-probabilities of all actions, where there is one to be held to. */
    final float[] taught;

    final double[] rewards;
    final double[] hours;
    /** When a step began, hours since the episode's start. */
    final double[] times;
    /** Which of the environment's episodes a step was in: comparable within a group. */
    final int[] rounds;
    /** Whether an environment made this step, rather than wait for its group. */
    final boolean[] made;

    final byte[] ends;
    /** The critic's guess for the state in which a truncated episode stopped; other places hold nothing of meaning. */
    final float[] endValues;
    /** The critic's guess for the state after the last step. */
    final float[] lastValues;

    /** @param isTaught whether there is room for what a teacher says */
    RolloutBuffer(int environments, int agents, ObservationSpace spec, int steps, boolean isTaught) {
        this.steps = steps;
        this.environments = environments;
        this.agents = agents;
        this.spec = spec;
        int states = Math.multiplyExact(steps, environments);
        int choices = Math.multiplyExact(states, agents);
        rows = new float[Math.multiplyExact(choices, spec.size())];
        seen = new boolean[choices];
        actions = new int[choices];
        active = new boolean[choices];
        logProbabilities = new float[choices];
        values = new float[choices];
        labels = new int[isTaught ? choices : 0];
        taught = new float[isTaught ? Math.multiplyExact(choices, spec.actions().size()) : 0];
        rewards = new double[choices];
        hours = new double[states];
        times = new double[states];
        rounds = new int[states];
        made = new boolean[states];
        ends = new byte[states];
        endValues = new float[choices];
        lastValues = new float[environments * agents];
    }

    /** Joint states there is room for. */
    int states() {
        return steps * environments;
    }

    /** The states of all steps that were made, in order. */
    int[] madeStates() {
        int[] states = new int[states()];
        int count = 0;
        for (int state = 0; state < states.length; state++) {
            if (made[state]) {
                states[count++] = state;
            }
        }
        return Arrays.copyOf(states, count);
    }

    /** Choices of agents that had one. */
    int decisions() {
        int decisions = 0;
        for (boolean isActive : active) {
            decisions += isActive ? 1 : 0;
        }
        return decisions;
    }

    double simulatedHours() {
        return Arrays.stream(hours).sum();
    }

    /** Mean reward of an agent, over all environments. */
    double reward() {
        return Arrays.stream(rewards).sum() / agents;
    }

    /** Episodes that ended. */
    int episodes() {
        int episodes = 0;
        for (byte end : ends) {
            episodes += end == GOES_ON ? 0 : 1;
        }
        return episodes;
    }

    /** Mean and mean square of what belongs to choices, over those of agents that had one. */
    record Moments(double mean, double meanSquare) {
        double deviation() {
            return Math.sqrt(Math.max(0, meanSquare - mean * mean));
        }
    }

    Moments moments(double[] ofChoices) {
        double sum = 0;
        double squares = 0;
        int count = 0;
        for (int at = 0; at < active.length; at++) {
            if (active[at]) {
                sum += ofChoices[at];
                squares += ofChoices[at] * ofChoices[at];
                count++;
            }
        }
        return new Moments(sum / Math.max(1, count), squares / Math.max(1, count));
    }
}
