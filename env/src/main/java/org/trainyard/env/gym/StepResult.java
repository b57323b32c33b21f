package org.trainyard.env.gym;

import org.trainyard.env.gym.action.ActionExecutor;

/** What one step brought. One object per environment, overwritten by the next step. */
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
        java.util.Arrays.fill(rewards, 0);
        java.util.Arrays.fill(outcomes, ActionExecutor.Outcome.DONE);
        elapsedHours = 0;
        terminated = false;
        truncated = false;
        stuck = false;
    }

    void pay(int agent, double reward) {
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

    /** What the agent earned since the step before, penalties included. */
    public double reward(int agent) {
        return rewards[agent];
    }

    /** Simulated time that passed, hours; often zero. */
    public double elapsedHours() {
        return elapsedHours;
    }

    /** Whether all jobs are done. */
    public boolean terminated() {
        return terminated;
    }

    /** Whether the episode was cut: by the horizon, or because it was {@link #stuck}. */
    public boolean truncated() {
        return truncated;
    }

    public boolean done() {
        return terminated || truncated;
    }

    /** Info: whether nothing would ever have happened again, because agents acted illegally on an idle cluster. */
    public boolean stuck() {
        return stuck;
    }

    /** Info: what became of the agent's action. */
    public ActionExecutor.Outcome outcome(int agent) {
        return outcomes[agent];
    }
}
