package org.trainyard.env.gym;

import java.util.Arrays;
import org.trainyard.env.gym.action.ActionExecutor;

/** Rewards, elapsed time and end of one step or reset. The object belongs to its environment, which overwrites it. */
public final class StepResult {
    private final double[] rewards;
    private final ActionExecutor.Outcome[] outcomes;
    private double elapsedHours;
    private boolean terminated;
    private boolean truncated;
    private boolean stuck;

    StepResult(int agents) {
        rewards = new double[agents];
        outcomes = new ActionExecutor.Outcome[agents];
        clear();
    }

    void clear() {
        Arrays.fill(rewards, 0);
        Arrays.fill(outcomes, ActionExecutor.Outcome.DONE);
        elapsedHours = 0;
        terminated = false;
        truncated = false;
        stuck = false;
    }

    void addReward(int agent, double reward) {
        rewards[agent] += reward;
    }

    void outcome(int agent, ActionExecutor.Outcome outcome) {
        outcomes[agent] = outcome;
    }

    void elapse(double hours) {
        elapsedHours += hours;
    }

    void terminate() {
        terminated = true;
    }

    void truncate(boolean becauseStuck) {
        truncated = true;
        stuck = becauseStuck;
    }

    /** Reward of the agent since the step before, less penalties. */
    public double reward(int agent) {
        return rewards[agent];
    }

    /** Simulated time that passed, hours; often zero, because several steps share an instant. */
    public double elapsedHours() {
        return elapsedHours;
    }

    /** Whether all jobs are done. */
    public boolean terminated() {
        return terminated;
    }

    /** Whether the episode was ended by the horizon, or because it was {@link #stuck}. */
    public boolean truncated() {
        return truncated;
    }

    public boolean done() {
        return terminated || truncated;
    }

    /** Info: whether jobs wait, none runs and none is to arrive, while no agent starts one. */
    public boolean stuck() {
        return stuck;
    }

    /** Info: whether the agent's action was carried out. */
    public ActionExecutor.Outcome outcome(int agent) {
        return outcomes[agent];
    }
}
