package org.trainyard.interference.runtimes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.workload.TraceJob;

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
        RuntimeComparison comparison =
                RuntimeComparison.of(RuntimeLog.of(Logs.generated(3000, seed)), ForestSettings.DEFAULT, seed);
        RuntimeScore.Errors forest = comparison.score(RuntimeComparison.FOREST).recurring();
        assertThat(forest.jobs()).isGreaterThan(900);
        assertThat(forest.rankCorrelation()).isGreaterThan(0.85);
        for (String simpler : List.of(
                RuntimeComparison.LAST, RuntimeComparison.USER, RuntimeComparison.MEDIAN, RuntimeComparison.SMOOTHED)) {
            RuntimeScore.Errors other = comparison.score(simpler).recurring();
            assertThat(forest.rankCorrelation()).as(simpler).isGreaterThan(other.rankCorrelation());
            assertThat(forest.medianApe()).as(simpler).isLessThan(other.medianApe());
        }
        assertThat(comparison.belowP90()).isBetween(0.8, 0.95);
    }

    @Test
    void the_oracle_is_right() {
        RuntimeComparison comparison = RuntimeComparison.of(RuntimeLog.of(Logs.generated(300, 1)), Logs.small(), 1);
        RuntimeScore.Errors oracle = comparison.score(RuntimeComparison.ORACLE).all();
        assertThat(oracle.jobs()).isEqualTo(150);
        assertThat(oracle.logRmse()).isZero();
        assertThat(oracle.rankCorrelation()).isGreaterThan(1 - 1e-9);
    }

    @Test
    void helios_venus_has_next_to_no_signal() {
        List<TraceJob> jobs = Logs.real("helios/helios_venus_2vc_sept.csv.gz");
        RuntimeComparison comparison = RuntimeComparison.of(RuntimeLog.of(jobs), ForestSettings.DEFAULT, 1);
        assertThat(comparison.score(RuntimeComparison.FOREST).all().rankCorrelation())
                .isBetween(0.0, 0.4);
        assertThat(comparison.score(RuntimeComparison.LAST).all().rankCorrelation())
                .isBetween(0.0, 0.2);
        assertThat(comparison.score(RuntimeComparison.FOREST).recurring().jobs())
                .isZero();
    }

    @Test
    void features_know_what_was_over_at_submission_and_nothing_else() {
        List<TraceJob> jobs = new ArrayList<>(Logs.generated(400, 2));
        ReplayedLog here = ReplayedLog.of(RuntimeLog.of(jobs));
        int cut = 250;
        long now = jobs.get(cut).submitNanos();
        jobs.replaceAll(job -> job.submitNanos() + job.durationNanos() <= now ? job : tenTimesLonger(job));
        ReplayedLog there = ReplayedLog.of(RuntimeLog.of(jobs));
        for (int job = 0; job <= cut; job++) {
            assertThat(there.row(job)).isEqualTo(here.row(job));
            assertThat(there.lastOfGroup(job)).isEqualTo(here.lastOfGroup(job));
        }
        assertThat(there.finishedBy(now).features())
                .isEqualTo(here.finishedBy(now).features());
        assertThat(there.finishedBy(now).logSeconds())
                .isEqualTo(here.finishedBy(now).logSeconds());
        assertThat(there.row(399)).isNotEqualTo(here.row(399));
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
    void a_log_too_short_to_split_is_refused() {
        assertThatThrownBy(() -> RuntimeComparison.of(RuntimeLog.of(Logs.generated(99, 1)), Logs.small(), 1))
                .hasMessageContaining("(99)");
    }
}
