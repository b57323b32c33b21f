package org.trainyard.agents.heuristic.composed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/** Backfill with reservations: schedules worked out on paper, and the definitions carried out second by second. */
class ReservationsTest {
    private static final Topology ONE_SERVER = Objects.requireNonNull(Topologies.parse("1x8"));
    private static final Topology TWO_SERVERS = Objects.requireNonNull(Topologies.parse("2x4"));

    private record Job(int gpus, long submit, long run, long limit) {}

    private static List<Long> starts(RunResult result) {
        return result.jobs().stream()
                .map(job -> TimedJobs.wholeSeconds(job.firstStartNanos()))
                .toList();
    }

    /**
     * The rule of D. A. Lifka (JSSPP 1995): with 4 of 8 GPUs in use until 100, job 1 of 6 GPUs is to start at 100 and
     * leaves 2. Job 2 (2 GPUs, 500 s) uses no more than these; job 3 (2 GPUs, 90 s) is over by then; job 4 (1 GPU, 91
     * s) would neither, and waits, though a GPU is free from 0 on.
     */
    @Test
    void easy_lets_pass_who_ends_in_time_or_needs_only_what_the_first_leaves() {
        TimedJobs jobs = TimedJobs.list()
                .job(4, 0, 100)
                .job(6, 10, 50)
                .job(2, 10, 500)
                .job(1, 10, 90)
                .job(1, 10, 91);

        assertThat(starts(jobs.run(ONE_SERVER, "easy", 0))).containsExactly(0L, 100L, 10L, 10L, 150L);
        assertThat(starts(jobs.run(ONE_SERVER, "fifo-backfill", 0))).containsExactly(0L, 101L, 10L, 10L, 10L);
    }

    /**
     * A. W. Mu'alem, D. G. Feitelson (TPDS 2001): EASY delays a job that is not the first. Job 1 (8 GPUs) is to start
     * at 100 and job 2 (4 GPUs) after it. Job 3 (4 GPUs) ends at 100, so both let it pass. Job 4 (4 GPUs, 150 s) and
     * job 2 start together at 200. With 6 GPUs for job 1, job 5 of 2 GPUs for 300 s passes under EASY, on the two that
     * job 1 leaves, and job 2, which needs all 8 at 150, waits until 320; conservative backfill keeps its time.
     */
    @Test
    void conservative_backfill_delays_no_job_and_easy_only_not_the_first() {
        TimedJobs jobs =
                TimedJobs.list().job(6, 0, 100).job(6, 10, 50).job(8, 10, 40).job(2, 20, 300);

        assertThat(starts(jobs.run(ONE_SERVER, "easy", 0))).containsExactly(0L, 100L, 320L, 20L);
        assertThat(starts(jobs.run(ONE_SERVER, "conservative", 0))).containsExactly(0L, 100L, 150L, 190L);
    }

    @Test
    void a_renewed_scheduler_plans_as_one_that_remembers_when_all_ends_are_known() {
        TimedJobs jobs =
                TimedJobs.list().job(6, 0, 100).job(6, 10, 50).job(8, 10, 40).job(2, 20, 300);

        assertThat(starts(jobs.run(ONE_SERVER, "controller:easy", 0)))
                .isEqualTo(starts(jobs.run(ONE_SERVER, "easy", 0)));
    }

    @Test
    void two_reservations_are_between_one_and_all() {
        TimedJobs jobs = TimedJobs.list()
                .job(6, 0, 100)
                .job(6, 10, 50)
                .job(8, 10, 40)
                .job(8, 10, 40)
                .job(2, 20, 130)
                .job(2, 20, 131);

        List<Long> two = starts(jobs.run(ONE_SERVER, "tuned:fifo+best-fit+reservations=2", 0));
        assertThat(two).isEqualTo(starts(jobs.run(ONE_SERVER, "conservative", 0)));
        assertThat(two).containsExactly(0L, 100L, 150L, 190L, 20L, 230L);
    }

