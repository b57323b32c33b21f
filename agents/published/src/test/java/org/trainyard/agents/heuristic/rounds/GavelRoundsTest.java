package org.trainyard.agents.heuristic.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.rounds.GavelRounds.Renewal;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

/** Rounds worked out on paper, one server of eight GPUs, ideal rates, run times known, restarts of 20 s. */
class GavelRoundsTest {
    private static final Topology ONE_SERVER = Objects.requireNonNull(Topologies.parse("1x8"));

    private static RunResult run(TimedJobs jobs, Renewal renewal) {
        return jobs.run(ONE_SERVER, new GavelRounds(new MaxMinFairness(), renewal), 20);
    }

    /** Both want all GPUs: 0..120 the first, which then owes 80 s; turns of 120 s, of which a resumed job loses 20. */
    @Test
    void two_jobs_that_do_not_fit_together_take_turns() {
        RunResult result = run(TimedJobs.list().job(8, 0, 200).job(8, 0, 300), Renewal.AT_ONCE);

        // First 0..120 (80 s left), second 120..240 (180 left), first 240..340; the round is over then, as nobody runs:
        // second 340..540 without a break, its first 20 s lost.
        assertThat(TimedJobs.endSeconds(result)).containsExactly(340L, 540L);
        assertThat(result.jobs().get(0).preemptions()).isEqualTo(1);
        assertThat(result.jobs().get(1).preemptions()).isEqualTo(1);
    }

    @Test
    void gpus_of_a_job_that_ends_stay_idle_until_the_round_is_over() {
        RunResult result = run(TimedJobs.list().job(4, 0, 100).job(4, 0, 500).job(4, 0, 50), Renewal.AT_ONCE);

        assertThat(result.jobs().get(2).firstStartNanos()).isEqualTo(120 * TimedJobs.SECOND);
    }

    @Test
    void a_newcomer_waits_for_the_next_round() {
        RunResult result = run(TimedJobs.list().job(4, 0, 500).job(4, 130, 50), Renewal.AT_ONCE);

        assertThat(result.jobs().get(1).firstStartNanos()).isEqualTo(240 * TimedJobs.SECOND);
    }

    /** Accounts are cleared at 0 and, for they were never cleared after 0, at the first arrival; then after 1,000 s. */
    @Test
    void with_the_accounts_a_newcomer_waits_until_they_are_cleared() {
        TimedJobs jobs = TimedJobs.list().job(2, 0, 5000).job(2, 10, 5000).job(2, 130, 50);
        RunResult waits = run(jobs, Renewal.WITH_ACCOUNTS);
        RunResult atOnce = run(jobs, Renewal.AT_ONCE);

        assertThat(waits.jobs().get(1).firstStartNanos()).isEqualTo(120 * TimedJobs.SECOND);
        // 120 + 1,000 falls into the round of 1,080; the next is at 1,200.
        assertThat(waits.jobs().get(2).firstStartNanos()).isEqualTo(1200 * TimedJobs.SECOND);
        assertThat(atOnce.jobs().get(2).firstStartNanos()).isEqualTo(240 * TimedJobs.SECOND);
    }

    @Test
    void nobody_waits_for_the_accounts_on_an_idle_cluster() {
        RunResult result = run(TimedJobs.list().job(2, 0, 130).job(2, 10, 130).job(2, 300, 50), Renewal.WITH_ACCOUNTS);

        assertThat(result.jobs().get(2).firstStartNanos()).isEqualTo(300 * TimedJobs.SECOND);
    }

    /**
     * The second job comes when the first has run for 1,150 s. At 1,200 accounts are cleared, shares are a half, and
     * the first owes 600 s: 1,200..1,320 the second, to 1,560 the first (20 + 100 + 120), to 1,680 the second (20 +
     * 100); both have run 220 s since accounts were cleared, and the second, which is owed 600 s, goes on to its end.
     */
    @Test
    void run_times_count_from_when_accounts_were_cleared_and_who_is_owed_more_goes_first() {
        RunResult result = run(TimedJobs.list().job(8, 0, 2000).job(8, 1150, 300), Renewal.AT_ONCE);

        assertThat(result.jobs().get(1).firstStartNanos()).isEqualTo(1200 * TimedJobs.SECOND);
        assertThat(TimedJobs.endSeconds(result).get(1)).isEqualTo(1760L);
        assertThat(result.jobs().get(1).preemptions()).isEqualTo(1);
    }

    /**
     * The same with longer jobs, and a third that comes at 2,170. At 2,280 accounts are cleared again: since 1,200 the
     * first has run 440 s and the second 560 s of the 360 s of each, so the first is owed -600 - 80, the second 600 -
     * 200, the third 360. The second goes first.
     */
    @Test
    void what_is_owed_adds_up_over_the_clearings_of_accounts() {
        RunResult result =
                run(TimedJobs.list().job(8, 0, 9000).job(8, 1150, 9000).job(8, 2170, 50), Renewal.AT_ONCE);

        assertThat(result.jobs().get(2).firstStartNanos()).isEqualTo(2400 * TimedJobs.SECOND);
    }
}
