package org.trainyard.agents.heuristic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.classic.Las;
import org.trainyard.agents.heuristic.classic.Srtf;
import org.trainyard.agents.heuristic.placing.BestFit;
import org.trainyard.agents.heuristic.reference.HeliosConsolidate;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

/** Schedules worked out on paper, one server, ideal rates, run times known. */
class GoldenSchedulesTest {
    private static final Topology ONE_SERVER = Objects.requireNonNull(Topologies.parse("1x8"));

    @Test
    void fifo_lets_the_head_of_the_queue_block_the_rest() {
        assertThat(TimedJobs.endSeconds(TimedJobs.tiny().run(ONE_SERVER, "fifo", 0)))
                .containsExactly(100L, 150L, 400L, 420L, 430L, 430L);
    }

    @Test
    void fifo_with_backfill_passes_over_who_does_not_fit() {
        assertThat(TimedJobs.endSeconds(TimedJobs.tiny().run(ONE_SERVER, "fifo-backfill", 0)))
                .containsExactly(100L, 150L, 400L, 420L, 160L, 430L);
    }

    @Test
    void sjf_starts_the_shortest_that_fits_and_preempts_nobody() {
        RunResult result = TimedJobs.tiny().run(ONE_SERVER, "sjf", 0);

        assertThat(TimedJobs.endSeconds(result)).containsExactly(100L, 180L, 430L, 130L, 110L, 110L);
        assertThat(result.jobs()).allMatch(job -> job.preemptions() == 0);
    }

    /**
     * 0 runs; at 10 job 1 wants 6 of the 4 free GPUs, job 2 takes 4 of them; the head of an sjf queue does not block.
     */
    @Test
    void sjf_does_not_block_behind_a_short_job_that_does_not_fit() {
        TimedJobs jobs = TimedJobs.list().job(4, 0, 100).job(6, 10, 5).job(4, 10, 50);

        assertThat(TimedJobs.endSeconds(jobs.run(ONE_SERVER, "sjf", 0))).containsExactly(100L, 105L, 60L);
    }

    @Test
    void srtf_without_margin_or_restart_cost_is_the_textbook_one() {
        RunResult result = TimedJobs.tiny().run(ONE_SERVER, new Srtf(new BestFit(), 0), 0);

        assertThat(TimedJobs.endSeconds(result)).containsExactly(180L, 90L, 440L, 50L, 60L, 60L);
    }

    /** 0 has 950 s to go when 1 comes; it runs 50..150, and 0 resumes at 150, restarts until 180 and ends at 1130. */
    @Test
    void srtf_makes_room_for_a_shorter_job_and_the_victim_pays_the_restart() {
        RunResult result = TimedJobs.list().job(8, 0, 1000).job(4, 50, 100).run(ONE_SERVER, "srtf", 30);

        assertThat(TimedJobs.endSeconds(result)).containsExactly(1130L, 150L);
        assertThat(result.jobs().get(0).preemptions()).isEqualTo(1);
    }

    /** With 150 s to go against 100 s the exchange would gain 50 s, less than the margin of 60 s. */
    @Test
    void srtf_does_not_preempt_for_less_than_its_margin() {
        RunResult result = TimedJobs.list().job(8, 0, 200).job(4, 50, 100).run(ONE_SERVER, "srtf", 30);

        assertThat(TimedJobs.endSeconds(result)).containsExactly(200L, 300L);
    }

    /**
     * The newcomer wants all 8 GPUs; 4 are held by a job that is nearly done, so pushing out the long one would be in
     * vain.
     */
    @Test
    void srtf_preempts_nobody_when_that_would_not_let_the_shorter_job_start() {
        RunResult result =
                TimedJobs.list().job(4, 0, 90).job(4, 0, 5000).job(8, 50, 100).run(ONE_SERVER, "srtf", 30);

        assertThat(result.jobs().get(0).preemptions()).isZero();
        // When the first job is over at 90, the long one makes way: 90..190, and 4910 s of it are left after a restart
        // of 30 s.
        assertThat(TimedJobs.endSeconds(result)).containsExactly(90L, 190L + 30 + 4910, 190L);
    }

    /** Job 2 wants 4 GPUs: job 1 with its 6 must go, job 0 is longer still but its 2 would not be enough. */
    @Test
    void srtf_spares_victims_it_does_not_need() {
        RunResult result =
                TimedJobs.list().job(2, 0, 9000).job(6, 0, 8000).job(4, 0, 100).run(ONE_SERVER, "srtf", 0);

        assertThat(result.jobs().get(0).preemptions()).isZero();
        // Shortest first: job 2 starts at 0 beside job 0, job 1 waits for it.
        assertThat(TimedJobs.endSeconds(result)).containsExactly(9000L, 8100L, 100L);

        RunResult late =
                TimedJobs.list().job(2, 0, 9000).job(6, 0, 8000).job(4, 10, 100).run(ONE_SERVER, "srtf", 0);
        assertThat(late.jobs().get(0).preemptions()).isZero();
        assertThat(late.jobs().get(1).preemptions()).isEqualTo(1);
        assertThat(TimedJobs.endSeconds(late)).containsExactly(9000L, 8100L, 110L);
    }

