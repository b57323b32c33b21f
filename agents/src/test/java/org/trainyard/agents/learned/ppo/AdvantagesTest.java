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
    private double[] returns(double... hours) {
        for (int i = 0; i < 3; i++) {
            rollout.active[i] = true;
            rollout.hours[i] = hours[i];
        }
        Advantages.estimate(rollout, new RunningReturnScale(), DISCOUNT, GAE);
        return rollout.returns;
    }

    private void set(float[] values, double[] rewards, float last) {
        System.arraycopy(values, 0, rollout.values, 0, 3);
        System.arraycopy(rewards, 0, rollout.rewards, 0, 3);
        rollout.lastValues[0] = last;
    }

    @Test
    void decisions_at_one_instant_are_not_discounted_against_each_other() {
        set(new float[] {1, 2, 3}, new double[] {0, 0, -4}, 0);
        double[] returns = returns(0, 0, 1);
        assertThat(returns[0]).isCloseTo(returns[2], within(1e-9));
        assertThat(returns[1]).isCloseTo(returns[2], within(1e-9));
    }

    @Test
    void a_reward_is_discounted_over_the_step_and_the_state_after_counts_by_its_value() {
        set(new float[] {0, 0, 0}, new double[] {0, 0, -4}, 10);
        double[] returns = returns(0, 0, 3);
        double ofStep = -4 * DISCOUNT / 3 * (1 - Math.exp(-3 / DISCOUNT));
        assertThat(returns[2]).isCloseTo(ofStep + Math.exp(-3 / DISCOUNT) * 10, within(1e-9));
    }

    @Test
    void an_end_cuts_the_return_and_a_horizon_does_not() {
        set(new float[] {0, 0, 0}, new double[] {0, -1, 0}, 100);
        rollout.endValues[1] = 7;
        rollout.ends[1] = RolloutBuffer.TERMINATED;
        assertThat(returns(0, 0, 0)[1]).isCloseTo(-1, within(1e-9));
        rollout.ends[1] = RolloutBuffer.TRUNCATED;
        assertThat(returns(0, 0, 0)[1]).isCloseTo(6, within(1e-9));
    }

    @Test
    void what_is_earned_while_the_agent_has_no_choice_counts_for_its_last_decision() {
        set(new float[] {0, 0, 0}, new double[] {-1, -2, -4}, 0);
        rollout.active[0] = true;
        Advantages.estimate(rollout, new RunningReturnScale(), DISCOUNT, GAE);
        assertThat(rollout.returns[0]).isCloseTo(-7, within(1e-9));
        // Without a choice there is no advantage, but the critic learns the value of that state.
        assertThat(rollout.returns[1]).isCloseTo(-6, within(1e-9));
        assertThat(rollout.advantages[1]).isZero();
    }
}
