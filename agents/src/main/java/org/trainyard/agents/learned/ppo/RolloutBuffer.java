package org.trainyard.agents.learned.ppo;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.observation.ObservationSpace;

/**
 * The steps of several environments in flat arrays that every rollout uses again. Arrays over choices have index {@code (step x
 * environments + environment) x agents + agent}, arrays over joint states the same without the agent.
 *
 * <p>Written by {@link RolloutCollector}s, each the columns of its own environments.
 */
final class RolloutBuffer {
    /** How a step of an environment ended. */
    static final byte CONTINUES = 0;

    static final byte TERMINATED = 1;
    static final byte TRUNCATED = 2;

    final int steps;
    final int environments;
    final int agents;
    final ObservationSpace spec;

    /**
     * Observation rows of the agents that had a choice, and of a few others because the critic is asked about such states where a
     * rollout ends; null elsewhere, which is most of a large cluster.
     */
    final float[] @Nullable [] rows;

    final int[] actions;
    /** Whether the agent had a choice. */
    final boolean[] active;

    final float[] logProbabilities;
    /** The critic's value for every agent that had a choice, in its normalised unit. */
    final float[] values;
    /** The teacher's best action, where the policy imitates one. */
    final int[] labels;
    /** The teacher's log-probabilities of all actions. */
    final float[] taught;

    final double[] rewards;
    final double[] hours;
    /** Simulated hours since the episode began. */
    final double[] times;
    /** Number of the environment's episode, comparable within a group. */
    final int[] rounds;
    /** Whether the environment made this step, rather than wait for its group. */
    final boolean[] made;

    final byte[] ends;
    /** The critic's value of the state in which an episode was truncated; undefined elsewhere. */
    final float[] endValues;
    /** The critic's value of the state after the last step. */
    final float[] lastValues;

    /** Advantages of the choices of active agents. */
    final double[] advantages;
    /** Discounted returns, also where an agent had no choice. */
    final double[] returns;

    final float[] normalisedAdvantages;
    /** Value targets, in the critic's normalised unit. */
    final float[] targets;

    /** @param hasTeacher whether there is room for a teacher's labels and log-probabilities */
    RolloutBuffer(int environments, int agents, ObservationSpace spec, int steps, boolean hasTeacher) {
        this.steps = steps;
        this.environments = environments;
        this.agents = agents;
        this.spec = spec;
        int states = Math.multiplyExact(steps, environments);
        int choices = Math.multiplyExact(states, agents);
        rows = new float[choices][];
        actions = new int[choices];
        active = new boolean[choices];
        logProbabilities = new float[choices];
        values = new float[choices];
        labels = new int[hasTeacher ? choices : 0];
        taught = new float
                [hasTeacher ? Math.multiplyExact(choices, spec.actions().size()) : 0];
        rewards = new double[choices];
        hours = new double[states];
        times = new double[states];
        rounds = new int[states];
        made = new boolean[states];
        ends = new byte[states];
        endValues = new float[choices];
        lastValues = new float[environments * agents];
        advantages = new double[choices];
        returns = new double[choices];
        normalisedAdvantages = new float[choices];
        targets = new float[choices];
    }

    /** The joint states of all steps that were made, in order. */
    int[] madeStates() {
        int[] states = new int[made.length];
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
            episodes += end == CONTINUES ? 0 : 1;
        }
        return episodes;
    }

    /** Mean and mean square over the choices of active agents. */
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

    /** Fills in normalised advantages and value targets. */
    void normalise(RunningReturnScale scale) {
        Moments spread = moments(advantages);
        for (int at = 0; at < advantages.length; at++) {
            normalisedAdvantages[at] = (float) ((advantages[at] - spread.mean()) / (spread.deviation() + 1e-8));
            targets[at] = scale.normalise(returns[at]);
        }
    }
}
