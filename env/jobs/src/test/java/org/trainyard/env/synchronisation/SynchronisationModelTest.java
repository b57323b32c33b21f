package org.trainyard.env.synchronisation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Paces of synchronisation models against hand calculations and the figures of ADSP's known answers. */
class SynchronisationModelTest {
    private static final UnevenWorkers UNEVEN = UnevenWorkers.of(0.5, 1, 1, 1 / 3.0);
    private static final StatisticalEfficiency DEFAULT = StatisticalEfficiency.DEFAULT;

    private static SynchronisationModel model(String label) {
        return Objects.requireNonNull(SynchronisationModel.parse(label));
    }

    @ParameterizedTest
    @CsvSource({"bsp, 0.857143", "fixed-adacomm:8, 0.979592", "adsp:2, 2.294444", "adsp:10, 2.138889"})
    void steps_per_second_of_three_uneven_workers_are_those_of_the_known_answers(String label, double steps) {
        assertThat(model(label).pace(UNEVEN).stepsPerSecond()).isCloseTo(steps, within(1e-6));
    }

    @ParameterizedTest
    @CsvSource({"2, 29.5, 9.8333333", "10, 5.5, 1.8333333"})
    void workers_of_adsp_commit_equally_often_and_train_by_their_speed(int commits, double fast, double slow) {
        assertThat(SynchronisationModel.Adsp.localSteps(commits, UNEVEN, 0)).isCloseTo(fast, within(1e-6));
        assertThat(SynchronisationModel.Adsp.localSteps(commits, UNEVEN, 1)).isCloseTo(fast, within(1e-6));
        assertThat(SynchronisationModel.Adsp.localSteps(commits, UNEVEN, 2)).isCloseTo(slow, within(1e-6));
        assertThat(60 * model("adsp:" + commits).pace(UNEVEN).commitsPerSecond())
                .isCloseTo(3 * commits, within(1e-9));
    }

    @Test
    void a_worker_with_a_slow_link_commits_as_often_as_the_others() {
        UnevenWorkers links = new UnevenWorkers(new double[] {1, 1}, new double[] {0.5, 10});
        assertThat(60 * model("adsp:2").pace(links).commitsPerSecond()).isCloseTo(4, within(1e-9));
        // 60 s less two commits of each.
        assertThat(60 * model("adsp:2").pace(links).stepsPerSecond()).isCloseTo(59 + 40, within(1e-9));
    }

    @Test
    void a_worker_that_has_no_time_for_a_step_between_commits_makes_one() {
        UnevenWorkers slow = UnevenWorkers.of(50, 0.1);
        // Two commits in 60 s would leave no time: one step of 10 s and a commit of 50 s instead.
        assertThat(model("adsp:2").pace(slow).stepsPerSecond()).isCloseTo(1 / 60.0, within(1e-12));
    }

    static String[] withoutWaiting() {
        return new String[] {"bsp", "ssp", "adsp", "tap", "batch-tune:bsp", "fixed-adacomm:8", "adacomm"};
    }

    @ParameterizedTest
    @MethodSource("withoutWaiting")
    void equal_workers_with_free_commits_all_train_at_the_sum_of_their_speeds(String label) {
        UnevenWorkers equal = UnevenWorkers.of(0, 2.5, 2.5, 2.5, 2.5);
        assertThat(model(label).pace(equal).stepsPerSecond()).isCloseTo(10, within(1e-9));
    }

    @Test
    void equal_workers_under_bsp_take_as_long_as_an_iteration_of_a_plan_with_parameter_servers() {
        ParameterServer plan = new ParameterServer(0.001, 128, 3, 100e6, 10e9, 1.25e9);
        for (int workers : new int[] {1, 2, 8, 64}) {
            for (boolean isOnOneMachine : new boolean[] {true, false}) {
                double bandwidth = isOnOneMachine ? plan.insideBytesPerSecond() : plan.acrossBytesPerSecond();
                double commit = 2 * plan.gradientBytes() * plan.workersPerServer() / (workers * bandwidth);
                double[] speeds = new double[workers];
                Arrays.fill(speeds, workers / (plan.batch() * plan.sampleSeconds()));

                double iterations =
                        model("bsp").pace(UnevenWorkers.of(commit, speeds)).stepsPerSecond() / workers;
                assertThat(iterations).isCloseTo(plan.iterationsPerSecond(workers, isOnOneMachine), within(1e-9));
            }
        }
    }