    /** Job 0 sinks at 25 s, when its 8 GPUs have served 200 GPU-s; job 1, waiting since 10 s, runs 25..27. */
    @Test
    void las_wakes_when_a_running_job_sinks_below_a_waiting_one() {
        RunResult result =
                TimedJobs.list().job(8, 0, 100).job(8, 10, 2).run(ONE_SERVER, new Las(new BestFit(), 200, 2000), 0);

        assertThat(TimedJobs.endSeconds(result)).containsExactly(102L, 27L);
        assertThat(result.jobs().get(0).preemptions()).isEqualTo(1);
    }

    /** Job 1 runs from 25 s and sinks at 50 s as well; then it is no worse than job 0, which waits until it is done. */
    @Test
    void las_does_not_thrash_within_a_queue() {
        RunResult result =
                TimedJobs.list().job(8, 0, 100).job(8, 10, 100).run(ONE_SERVER, new Las(new BestFit(), 200), 0);

        assertThat(TimedJobs.endSeconds(result)).containsExactly(200L, 125L);
        assertThat(result.jobs().get(0).preemptions()).isEqualTo(1);
        assertThat(result.jobs().get(1).preemptions()).isZero();
    }

    @Test
    void tiresias_srtf_keeps_ties_in_the_order_of_its_list() {
        RunResult result =
                TimedJobs.list().job(8, 0, 20).job(8, 0, 20).job(8, 0, 10).run(ONE_SERVER, "tiresias-srtf", 0);

        assertThat(TimedJobs.endSeconds(result)).containsExactly(30L, 50L, 10L);
    }

    /** At 10 s both have 20 s to go; the job that runs comes first in the list, and stays. */
    @Test
    void tiresias_srtf_does_not_exchange_equals() {
        RunResult result = TimedJobs.list().job(8, 0, 30).job(8, 10, 20).run(ONE_SERVER, "tiresias-srtf", 0);

        assertThat(TimedJobs.endSeconds(result)).containsExactly(30L, 50L);
        assertThat(result.jobs().get(0).preemptions()).isZero();
    }

    @Test
    void las_runs_jobs_of_one_queue_in_order_of_submission() {
        RunResult result =
                TimedJobs.list().job(8, 0, 100).job(8, 1, 50).job(8, 2, 10).run(ONE_SERVER, "las", 0);

        assertThat(TimedJobs.endSeconds(result)).containsExactly(100L, 150L, 160L);
    }

    @Test
    void preemption_refuses_a_placer_that_does_not_take_any_free_gpus() {
        assertThatThrownBy(() -> new Srtf(new HeliosConsolidate(ONE_SERVER)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("HeliosConsolidate");
    }

    @Test
    void las_refuses_limits_that_do_not_ascend() {
        assertThatThrownBy(() -> new Las(new BestFit(), 100, 100)).hasMessageContaining("queue (1)");
    }

    /**
     * 2 is the shortest and takes half of server 0, job 0 goes to server 1; the 3 GPUs left are on two servers, so 1
     * waits for 2.
     */
    @Test
    void muri_srtf_does_not_split_over_servers_what_fits_on_one() {
        Topology twoServers = Objects.requireNonNull(Topologies.parse("2x4"));
        TimedJobs jobs = TimedJobs.list().job(3, 0, 100).job(3, 0, 100).job(2, 0, 50);

        assertThat(TimedJobs.endSeconds(jobs.replay(twoServers, "muri-srtf"))).containsExactly(100L, 150L, 50L);
        assertThat(TimedJobs.endSeconds(jobs.replay(twoServers, "tiresias-srtf")))
                .containsExactly(100L, 100L, 50L);
    }

    /** 1 comes at 10 with 60 s x 8 GPUs against 90 s x 2: by time it preempts 0, by GPU time it waits. */
    @Test
    void muri_srsf_weighs_remaining_time_with_gpus() {
        TimedJobs jobs = TimedJobs.list().job(2, 0, 100).job(8, 10, 60);

        assertThat(TimedJobs.endSeconds(jobs.replay(ONE_SERVER, "muri-srtf"))).containsExactly(160L, 70L);
        assertThat(TimedJobs.endSeconds(jobs.replay(ONE_SERVER, "muri-srsf"))).containsExactly(100L, 160L);
    }

    /**
     * Of 4 GPUs, 0 reaches 3,250 GPU-s after 813 s and drops for 1, which runs to 913. Tiresias looks first after 3250
     * / 4 = 812 s, when 3,248 are attained, and then not before 812 + (3250 - 812) / 4 = 1,421 s.
     */
    @Test
    void muri_tiresias_drops_a_gang_in_time_and_tiresias_dlas_late() {
        Topology small = Objects.requireNonNull(Topologies.parse("1x4"));
        TimedJobs jobs = TimedJobs.list().job(4, 0, 2000).job(1, 0, 100);

        assertThat(TimedJobs.endSeconds(jobs.replay(small, "muri-tiresias"))).containsExactly(2100L, 913L);
        assertThat(TimedJobs.endSeconds(jobs.replay(small, "tiresias-dlas"))).containsExactly(2100L, 1521L);
    }
}
