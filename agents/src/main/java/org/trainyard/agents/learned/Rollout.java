package org.trainyard.agents.learned;

import java.util.random.RandomGenerator;
import org.trainyard.env.gym.ActionLayout;
import org.trainyard.env.gym.ObservationSpec;
import org.trainyard.env.gym.Step;
import org.trainyard.env.gym.VectorEnv;

/**
 * What happened in some steps of a vector of environments, in flat arrays that are used again. Index {@code at} of a choice is {@code
 * (step x environments + environment) x agents + agent}.
 */
final class Rollout {
    /** How a step of an environment ended. */
    static final byte GOES_ON = 0;

    static final byte TERMINATED = 1;
    static final byte TRUNCATED = 2;

    final int steps;
    final int environments;
    final int agents;
    final ObservationSpec spec;

    final float[] rows;
    final int[] actions;
    final boolean[] active;
    final float[] logProbabilities;
    /** The critic's guess for every agent in every state, in its normalised unit. */
    final float[] values;

    final double[] rewards;
    final double[] hours;
    final byte[] ends;
    /** The critic's guess for the state in which a truncated episode stopped; other places hold nothing of meaning. */
    final float[] endValues;
    /** The critic's guess for the state after the last step. */
    final float[] lastValues;

    private final float[] scores;
    private final float[] stepValues;
    private final float[] lastRows;
    private final int[] stepActions;
    int decisions;
    int episodes;
    int finishedEpisodes;
    double finishedJctSeconds;

    Rollout(VectorEnv envs, int steps) {
        this.steps = steps;
        environments = envs.size();
        agents = envs.agents();
        spec = envs.spec();
        int perStep = environments * agents;
        int choices = steps * perStep;
        rows = new float[Math.multiplyExact(choices, spec.size())];
        actions = new int[choices];
        active = new boolean[choices];
        logProbabilities = new float[choices];
        values = new float[choices];
        rewards = new double[choices];
        hours = new double[steps * environments];
        ends = new byte[steps * environments];
        endValues = new float[choices];
        lastValues = new float[perStep];
        scores = new float[perStep * spec.actions().size()];
        stepValues = new float[perStep];
        lastRows = new float[perStep * spec.size()];
        stepActions = new int[perStep];
    }

    /** Lets the policy act, drawing from the stream. */
    void gather(VectorEnv envs, PolicyNetwork policy, RandomGenerator random) {
        decisions = 0;
        episodes = 0;
        finishedEpisodes = 0;
        finishedJctSeconds = 0;
        policy.freeze(true);
        int perStep = environments * agents;
        for (int step = 0; step < steps; step++) {
            int at = step * perStep;
            envs.observe(rows, at * spec.size());
            policy.score(rows, at * spec.size(), environments, agents, spec, scores, stepValues);
            System.arraycopy(stepValues, 0, values, at, perStep);
            choose(envs, at, random);
            System.arraycopy(actions, at, stepActions, 0, perStep);
            envs.step(stepActions);
            for (int env = 0; env < environments; env++) {
                record(envs, policy, step, env);
            }
        }
        envs.observe(lastRows, 0);
        policy.score(lastRows, 0, environments, agents, spec, scores, lastValues);
        policy.freeze(false);
    }

    private void choose(VectorEnv envs, int at, RandomGenerator random) {
        int size = spec.actions().size();
        for (int i = 0; i < environments * agents; i++) {
            active[at + i] = envs.isActive(i / agents, i % agents);
            if (active[at + i]) {
                int action = PolicyNetwork.sample(scores, i * size, size, random);
                actions[at + i] = action;
                logProbabilities[at + i] = scores[i * size + action];
                decisions++;
            } else {
                actions[at + i] = ActionLayout.WAIT;
                logProbabilities[at + i] = 0;
            }
        }
    }

    private void record(VectorEnv envs, PolicyNetwork policy, int step, int env) {
        Step brought = envs.lastStep(env);
        int state = step * environments + env;
        hours[state] = brought.elapsedHours();
        ends[state] = brought.terminated() ? TERMINATED : brought.truncated() ? TRUNCATED : GOES_ON;
        for (int agent = 0; agent < agents; agent++) {
            rewards[state * agents + agent] = brought.reward(agent);
        }
        if (brought.truncated()) {
            policy.score(envs.truncatedRows(env), 0, 1, agents, spec, scores, stepValues);
            System.arraycopy(stepValues, 0, endValues, state * agents, agents);
        }
        if (brought.done()) {
            episodes++;
        }
        if (!Double.isNaN(envs.finishedMeanJctSeconds(env))) {
            finishedEpisodes++;
            finishedJctSeconds += envs.finishedMeanJctSeconds(env);
        }
    }

    /** Joint states. */
    int states() {
        return steps * environments;
    }

    double simulatedHours() {
        double sum = 0;
        for (double h : hours) {
            sum += h;
        }
        return sum;
    }
}
