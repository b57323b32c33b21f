package org.trainyard.agents.learned.ppo;

/**
 * Generalised advantage estimation for decisions at irregular times, agent by agent (J. Schulman et al.: High-dimensional continuous
 * control using generalized advantage estimation, ICLR 2016).
 *
 * <p>Deviations: 1. discount and lambda are {@code exp(-elapsed / hours)}, so decisions at one instant are not discounted against each
 * other, and the estimate does not depend on how many choices an instant had; 2. pay is taken to flow evenly over a step and
 * discounted as it flows; 3. an agent's next decision is the next state in which it had a choice, whatever others did meanwhile.
 */
final class Advantages {
    final double[] advantages;
    /** What the critic should have said; also where an agent had no choice, for an episode may be cut or bootstrapped there. */
    final double[] returns;

    private final double discountHours;
    private final double gaeHours;

    Advantages(int choices, double discountHours, double gaeHours) {
        advantages = new double[choices];
        returns = new double[choices];
        this.discountHours = discountHours;
        this.gaeHours = gaeHours;
    }

    /** Fills in advantages of the choices of active agents, and returns of all; {@code scale} turns the critic's unit into reward. */
    void estimate(RolloutBuffer rollout, RunningReturnScale scale) {
        for (int env = 0; env < rollout.environments; env++) {
            for (int agent = 0; agent < rollout.agents; agent++) {
                estimate(rollout, scale, env, agent);
            }
        }
    }

    private void estimate(RolloutBuffer rollout, RunningReturnScale scale, int env, int agent) {
        double value = scale.restore(rollout.lastValues[env * rollout.agents + agent]);
        double advantage = 0;
        double pay = 0;
        double hours = 0;
        for (int step = rollout.steps - 1; step >= 0; step--) {
            int state = step * rollout.environments + env;
            int at = state * rollout.agents + agent;
            if (rollout.ends[state] != RolloutBuffer.GOES_ON) {
                boolean cut = rollout.ends[state] == RolloutBuffer.TRUNCATED;
                value = cut ? scale.restore(rollout.endValues[at]) : 0;
                advantage = 0;
                pay = 0;
                hours = 0;
            }
            double elapsed = rollout.hours[state];
            pay = rollout.rewards[at] * flowing(elapsed) + Math.exp(-elapsed / discountHours) * pay;
            hours += elapsed;
            double discount = Math.exp(-hours / discountHours);
            returns[at] = pay + discount * (value + Math.exp(-hours / gaeHours) * advantage);
            if (rollout.active[at]) {
                value = scale.restore(rollout.values[at]);
                advantage = returns[at] - value;
                advantages[at] = advantage;
                pay = 0;
                hours = 0;
            }
        }
    }

    /** Mean discount of pay that flows evenly over this time. */
    private double flowing(double elapsed) {
        double x = elapsed / discountHours;
        return x < 1e-9 ? 1 : -Math.expm1(-x) / x;
    }
}
