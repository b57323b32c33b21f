package org.trainyard.interference.runtimes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.interference.runtime.ForestSettings;
import org.trainyard.interference.runtime.SubmissionFeatures;

class RuntimeComparisonTest {
    @Test
    void where_jobs_recur_the_forest_ranks_them_and_beats_every_simpler_predictor() {
        assertForestWins(1);
    }

    @Tag("thorough")
    @ParameterizedTest
    @ValueSource(longs = 2)
    void where_jobs_recur_the_forest_beats_every_simpler_predictor_on_another_log_too(long seed) {
        assertForestWins(seed);
    }

    private static void assertForestWins(long seed) {
        RuntimeComparison comparison = RuntimeComparison.of(
                ReplayedLog.of(RuntimeLog.of(Logs.generated(3000, seed)), ForestSettings.DEFAULT, seed));
        RuntimeScore.Errors forest = comparison.score(RuntimeComparison.FOREST).recurring();
        assertThat(forest.jobs()).isGreaterThan(900);
        assertThat(forest.rankCorrelation()).isGreaterThan(0.85);
        for (String simpler : List.of(
                RuntimeComparison.LAST, RuntimeComparison.USER, RuntimeComparison.MEDIAN, RuntimeComparison.SMOOTHED)) {
            RuntimeScore.Errors other = comparison.score(simpler).recurring();
            assertThat(forest.rankCorrelation()).as(simpler).isGreaterThan(other.rankCorrelation());
            assertThat(forest.medianFactor()).as(simpler).isLessThan(other.medianFactor());
        }
        assertThat(comparison.belowP90()).isBetween(0.8, 0.95);
    }

    @Test
    void the_oracle_is_right() {
        RuntimeComparison comparison = RuntimeComparison.of(Logs.replayed(Logs.generated(300, 1)));
        RuntimeScore.Errors oracle = comparison.score(RuntimeComparison.ORACLE).all();
        assertThat(oracle.jobs()).isEqualTo(150);
        assertThat(oracle.logRmse()).isZero();
        assertThat(oracle.rankCorrelation()).isGreaterThan(1 - 1e-9);
    }

    @Test
    void on_a_log_without_groups_it_is_not_behind_the_median_and_history() {
        List<TraceJob> jobs = Logs.real("helios/helios_venus_2vc_sept.csv.gz");
        RuntimeComparison comparison =
                RuntimeComparison.of(ReplayedLog.of(RuntimeLog.of(jobs), ForestSettings.DEFAULT, 1));
        double forest = comparison.score(RuntimeComparison.FOREST).all().logRmse();
        assertThat(forest)
                .isLessThan(comparison.score(RuntimeComparison.MEDIAN).all().logRmse());
        assertThat(forest)
                .isLessThan(comparison.score(RuntimeComparison.SMOOTHED).all().logRmse());
        assertThat(comparison.score(RuntimeComparison.FOREST).recurring().jobs())
                .isZero();
        assertThat(comparison.belowP90()).isBetween(0.85, 0.95);
    }

    @Test
    void features_know_what_was_over_at_submission_and_nothing_else() {
        List<TraceJob> jobs = new ArrayList<>(Logs.generated(400, 2));
        ReplayedLog here = Logs.replayed(jobs);
        int cut = 250;
        long now = jobs.get(cut).submitNanos();
        jobs.replaceAll(job -> job.submitNanos() + job.durationNanos() <= now ? job : tenTimesLonger(job));
        ReplayedLog there = Logs.replayed(jobs);
        for (int job = 0; job <= cut; job++) {
            assertThat(there.guess(job)).isEqualTo(here.guess(job));
            assertThat(there.lastOfGroup(job)).isEqualTo(here.lastOfGroup(job));
        }
        int known = (cut + 1) * SubmissionFeatures.COUNT;
        assertThat(Arrays.copyOf(there.features(), known)).isEqualTo(Arrays.copyOf(here.features(), known));
        assertThat(there.guess(399)).isNotEqualTo(here.guess(399));
    }

    private static TraceJob tenTimesLonger(TraceJob job) {
        return new TraceJob(
                job.id(),
                job.submitNanos(),
                job.demand(),
                10 * job.durationNanos(),
                job.model(),
                job.user(),
                job.group(),
                job.virtualCluster());
    }

    @Test
    void a_log_too_short_is_refused() {
        assertThatThrownBy(() -> RuntimeComparison.of(Logs.replayed(Logs.generated(99, 1))))
                .hasMessageContaining("(99)");
    }
}