    /** A gang that must be on one server: two GPUs are free on each, and both others end at 50 and at 90. */
    @Test
    void a_reservation_is_of_servers_and_not_of_a_number_of_gpus() {
        TimedJobs jobs = TimedJobs.list()
                .job(2, 0, 50)
                .job(3, 0, 90)
                .job(Demand.ofGpus(4).onOneServer(), 10, 10)
                .job(2, 10, 41)
                .job(1, 10, 1000);

        // Of 8 GPUs 3 are free at 10: job 2 has a server at 50, which job 3 would hold until 51; job 4 is beside job 1.
        assertThat(starts(jobs.run(TWO_SERVERS, "easy", 0))).containsExactly(0L, 0L, 50L, 60L, 10L);
    }

    @Test
    void time_limits_count_before_predictions() {
        TimedJobs jobs = TimedJobs.list()
                .job(4, 0, 100)
                .limited(200)
                .job(8, 10, 50)
                .limited(60)
                .job(4, 10, 120)
                .limited(180);

        assertThat(starts(jobs.run(ONE_SERVER, "easy", 0))).containsExactly(0L, 130L, 10L);
        assertThat(starts(jobs.run(ONE_SERVER, "tuned:fifo+best-fit+reservations=1+predicted=1", 0)))
                .containsExactly(0L, 100L, 150L);
    }

