package org.trainyard.experiments.advice;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.trainyard.experiments.metrics.RankingMetric;

class LearnedRemarkTest {
    private static @Nullable String remark(double learned) {
        return LearnedRemark.of(
                RankingMetric.MEAN_WAIT,
                LogOutcomeTest.outcome("easy", 0, 0, 600),
                LogOutcomeTest.outcome("learned", 0, 0, learned),
                "generated episodes of 1,000 jobs on 128 GPUs");
    }

    @Test
    void a_policy_that_lets_jobs_wait_longer_than_today_is_named_with_the_difference_and_its_training() {
        assertThat(remark(1800))
                .isEqualTo(
                        "Under learned the mean wait is 15 min, 10 min more than under easy: it was trained on generated"
                                + " episodes of 1,000 jobs on 128 GPUs; jobs of a log run equally fast wherever they start.");
    }

    @Test
    void a_policy_that_is_no_worse_than_today_needs_no_remark() {
        assertThat(remark(600)).isNull();
        assertThat(remark(599)).isNull();
    }

    @Test
    void replays_of_a_long_log_may_take_longer_and_the_own_scheduler_always_five_minutes() {
        assertThat(LogReplays.Limits.forJobs(100, null, 30)).isEqualTo(new LogReplays.Limits(null, 12, 300, 30));
        assertThat(LogReplays.Limits.forJobs(75_000, null, 30)).isEqualTo(new LogReplays.Limits(null, 60, 300, 30));
        assertThat(LogReplays.Limits.forJobs(1_000_000, null, 30).seconds()).isEqualTo(300);
        LogReplays.Limits some = LogReplays.Limits.forJobs(15_000, null, 30);
        assertThat(some.secondsOf("conservative")).isEqualTo(12);
        assertThat(some.secondsOf("slurm:/etc/slurm/slurm.conf")).isEqualTo(300);
    }
}
