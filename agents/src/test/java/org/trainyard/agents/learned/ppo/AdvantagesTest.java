package org.trainyard.agents.learned.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.trainyard.env.gym.action.ActionSpace;
import org.trainyard.env.gym.observation.ObservationSpace;

class AdvantagesTest {
    private static final double DISCOUNT = 5;
    private static final double GAE = 2;

    private final RolloutBuffer rollout =
            new RolloutBuffer(1, 1, new ObservationSpace(new ActionSpace(2, 2, 1), 1, 1, 1, 1), 3, false);

    /** Three decisions of the one agent, with these hours after each. */
    private Advantages estimate(double... hours) {
        for (int i = 0; i < 3; i++) {
            rollout.active[i] = true;
            rollout.hours[i] = hours[i];
        }
        Advantages advantages = new Advantages(3, DISCOUNT, GAE);
        advantages.estimate(rollout, new RunningReturnScale());
        return advantages;
    }

    private void set(float[] values, double[] rewards, float last) {
        System.arraycopy(values, 0, rollout.values, 0, 3);
        System.arraycopy(rewards, 0, rollout.rewards, 0, 3);
        rollout.lastValues[0] = last;
    }

    @Test
    void decisions_at_one_instant_are_not_discounted_against_each_other() {
        set(new float[] {1, 2, 3}, new double[] {0, 0, -4}, 0);
        Advantages found = estimate(0, 0, 1);
        assertThat(found.returns[0]).isCloseTo(found.returns[2], within(1e-9));
        assertThat(found.returns[1]).isCloseTo(found.returns[2], within(1e-9));
    }

    @Test
    void pay_is_discounted_as_it_flows_and_the_state_after_is_worth_its_value() {
        set(new float[] {0, 0, 0}, new double[] {0, 0, -4}, 10);
        Advantages found = estimate(0, 0, 3);
        double flowed = -4 * DISCOUNT / 3 * (1 - Math.exp(-3 / DISCOUNT));
        assertThat(found.returns[2]).isCloseTo(flowed + Math.exp(-3 / DISCOUNT) * 10, within(1e-9));
    }

    @Test
    void an_end_cuts_the_return_and_a_horizon_does_not() {
        set(new float[] {0, 0, 0}, new double[] {0, -1, 0}, 100);
        rollout.endValues[1] = 7;
        rollout.ends[1] = RolloutBuffer.TERMINATED;
        assertThat(estimate(0, 0, 0).returns[1]).isCloseTo(-1, within(1e-9));
        rollout.ends[1] = RolloutBuffer.TRUNCATED;
        assertThat(estimate(0, 0, 0).returns[1]).isCloseTo(6, within(1e-9));
    }

    @Test
    void what_is_earned_while_the_agent_has_no_choice_counts_for_its_last_decision() {
        set(new float[] {0, 0, 0}, new double[] {-1, -2, -4}, 0);
        Advantages advantages = new Advantages(3, DISCOUNT, GAE);
        rollout.active[0] = true;
        advantages.estimate(rollout, new RunningReturnScale());
        assertThat(advantages.returns[0]).isCloseTo(-7, within(1e-9));
        // Where it has no choice there is nothing to regret, but the critic learns what that state is worth.
        assertThat(advantages.returns[1]).isCloseTo(-6, within(1e-9));
        assertThat(advantages.advantages[1]).isZero();
    }
}
