package org.trainyard.agents.heuristic.sjfbco;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

/** Schedules of SJF-BCO worked out on paper: ideal rates, run times known. */
class SjfBcoTest {
    private static final Topology ONE_SERVER = Objects.requireNonNull(Topologies.parse("1x8"));
    private static final Topology TWO_SERVERS = Objects.requireNonNull(Topologies.parse("2x4"));

    /** Remembers where every job was started. */
    private record Watched(Scheduler scheduler, List<String> starts) implements Scheduler {
        Watched(Scheduler scheduler) {
            this(scheduler, new ArrayList<>());
        }

        @Override
        public Decision decide(SimView view) {
            Decision decision = scheduler.decide(view);
            if (decision instanceof Decision.Start start) {
                starts.add("%d on %s".formatted(start.job(), start.placement()));
            }
            return decision;
        }
    }

    private static SjfBcoPlan onePlan(BatchPlanner.Policy policy, int kappa) {
        BatchPlanner.Settings planner = new BatchPlanner.Settings(1, 1000, 1, kappa, BatchPlanner.Order.SIZE_THEN_TIME);
        return new SjfBcoPlan(policy, new SjfBcoPlan.Settings(planner, 1, Double.POSITIVE_INFINITY, 1000), 1);
    }

    /**
     * At 100 the 8-GPU job 0 is done. Of those waiting, job 4 wants fewest (2 GPUs), then 1 and 2 (4 GPUs), 5 (6) and 3
     * (8). Job 4 runs 100..110 and the shorter of the two, 1, 100..150. With 4 GPUs free at 110, job 2 runs until 410;
     * 5 and 3 follow one by one.
     */
    @Test
    void online_the_fewest_gpus_go_first_and_then_the_shorter() {
        assertThat(TimedJobs.endSeconds(TimedJobs.tiny().run(ONE_SERVER, "sjf-bco", 0)))
                .containsExactly(100L, 150L, 410L, 440L, 110L, 420L);
    }

    /** Servers of 4. Job 0 takes 2 GPUs of server 0; job 1 fills it up; job 2 of 4 GPUs takes server 1. */
    @Test
    void online_small_jobs_fill_servers_that_are_in_use() {
        Watched watched = new Watched(SjfBco.on(TWO_SERVERS));

        TimedJobs.list().job(1, 0, 100).job(2, 0, 100).job(4, 0, 100).run(TWO_SERVERS, watched, 0);

        assertThat(watched.starts()).containsExactly("0 on [0]", "1 on [2, 3]", "2 on [4, 5, 6, 7]");
    }

    /**
     * Servers of 4, kappa 1. Jobs 0 and 1 of one GPU are packed on server 0, 0 until 100 and 1 until 400; at 10 the
     * large job 2 finds server 1 idle, at 20 job 3 prefers server 0 with 90 + 380 s booked over server 1 with 2 x 990.
     */
    @Test
    void online_large_jobs_go_where_least_is_booked() {
        Watched watched = new Watched(new SjfBco(1, 1));

        TimedJobs.list()
                .job(1, 0, 100)
                .job(1, 0, 400)
                .job(2, 10, 1000)
                .job(2, 20, 10)
                .run(TWO_SERVERS, watched, 0);

        assertThat(watched.starts()).containsExactly("0 on [0]", "1 on [1]", "2 on [4, 5]", "3 on [2, 3]");
    }

    /**
     * One server of 4, jobs of 1, 1, 2 and 4 GPUs for 30, 40, 50 and 10 s: the first three fit side by side, and the
     * job of 4 GPUs starts when the longest of them is done.
     */
    @Test
    void a_plan_ends_when_it_must() {
        TimedJobs jobs =
                TimedJobs.list().job(1, 0, 30).job(1, 0, 40).job(2, 0, 50).job(4, 0, 10);
        Topology four = Objects.requireNonNull(Topologies.parse("1x4"));

        for (BatchPlanner.Policy policy : List.of(BatchPlanner.Policy.SJF_BCO, BatchPlanner.Policy.LS)) {
            assertThat(TimedJobs.endSeconds(jobs.run(four, onePlan(policy, 0), 0)))
                    .containsExactly(30L, 40L, 50L, 60L);
        }
    }