    /** The shortest first, without end: the wide job has a reservation only from an hour on. */
    @Test
    void ageing_ends_a_wait() {
        TimedJobs jobs = TimedJobs.list().job(4, 0, 1000).job(8, 1, 5000);
        for (int i = 1; i < 20; i++) {
            jobs.job(4, 500L * i, 1000);
        }

        assertThat(starts(jobs.run(ONE_SERVER, "tuned:sjf+best-fit", 0)).get(1)).isEqualTo(10_500);
        assertThat(starts(jobs.run(ONE_SERVER, "tuned:sjf+best-fit+reservations=1+age=1", 0))
                        .get(1))
                .isEqualTo(4500);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1x8", "4x2", "2x3"})
    void both_do_what_their_definitions_say(String cluster) {
        Topology topology = Objects.requireNonNull(Topologies.parse(cluster));
        for (long seed = 0; seed < 400; seed++) {
            RandomGenerator random = RandomStreams.stream(seed, "test/definitions");
            List<Job> jobs = draw(random, topology.gpus(), random.nextBoolean());
            TimedJobs timed = TimedJobs.list();
            jobs.forEach(job -> timed.job(job.gpus, job.submit, job.run).limited(job.limit));

            assertThat(starts(timed.run(topology, "easy", 0)))
                    .as("easy, seed %d: %s", seed, jobs)
                    .isEqualTo(easy(jobs, topology.gpus()));
            if (jobs.stream().allMatch(job -> job.limit == job.run)) {
                assertThat(starts(timed.run(topology, "conservative", 0)))
                        .as("conservative, seed %d: %s", seed, jobs)
                        .isEqualTo(conservative(jobs, topology.gpus()));
            }
        }
    }

    /** With a wait for rings that no placement has, every job is looked at. */
    @ParameterizedTest
    @ValueSource(strings = {"fifo+best-fit", "sjf+best-fit", "fifo+best-fit+age=0.005"})
    void a_bound_of_run_times_leaves_out_nobody_who_would_start(String order) {
        Topology topology = Objects.requireNonNull(Topologies.parse("3x4"));
        for (long seed = 0; seed < 60; seed++) {
            RandomGenerator random = RandomStreams.stream(seed, "test/bound");
            TimedJobs jobs = TimedJobs.list();
            for (int i = 0; i < 120; i++) {
                long run = 1L + random.nextInt(40);
                Demand demand = Demand.ofGpus(1 + random.nextInt(6));
                jobs.job(seed % 3 == 0 && demand.gpus() < 5 ? demand.onOneServer() : demand, i, run)
                        .limited(run + random.nextInt(30));
            }
            String tuned = "tuned:%s+reservations=%d".formatted(order, 1 + seed % 2 * 2);

            assertThat(starts(jobs.run(topology, tuned, 0)))
                    .as("seed %d", seed)
                    .isEqualTo(starts(jobs.run(topology, tuned + "+slow=1000+hold=1", 0)));
        }
    }

    private static List<Job> draw(RandomGenerator random, int gpus, boolean isExact) {
        List<Job> jobs = new ArrayList<>();
        long submit = 0;
        for (int i = 3 + random.nextInt(8); i > 0; i--) {
            submit += random.nextInt(6);
            long run = 1L + random.nextInt(20);
            jobs.add(new Job(1 + random.nextInt(gpus), submit, run, isExact ? run : run + random.nextInt(20)));
        }
        return jobs;
    }

    /** EASY as Lifka states it, on a number of GPUs, second by second. */
    private static List<Long> easy(List<Job> jobs, int gpus) {
        Long[] start = new Long[jobs.size()];
        for (long now = 0; Arrays.asList(start).contains(null); now++) {
            List<Integer> queue = new ArrayList<>();
            List<Integer> running = new ArrayList<>();
            int free = gpus;
            for (int i = 0; i < start.length; i++) {
                Job job = jobs.get(i);
                if (start[i] != null && start[i] + job.run > now) {
                    running.add(i);
                    free -= job.gpus;
                } else if (start[i] == null && job.submit <= now) {
                    queue.add(i);
                }
            }
            while (!queue.isEmpty() && jobs.get(queue.get(0)).gpus <= free) {
                int first = queue.remove(0);
                start[first] = now;
                running.add(first);
                free -= jobs.get(first).gpus;
            }
            if (queue.isEmpty()) {
                continue;
            }
            running.sort(Comparator.comparingLong(i -> start[i] + jobs.get(i).limit));
            int then = free;
            long shadow = now;
            for (int i = 0; then < jobs.get(queue.get(0)).gpus; i++) {
                then += jobs.get(running.get(i)).gpus;
                shadow = start[running.get(i)] + jobs.get(running.get(i)).limit;
            }
            int ending = 0;
            for (int i : running) {
                ending += start[i] + jobs.get(i).limit <= shadow ? jobs.get(i).gpus : 0;
            }
            int extra = free + ending - jobs.get(queue.get(0)).gpus;
            for (int i : queue.subList(1, queue.size())) {
                Job job = jobs.get(i);
                boolean isOver = now + job.limit <= shadow;
                if (job.gpus <= free && (isOver || job.gpus <= extra)) {
                    start[i] = now;
                    free -= job.gpus;
                    extra -= isOver ? 0 : job.gpus;
                }
            }
        }
        return Arrays.asList(start);
    }

    /** Conservative backfill with exact estimates: every job gets the first gap that holds it, when it comes. */
    private static List<Long> conservative(List<Job> jobs, int gpus) {
        int[] used = new int[2000];
        List<Long> starts = new ArrayList<>();
        for (Job job : jobs) {
            int start = (int) job.submit;
            for (int at = start; at < start + job.run; at++) {
                if (used[at] + job.gpus > gpus) {
                    start = at + 1;
                }
            }
            for (int at = start; at < start + job.run; at++) {
                used[at] += job.gpus;
            }
            starts.add((long) start);
        }
        return starts;
    }

    @Test
    void orders_and_keys_that_do_not_go_together_are_refused() {
        assertThatThrownBy(() -> SchedulerRegistry.named("easy:nothing"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("one of fifo, sjf");
        assertThatThrownBy(() -> ComposedSettings.parse("tuned:srtf+lif+migrate=1+reservations=1"))
                .hasMessageContaining("neither migrate nor move");
        assertThatThrownBy(() -> ComposedSettings.parse("tuned:fifo+lif+predicted=1"))
                .hasMessageContaining("reservations above 0");
        assertThatThrownBy(() -> ComposedSettings.parse("tuned:fifo+lif+reservations=1+predicted=0.5"))
                .hasMessageContaining("0 or 1");
    }
}