    @Test
    void staleness_of_asynchronous_workers_counts_commits_of_others_during_a_step() {
        UnevenWorkers equal = UnevenWorkers.of(0.5, 1, 1, 1);
        assertThat(model("tap").pace(equal).efficiency()).isCloseTo(DEFAULT.atStaleness(2, 3), within(1e-12));
        assertThat(model("ssp").pace(equal).efficiency()).isCloseTo(DEFAULT.atStaleness(2, 3), within(1e-12));
        // Steps of 1.5, 1.5 and 3.5 s: 1 + 3/7, the same, and 14/3 commits of others.
        double mean = (2 * (1 + 3 / 7.0) + 14 / 3.0) / 3;
        assertThat(model("tap").pace(UNEVEN).efficiency()).isCloseTo(DEFAULT.atStaleness(mean, 3), within(1e-12));
        assertThat(model("bsp").pace(UNEVEN).efficiency()).isEqualTo(1);
    }

    /** A step of ADSP was worth 0.43 of BSP's by the published steps; {@code ours} says 0.93. */
    @ParameterizedTest
    @CsvSource({"adsp, 0.43", "ours:adsp, 0.93", "fixed-adacomm:40, 0.65", "ssp:40, 0.92", "bsp, 1"})
    void steps_of_the_published_experiment_are_worth_what_it_needed_of_them(String label, double worth) {
        UnevenWorkers testbed = UnevenWorkers.of(15.4, 2.2, 2.2, 2.2 / 3);
        assertThat(model(label).pace(testbed).efficiency()).isCloseTo(worth, within(0.04));
        assertThat(model(label).label()).isEqualTo(label);
        assertThat(model(label).mostEffectiveSteps(testbed))
                .isGreaterThanOrEqualTo(model(label).pace(testbed).effectiveStepsPerSecond());
    }

    @Test
    void tuned_batches_make_uneven_workers_step_together() {
        // Mean speed 7/9.
        assertThat(model("batch-tune:bsp").pace(UNEVEN).stepsPerSecond()).isCloseTo(3 / (9 / 7.0 + 0.5), within(1e-9));
    }

    @Test
    void the_local_steps_of_adacomm_fall_with_the_root_of_the_loss_and_halve_when_it_does_not_fall() {
        // With a commit of 4 s, 10 steps earn 0.64 x 10 / 14 effective ones a second, 5 earn 0.8 x 5 / 9.
        UnevenWorkers pair = UnevenWorkers.of(4, 1, 1);
        AdaptiveLocalSteps steps = new AdaptiveLocalSteps(pair, StatisticalEfficiency.OURS, 0.64);
        int first = steps.now();
        assertThat(first).isEqualTo(10);
        steps.next(0.36);
        assertThat(steps.now()).isEqualTo(8);
        steps.next(0.9);
        assertThat(steps.now()).isEqualTo(4);
        steps.next(0.01);
        assertThat(steps.now()).isEqualTo(2);
    }

    @Test
    void the_mean_pace_of_adacomm_lies_between_those_of_its_first_and_its_last_local_steps() {
        UnevenWorkers far = UnevenWorkers.of(15, 2.2, 2.2, 0.73);
        int first = AdaptiveLocalSteps.first(far, DEFAULT);
        double mean = model("adacomm").pace(far).stepsPerSecond();
        assertThat(mean)
                .isLessThan(AdaptiveLocalSteps.pace(first, far, DEFAULT).stepsPerSecond())
                .isGreaterThan(AdaptiveLocalSteps.pace(first / 2, far, DEFAULT).stepsPerSecond());
    }

    @Test
    void every_label_reads_back_and_others_are_none() {
        for (String label : SynchronisationModel.labels()) {
            assertThat(model(label).label()).isEqualTo(label);
        }
        for (String label :
                new String[] {"", "asp", "ssp:0", "ssp:x", "bsp:2", "adsp:", "batch-tune:tap", "adacomm:3"}) {
            assertThat(SynchronisationModel.parse(label)).as(label).isNull();
        }
    }
}