    /**
     * Two servers of 4. Five jobs of 1 GPU are put on GPUs 0 to 4, for 10 to 50 s: server 0 is booked for 100 s, server
     * 1 for 50. The job of 4 GPUs, when it is a large one, takes the less busy server 1 and waits for GPU 4; as a small
     * one it takes the GPUs booked for least time, 5, 6, 7 and 0, and starts at 10.
     */
    @Test
    void kappa_tells_large_jobs_that_keep_to_a_server_from_small_ones_that_take_any_gpus() {
        TimedJobs jobs = TimedJobs.list()
                .job(1, 0, 10)
                .job(1, 0, 20)
                .job(1, 0, 30)
                .job(1, 0, 40)
                .job(1, 0, 50)
                .job(4, 0, 100);

        Watched compact = new Watched(onePlan(BatchPlanner.Policy.SJF_BCO, 1));
        assertThat(TimedJobs.endSeconds(jobs.run(TWO_SERVERS, compact, 0)))
                .containsExactly(10L, 20L, 30L, 40L, 50L, 150L);
        assertThat(compact.starts()).last().isEqualTo("5 on [4, 5, 6, 7]");

        Watched scattered = new Watched(onePlan(BatchPlanner.Policy.SJF_BCO, 4));
        assertThat(TimedJobs.endSeconds(jobs.run(TWO_SERVERS, scattered, 0)))
                .containsExactly(10L, 20L, 30L, 40L, 50L, 110L);
        assertThat(scattered.starts()).last().isEqualTo("5 on [0, 5, 6, 7]");
    }

    /**
     * One server of 4 GPUs, first fit: the smallest cap that the bisection accepts is 60 s; the third job does not fit
     * on GPU 0 under it.
     */
    @Test
    void first_fit_stacks_jobs_on_the_first_gpus_up_to_its_cap() {
        Topology four = Objects.requireNonNull(Topologies.parse("1x4"));
        Watched watched = new Watched(onePlan(BatchPlanner.Policy.FF, 0));

        RunResult result = TimedJobs.list()
                .job(1, 0, 20)
                .job(1, 0, 40)
                .job(1, 0, 60)
                .job(2, 0, 60)
                .run(four, watched, 0);

        assertThat(TimedJobs.endSeconds(result)).containsExactly(20L, 60L, 60L, 60L);
        assertThat(watched.starts()).containsExactly("0 on [0]", "2 on [1]", "3 on [2, 3]", "1 on [0]");
    }

    /**
     * Job 0 holds all GPUs until 100; of the plan made at 0 nothing waits, so 1 is planned at 10; 2 is put behind it at
     * 20.
     */
    @Test
    void newcomers_are_put_behind_the_plan_until_it_is_made_anew() {
        TimedJobs jobs = TimedJobs.list().job(8, 0, 100).job(8, 10, 50).job(8, 20, 10);
        SjfBcoPlan never = onePlan(BatchPlanner.Policy.SJF_BCO, 0);
        SjfBcoPlan always = new SjfBcoPlan(
                BatchPlanner.Policy.SJF_BCO, new SjfBcoPlan.Settings(BatchPlanner.Settings.DEFAULT, 1, 0, 1000), 1);

        assertThat(TimedJobs.endSeconds(jobs.run(ONE_SERVER, never, 0))).containsExactly(100L, 150L, 160L);
        assertThat(TimedJobs.endSeconds(jobs.run(ONE_SERVER, always, 0))).containsExactly(100L, 160L, 110L);
    }

    @Test
    void settings_that_make_no_sense_are_refused() {
        assertThatThrownBy(() -> new SjfBco(1, 0.5)).hasMessageContaining("lambda (0.5)");
        assertThatThrownBy(() -> new SjfBcoPlan.Settings(BatchPlanner.Settings.DEFAULT, 0.9, 0, 1))
                .hasMessageContaining("u (0.9)");
        assertThatThrownBy(() -> new SjfBcoPlan.Settings(BatchPlanner.Settings.DEFAULT, 1, -1, 1))
                .hasMessageContaining("(-1.0 s)");
        assertThatThrownBy(() -> new SjfBcoPlan.Settings(BatchPlanner.Settings.DEFAULT, 1, 0, 0))
                .hasMessageContaining("window (0 jobs)");
    }
}
