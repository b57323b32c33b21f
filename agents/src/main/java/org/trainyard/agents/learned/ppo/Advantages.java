package org.trainyard.agents.learned.ppo;

/**
 * Generalised advantage estimation for decisions at irregular times, agent by agent (J. Schulman et al.: High-dimensional continuous
 * control using generalized advantage estimation, ICLR 2016).
 *
 * <p>Deviations: 1. discount and lambda are {@code exp(-elapsed / hours)}, so decisions at one instant are not discounted against each
 * other, and the estimate does not depend on how many choices an instant had; 2. the reward of a step is spread evenly over its duration
 * and discounted accordingly; 3. the next state of an agent is the next one in which it had a choice, whatever others did meanwhile.
 */
final class Advantages {
    private final RolloutBuffer rollout;
    private final RunningReturnScale scale;
    private final double discountHours;
    private final double gaeHours;

    private Advantages(RolloutBuffer rollout, RunningReturnScale scale, double discountHours, double gaeHours) {
        this.rollout = rollout;
        this.scale = scale;
        this.discountHours = discountHours;
        this.gaeHours = gaeHours;
    }

    /**
     * Fills in the rollout's advantages, those of active agents, and returns, those of all.
     *
     * @param scale turns the critic's unit into that of rewards
     */
    static void estimate(RolloutBuffer rollout, RunningReturnScale scale, double discountHours, double gaeHours) {
        Advantages estimator = new Advantages(rollout, scale, discountHours, gaeHours);
        for (int env = 0; env < rollout.environments; env++) {
            for (int agent = 0; agent < rollout.agents; agent++) {
                estimator.estimate(env, agent);
            }
        }
    }

    private void estimate(int env, int agent) {
        double value = scale.restore(rollout.lastValues[env * rollout.agents + agent]);
        double advantage = 0;
        double reward = 0;
        double hours = 0;
        for (int step = rollout.steps - 1; step >= 0; step--) {
            int state = step * rollout.environments + env;
            int at = state * rollout.agents + agent;
            if (rollout.ends[state] != RolloutBuffer.CONTINUES) {
                boolean cut = rollout.ends[state] == RolloutBuffer.TRUNCATED;
                value = cut ? scale.restore(rollout.endValues[at]) : 0;
                advantage = 0;
                reward = 0;
                hours = 0;
            }
            double elapsed = rollout.hours[state];
            reward = rollout.rewards[at] * meanDiscount(elapsed) + Math.exp(-elapsed / discountHours) * reward;
            hours += elapsed;
            double discount = Math.exp(-hours / discountHours);
            rollout.returns[at] = reward + discount * (value + Math.exp(-hours / gaeHours) * advantage);
            if (rollout.active[at]) {
                value = scale.restore(rollout.values[at]);
                advantage = rollout.returns[at] - value;
                rollout.advantages[at] = advantage;
                reward = 0;
                hours = 0;
            }
        }
    }

    /** The mean of the discount over a step's duration. */
    private double meanDiscount(double elapsed) {
        double x = elapsed / discountHours;
        return x < 1e-9 ? 1 : -Math.expm1(-x) / x;
    }
}
