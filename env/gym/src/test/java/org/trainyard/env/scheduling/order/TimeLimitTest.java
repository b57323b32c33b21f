package org.trainyard.env.scheduling.order;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TimeLimitTest {
    private static TimeLimit after(double... seconds) {
        TimeLimit limit = new TimeLimit();
        for (double one : seconds) {
            limit.add(one);
        }
        return limit;
    }

    @Test
    void one_long_job_shows_no_limit_and_two_that_ran_as_long_do() {
        assertThat(after(100, 3600).leftSeconds(600)).isInfinite();
        assertThat(after(3600, 100, 3600).leftSeconds(600)).isEqualTo(3000);
        assertThat(after(3600, 3610).leftSeconds(600)).isEqualTo(3010);
        assertThat(after(3610, 3600).leftSeconds(600)).as("the longer one").isEqualTo(3010);
        assertThat(after(3600, 3700).leftSeconds(600)).isInfinite();
    }

    @Test
    void a_longer_job_takes_the_limit_away_until_another_runs_as_long() {
        TimeLimit limit = after(3600, 3600, 7200);
        assertThat(limit.leftSeconds(600)).isInfinite();
        limit.add(3600);
        assertThat(limit.leftSeconds(600)).isInfinite();
        limit.add(7200);
        assertThat(limit.leftSeconds(600)).isEqualTo(6600);
    }

    @Test
    void a_job_near_the_limit_has_a_hundredth_of_it_left_and_one_beyond_it_any_time() {
        TimeLimit limit = after(1000, 1000);
        assertThat(limit.leftSeconds(999)).isEqualTo(10);
        assertThat(limit.leftSeconds(1000)).isInfinite();
    }

    @Test
    void half_a_per_cent_on_either_side_is_the_same_limit() {
        assertThat(after(1000, 995).leftSeconds(0)).isEqualTo(1000);
        assertThat(after(1000, 994.9).leftSeconds(0)).isInfinite();
        assertThat(after(1000, 1004.9).leftSeconds(0)).isEqualTo(1004.9);
        assertThat(after(1000, 1005.1).leftSeconds(0)).isInfinite();
        assertThat(after(1000, 1000).leftSeconds(989)).isEqualTo(11);
    }
}
