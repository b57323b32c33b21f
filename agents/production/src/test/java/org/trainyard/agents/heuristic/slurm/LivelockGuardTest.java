package org.trainyard.agents.heuristic.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.slurm.LoopTimer.Due;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmConf;

/**
 * When loops are due that look down two jobs of the queue, or all every 20 s, 3 s after another, and every 5 s for
 * backfill.
 */
class LivelockGuardTest {
    private static final long MILLI = 1_000_000L;

    private static LivelockGuard guard(String... lines) {
        List<String> conf = new ArrayList<>(List.of(
                "NodeName=a",
                "SchedulerParameters=bf_interval=5,sched_interval=20,batch_sched_delay=3,default_queue_depth=2"));
        conf.addAll(List.of(lines));
        return new LivelockGuard(SlurmCluster.of(SlurmConf.parse("slurm.conf", conf), null, null, null));
    }

    private static LivelockGuard guard() {
        return guard("SchedulerType=sched/backfill", "PriorityType=priority/basic");
    }

    /** Both loops run at so many milliseconds, so that nothing is due. */
    private static LivelockGuard ranAt(long millis) {
        LivelockGuard guard = guard();
        guard.changed(10_000 * MILLI);
        assertThat(guard.takeMain(millis * MILLI, 1)).isEqualTo(Due.FULL);
        assertThat(guard.takeBackfill(millis * MILLI)).isTrue();
        assertThat(guard.next()).isEqualTo(LivelockGuard.NEVER);
        return guard;
    }

    private static long nextMillis(LivelockGuard guard) {
        return guard.next() == LivelockGuard.NEVER ? -1 : guard.next() / MILLI;
    }

    @Test
    void loops_that_begin_amid_a_run_look_at_whole_seconds() {
        LivelockGuard guard = guard();
        assertThat(nextMillis(guard)).isEqualTo(-1);

        guard.changed(50_500 * MILLI);

        assertThat(nextMillis(guard)).isEqualTo(51_000);
        assertThat(guard.takeMain(50_999 * MILLI, 1)).isEqualTo(Due.NOT);
        assertThat(guard.takeMain(51_000 * MILLI, 1)).isEqualTo(Due.FULL);
        assertThat(nextMillis(guard)).isEqualTo(51_000);
        assertThat(guard.takeBackfill(50_999 * MILLI)).isFalse();
        assertThat(guard.takeBackfill(51_000 * MILLI)).isTrue();
        assertThat(nextMillis(guard)).isEqualTo(-1);
    }

    /**
     * After a run at 10 s a job comes: the main loop is due 3 s later, backfill 5 s later, and a full run 20 s later.
     */
    @ParameterizedTest
    @CsvSource({"11000, 13000, 15000", "12999, 13000, 15000", "13001, 14000, 15000", "15001, 16000, 16000"})
    void loops_are_due_after_their_intervals(long changed, long main, long backfill) {
        LivelockGuard guard = ranAt(10_000);

        guard.changed(changed * MILLI);

        assertThat(nextMillis(guard)).isEqualTo(main);
        assertThat(guard.takeMain((main - 1) * MILLI, 3)).isEqualTo(Due.NOT);
        assertThat(guard.takeMain(main * MILLI, 3)).isEqualTo(Due.DEFAULT_DEPTH);
        assertThat(nextMillis(guard)).isEqualTo(backfill);
        assertThat(guard.takeBackfill((backfill - 1) * MILLI)).isFalse();
        assertThat(guard.takeBackfill(backfill * MILLI)).isTrue();
        assertThat(nextMillis(guard)).isEqualTo(30_000);
        assertThat(guard.takeMain(29_999 * MILLI, 3)).isEqualTo(Due.NOT);
        assertThat(guard.takeMain(30_000 * MILLI, 3)).isEqualTo(Due.FULL);
        assertThat(nextMillis(guard)).isEqualTo(-1);
    }

