package org.trainyard.agents.heuristic.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.slurm.LoopTimer.Due;
import org.trainyard.agents.heuristic.slurm.configuration.SchedulerParameters;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmConf;

/** Both loops with intervals of their own, by the millisecond. */
class LoopTimerTest {
    private static final SchedulerParameters PARAMETERS = SlurmCluster.of(
                    SlurmConf.parse(
                            "slurm.conf",
                            List.of(
                                    "SchedulerParameters=bf_interval=5,sched_interval=20,batch_sched_delay=3,bf_max_job_test=7",
                                    "NodeName=a")),
                    null,
                    null,
                    null)
            .parameters();

    private final LoopTimer timer = new LoopTimer(PARAMETERS, 500, 700, 1);

    private static LongSummaryStatistics of(LongUnaryOperator drawn) {
        return LongStream.range(0, 4000).map(drawn).summaryStatistics();
    }

    @Test
    void the_main_scheduler_runs_when_it_was_asked_for_or_after_its_interval() {
        assertThat(timer.firstMain()).isEqualTo(500);
        assertThat(timer.firstBackfill()).isEqualTo(700);
        assertThat(timer.main(19_999)).isEqualTo(Due.NOT);
        assertThat(timer.main(20_000)).isEqualTo(Due.FULL);

        timer.changed(1_000);
        assertThat(timer.main(1_000)).isEqualTo(Due.DEFAULT_DEPTH);
        timer.mainRan(1_900, false);
        assertThat(timer.main(10_000)).isEqualTo(Due.NOT);
        timer.changed(2_000);
        assertThat(timer.main(3_999)).isEqualTo(Due.NOT);
        assertThat(timer.main(4_000)).isEqualTo(Due.DEFAULT_DEPTH);
        assertThat(timer.main(20_000)).isEqualTo(Due.FULL);

        timer.mainRan(4_000, true);
        timer.mainRan(20_500, false);
        assertThat(timer.main(23_999)).isEqualTo(Due.NOT);
        assertThat(timer.main(24_000)).isEqualTo(Due.FULL);
    }

    @Test
    void the_backfill_loop_runs_after_its_interval_and_when_something_changed() {
        assertThat(timer.backfill(100_000)).isFalse();
        timer.touched(1_000);
        assertThat(timer.main(4_000)).isEqualTo(Due.NOT);
        assertThat(timer.backfill(1_500)).isTrue();
        assertThat(timer.backfill(5_999)).isFalse();
        // A change of the same second counts.
        assertThat(timer.backfill(6_000)).isTrue();
        assertThat(timer.backfill(11_000)).isFalse();
        timer.changed(10_000);
        assertThat(timer.backfill(11_000)).isTrue();
        assertThat(timer.backfill(16_000)).isFalse();
        timer.mainRan(16_000, true);
        assertThat(timer.backfill(16_000)).isTrue();
        assertThat(timer.nextBackfill(9_000, false, 9)).isEqualTo(10_001);
        assertThat(timer.nextBackfill(9_000, true, 0)).isEqualTo(14_001);
    }

    /** Mean and least of 4,000 draws; a job that waits costs the backfill loop a millisecond, up to seven jobs. */
    @Test
    void looks_last_longer_by_spans_of_an_exponential_distribution() {
        LongSummaryStatistics main = of(i -> timer.nextMain(i) - i);
        LongSummaryStatistics three = of(i -> timer.nextBackfill(i, true, 3) - i);
        LongSummaryStatistics ten = of(i -> timer.nextBackfill(i, true, 10) - i);

        assertThat(main.getMin()).isEqualTo(1_002);
        assertThat(main.getAverage()).isCloseTo(1_012, within(0.5));
        assertThat(three.getMin()).isEqualTo(5_001);
        assertThat(three.getAverage()).isCloseTo(5_004, within(0.2));
        assertThat(ten.getAverage()).isCloseTo(5_008, within(0.4));
    }

    /** After a quiet time up to 100 s, the last look was in its last second, and a full run in its last twenty. */
    @Test
    void loops_go_on_after_a_quiet_time_as_if_they_had_run_in_it() {
        LongSummaryStatistics look = of(i -> new LoopTimer(PARAMETERS, 0, 0, i).lastLook(100_000));
        LongSummaryStatistics full = of(i -> {
            LoopTimer quiet = new LoopTimer(PARAMETERS, 0, 0, i);
            quiet.lastLook(100_000);
            return LongStream.rangeClosed(99, 121)
                    .filter(second -> quiet.main(second * 1000) == Due.FULL)
                    .findFirst()
                    .orElse(0);
        });
        timer.mainRan(99_990, true);
        timer.lastLook(100_000);

        assertThat(look.getMin()).isBetween(99_001L, 99_010L);
        assertThat(look.getMax()).isBetween(99_990L, 100_000L);
        assertThat(look.getAverage()).isCloseTo(99_500, within(20.0));
        assertThat(full.getMin()).isEqualTo(100);
        assertThat(full.getMax()).isBetween(119L, 120L);
        assertThat(full.getAverage()).isCloseTo(109.5, within(0.4));
        assertThat(timer.main(118_999)).isEqualTo(Due.NOT);
    }
}
