package org.trainyard.agents.learned.expert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ArmCostsTest {
    @Test
    void an_advantage_is_the_mean_cost_of_all_bids_less_the_own_and_its_error_that_of_paired_differences() {
        // Futures differ by hundreds, bids by a few.
        ArmCosts costs = new ArmCosts(new double[][] {{100, 98, 102}, {300, 297, 303}, {200, 199, 201}});
        assertThat(costs.advantage(0)).isCloseTo(0, within(1e-9));
        assertThat(costs.advantage(1)).isCloseTo(2, within(1e-9));
        assertThat(costs.advantage(2)).isCloseTo(-2, within(1e-9));
        assertThat(costs.standardError(1)).isCloseTo(1 / Math.sqrt(3), within(1e-9));
        assertThat(costs.rollouts()).isEqualTo(9);
        assertThat(costs.matters()).isTrue();
    }

    @Test
    void another_bid_beats_the_policys_own_when_the_difference_is_clear_of_its_error() {
        ArmCosts clear = new ArmCosts(new double[][] {{10, 8}, {30, 27}, {20, 19}});
        assertThat(clear.isBeaten(2)).isTrue();
        assertThat(clear.isBeaten(4)).isFalse();
        assertThat(new ArmCosts(new double[][] {{8, 10}, {27, 30}, {19, 20}}).isBeaten(2))
                .isFalse();
        assertThat(new ArmCosts(new double[][] {{10, 2}, {10, 18}, {10, 9}}).isBeaten(2))
                .isFalse();
    }

    @Test
    void bids_of_equal_costs_make_no_difference() {
        ArmCosts costs = new ArmCosts(new double[][] {{5, 5}, {7, 7}});
        assertThat(costs.matters()).isFalse();
        assertThat(costs.isBeaten(2)).isFalse();
        assertThat(costs.improvement()).isZero();
    }

    @Test
    void the_improvement_is_judged_in_futures_that_did_not_choose() {
        // Bid 1 is better by 2 in every future.
        assertThat(new ArmCosts(new double[][] {{10, 8}, {30, 28}, {20, 18}, {5, 3}}).improvement())
                .isCloseTo(2, within(1e-9));
        // Bid 1 is better in even futures and worse in odd ones: each half chooses wrongly or keeps the policy's own.
        assertThat(new ArmCosts(new double[][] {{10, 8}, {10, 13}, {10, 8}, {10, 13}}).improvement())
                .isCloseTo(-1.5, within(1e-9));
        assertThat(new ArmCosts(new double[][] {{10, 8}, {10, 9}, {10, 8}}).improvement())
                .as("two futures against one")
                .isCloseTo((1 + 2) / 2.0, within(1e-9));
    }
}
