package org.trainyard.agents.learned.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class CostToGoTest {
    private static final double[] VALUE = CostToGo.stateValue().of(0);

    /** Two jobs for an hour, then one for two hours; tau is an hour. */
    private final CostToGo cost =
            new CostToGo(RandomRecords.of(new double[] {1, 2, 4}, new double[] {2, 1, 0}), 1, null, VALUE);

    private final double last = 1 - Math.exp(-2);

    @Test
    void the_cost_is_the_discounted_integral_of_the_jobs_in_the_system() {
        assertThat(cost.atSegment(1)).isCloseTo(last, within(1e-12));
        assertThat(cost.atSegment(0)).isCloseTo(2 * (1 - Math.exp(-1)) + Math.exp(-1) * last, within(1e-12));
        assertThat(cost.atSegment(2)).isZero();
    }

    @Test
    void between_events_it_is_integrated_from_that_moment_on() {
        assertThat(cost.atHour(1)).isEqualTo(cost.atSegment(0));
        assertThat(cost.atHour(1.5)).isCloseTo(2 * (1 - Math.exp(-0.5)) + Math.exp(-0.5) * last, within(1e-12));
        assertThat(cost.atHour(3)).isCloseTo(1 - Math.exp(-1), within(1e-12));
    }

    @Test
    void before_the_first_event_it_is_discounted_and_after_the_last_nothing() {
        assertThat(cost.atHour(0)).isCloseTo(Math.exp(-1) * cost.atSegment(0), within(1e-12));
        assertThat(cost.atHour(4)).isZero();
        assertThat(cost.atHour(9)).isZero();
    }

    @Test
    void with_a_trace_the_backlog_stands_for_what_is_left_of_the_future() {
        EpisodeRecord record = RandomRecords.of(new double[] {1, 2, 4}, new double[] {2, 1, 0});
        record.figures[EpisodeRecord.FIGURES + EpisodeRecord.BACKLOG] = 7;

        // After the second hour the backlog counts with 1.3; the last state has none.
        double played = Math.exp(-1 / 3.0);
        double first = 2 * (1 - Math.exp(-1)) + Math.exp(-1) * (played * last + (1 - played) * 1.3 * 7);
        CostToGo withTrace = new CostToGo(record, 1, 3.0, VALUE);
        assertThat(withTrace.atSegment(1)).isCloseTo(last, within(1e-12));
        assertThat(withTrace.atSegment(0)).isCloseTo(first, within(1e-12));
        assertThat(new CostToGo(record, 1, 1e-9, VALUE).atHour(1.5))
                .isCloseTo(2 * (1 - Math.exp(-0.5)) + Math.exp(-0.5) * 1.3 * 7, within(1e-9));
        assertThat(new CostToGo(record, 1, 1e12, VALUE).atSegment(0)).isCloseTo(cost.atSegment(0), within(1e-9));
    }

    @Test
    void with_a_long_horizon_it_is_the_sum_of_completion_times() {
        assertThat(new CostToGo(RandomRecords.of(new double[] {1, 2, 4}, new double[] {2, 1, 0}), 1e6, null, VALUE)
                        .atSegment(0))
                .isCloseTo(2 + 2, within(1e-4));
    }
}