    /** Looks of the backfill loop are at whole seconds after its last run, at 10.25 s. */
    @ParameterizedTest
    @CsvSource({"11000, 15250", "15250, 15250", "15251, 16250", "20000, 20250"})
    void backfill_looks_every_second_after_its_interval(long started, long backfill) {
        LivelockGuard guard = ranAt(10_250);

        guard.started(started * MILLI, 2);

        assertThat(nextMillis(guard)).isEqualTo(backfill);
    }

    /** A run looks at two jobs: where no more wait, it was over the whole queue. */
    @ParameterizedTest
    @CsvSource({"2, -1", "3, 30000"})
    void a_queue_as_long_as_the_loop_looks_needs_no_full_run(int waiting, long full) {
        LivelockGuard guard = ranAt(10_000);
        guard.changed(14_000 * MILLI);
        assertThat(guard.takeMain(14_000 * MILLI, waiting)).isEqualTo(Due.DEFAULT_DEPTH);
        assertThat(guard.takeBackfill(15_000 * MILLI)).isTrue();

        assertThat(nextMillis(guard)).isEqualTo(full);
    }

    @ParameterizedTest
    @CsvSource({"2, -1", "3, 30000"})
    void a_start_brings_others_within_the_depth_of_a_long_queue(int waiting, long full) {
        LivelockGuard guard = ranAt(10_000);

        guard.started(20_000 * MILLI, waiting);

        assertThat(nextMillis(guard)).isEqualTo(20_000);
        assertThat(guard.takeMain(20_000 * MILLI, waiting)).isEqualTo(Due.NOT);
        assertThat(guard.takeBackfill(20_000 * MILLI)).isTrue();
        assertThat(nextMillis(guard)).isEqualTo(full);
    }

    @Test
    void a_job_that_becomes_due_asks_for_the_loops() {
        LivelockGuard guard = ranAt(10_000);
        guard.begins(60);
        guard.begins(50);
        guard.begins(50);

        assertThat(nextMillis(guard)).isEqualTo(50_000);
        guard.takeBegins(49_999 * MILLI);
        assertThat(guard.takeMain(49_999 * MILLI, 1)).isEqualTo(Due.NOT);
        guard.takeBegins(50_000 * MILLI);
        assertThat(guard.takeMain(50_000 * MILLI, 1)).isEqualTo(Due.FULL);
        assertThat(guard.takeBackfill(50_000 * MILLI)).isTrue();
        assertThat(nextMillis(guard)).isEqualTo(60_000);
    }

    /** Every two minutes, at whole ones; new priorities let a full run and the backfill loop look again. */
    @Test
    void priorities_are_due_once_a_period() {
        LivelockGuard guard =
                guard("SchedulerType=sched/backfill", "PriorityType=priority/multifactor", "PriorityCalcPeriod=2");

        assertThat(guard.takeDecay(50_000 * MILLI)).isTrue();
        assertThat(guard.takeMain(50_000 * MILLI, 1)).isEqualTo(Due.FULL);
        assertThat(guard.takeBackfill(50_000 * MILLI)).isTrue();
        assertThat(nextMillis(guard)).isEqualTo(120_000);
        assertThat(guard.takeDecay(119_999 * MILLI)).isFalse();
        assertThat(guard.takeDecay(120_000 * MILLI)).isTrue();
        assertThat(guard.takeDecay(120_000 * MILLI)).isFalse();
        assertThat(nextMillis(guard)).isEqualTo(120_000);
        guard.takeMain(120_000 * MILLI, 1);
        guard.takeBackfill(120_000 * MILLI);
        assertThat(nextMillis(guard)).isEqualTo(240_000);
    }

    @Test
    void without_backfill_the_main_loop_alone_is_due() {
        LivelockGuard guard = guard("SchedulerType=sched/builtin", "PriorityType=priority/basic");
        guard.changed(50_000 * MILLI);

        assertThat(guard.takeMain(50_000 * MILLI, 1)).isEqualTo(Due.FULL);
        assertThat(guard.takeDecay(50_000 * MILLI)).isFalse();
        assertThat(guard.takeBackfill(99_000 * MILLI)).isFalse();
        assertThat(nextMillis(guard)).isEqualTo(-1);
    }
}
