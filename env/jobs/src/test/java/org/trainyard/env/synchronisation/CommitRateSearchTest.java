package org.trainyard.env.synchronisation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.synchronisation.SynchronisationModel.ImplicitMomentum;

/** ADSP's implicit momentum, fit of the loss and search for a commit rate, against its known answers. */
class CommitRateSearchTest {
    private static final StatisticalEfficiency OURS = StatisticalEfficiency.OURS;

    @ParameterizedTest
    @CsvSource({"1, 0.4595", "2, 0.2982", "3, 0.2208", "5, 0.1453", "10, 0.0783"})
    void momentum_of_eighteen_workers_falls_with_their_commits(int commits, double momentum) {
        assertThat(ImplicitMomentum.ofScript(18, commits)).isCloseTo(momentum, within(5e-5));
    }

    @Test
    void a_curve_through_exact_losses_is_the_curve_they_are_from() {
        LossCurve made = new LossCurve(0.01, 2, 0.1);
        for (double half : new double[] {1, 30, 400}) {
            LossCurve found = LossCurve.through(half, made.at(0), made.at(half), made.at(2 * half));
            assertThat(found.aSquared()).isCloseTo(0.01, within(1e-9));
            assertThat(found.b()).isCloseTo(2, within(1e-7));
            assertThat(found.c()).isCloseTo(0.1, within(1e-7));
            assertThat(found.reward(0.2)).isCloseTo(0.00125, within(1e-9));
            assertThat(found.reaches(0.2)).isCloseTo(800, within(1e-3));
        }
        assertThat(made.reward(0.1)).isZero();
        assertThatThrownBy(() -> LossCurve.through(1, 0.6, 0.5, 0.4)).hasMessageContaining("ever more slowly");
    }

    /** Speeds 1, 1 and 1/3, commits of 0.5 s, and the momentum of 18 workers. */
    private static double effectiveSteps(int commits) {
        UnevenWorkers workers = UnevenWorkers.of(0.5, 1, 1, 1 / 3.0);
        return SynchronisationModel.Adsp.at(commits, workers, OURS).stepsPerSecond()
                * OURS.atMomentum(ImplicitMomentum.ofScript(18, commits));
    }

    @Test
    void the_search_climbs_to_five_commits_where_effective_steps_are_most() {
        double[] known = {0.794, 1.594, 2.068, 2.227, 2.235, 2.187};
        for (int commits = 1; commits <= known.length; commits++) {
            assertThat(effectiveSteps(commits)).isCloseTo(known[commits - 1], within(5e-4));
        }
        List<Integer> asked = new ArrayList<>();
        int found = CommitRateSearch.climb(10, commits -> {
            asked.add(commits);
            return effectiveSteps(commits);
        });
        assertThat(found).isEqualTo(5);
        assertThat(asked).containsExactly(1, 2, 3, 4, 5, 6);
        assertThat(CommitRateSearch.climb(3, CommitRateSearchTest::effectiveSteps))
                .isEqualTo(3);
    }

    @Test
    void slow_commits_leave_time_for_fewer_of_them() {
        assertThat(CommitRateSearch.most(UnevenWorkers.of(0.5, 1), 60)).isEqualTo(10);
        assertThat(CommitRateSearch.most(UnevenWorkers.of(15, 1), 60)).isEqualTo(4);
        assertThat(CommitRateSearch.most(UnevenWorkers.of(90, 1), 60)).isEqualTo(1);
    }

    /** The rewards of losses at the start, middle and end of a period lead where exact effective steps lead. */
    @ParameterizedTest
    @ValueSource(ints = {2, 6, 12, 18})
    void the_search_by_losses_stops_where_effective_steps_are_most(int count) {
        double[] speeds = new double[count];
        for (int i = 0; i < count; i++) {
            speeds[i] = i % 3 == 0 ? 0.4 : 1.2;
        }
        UnevenWorkers workers = UnevenWorkers.of(0.8, speeds);
        LossCurve curve = new LossCurve(1e-4, 2, 0.1);
        int byLosses = CommitRateSearch.climb(10, commits -> {
            double rate = SynchronisationModel.Adsp.at(commits, workers, OURS).effectiveStepsPerSecond();
            return LossCurve.through(30, curve.at(500), curve.at(500 + 30 * rate), curve.at(500 + 60 * rate))
                    .reward(0.2);
        });
        assertThat(byLosses).isEqualTo(SynchronisationModel.Adsp.searched(workers, OURS));
        if (count == 18) {
            assertThat(byLosses).isBetween(3, 7);
        }
    }
}
