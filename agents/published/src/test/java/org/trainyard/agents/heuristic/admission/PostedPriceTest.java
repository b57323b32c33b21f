package org.trainyard.agents.heuristic.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.utility.JobUtility;

/** One server of 8 GPUs, ideal rates, run times known: 691,200 GPU-seconds in the 24 hours that are sold. */
class PostedPriceTest {
    private static final Topology ONE_SERVER = Objects.requireNonNull(Topologies.parse("1x8"));
    private static final int DAY = 86_400;

    @Test
    void a_long_job_is_rejected_when_a_day_of_the_cluster_is_sold_and_a_short_one_is_not() {
        // Values per GPU-second: 1 / 691,200, 1 / 800,000 (the lowest), 1 / 100 (the highest).
        TimedJobs jobs = TimedJobs.list().job(8, 0, DAY).job(8, 10, 100_000).job(1, 20, 100);

        RunResult result = jobs.run(ONE_SERVER, "posted-price:fifo", 0);

        assertThat(result.rejected())
                .extracting(rejected -> rejected.job().id())
                .containsExactly(1);
        assertThat(TimedJobs.endSeconds(result)).containsExactly((long) DAY, (long) DAY + 100);
    }

    @Test
    void everything_is_admitted_while_little_is_sold() {
        TimedJobs jobs = TimedJobs.tiny();

        RunResult result = jobs.run(ONE_SERVER, "posted-price:srtf", 0);

        assertThat(result.rejected()).isEmpty();
        assertThat(TimedJobs.endSeconds(result)).isEqualTo(TimedJobs.endSeconds(jobs.run(ONE_SERVER, "srtf", 0)));
    }

    @Test
    void price_rises_with_the_work_that_waits() {
        // Half a day is sold: with phi = 864 the price is exp(0.5 (1 + ln 864) - 1) = 17.8 times the lowest value,
        // which a tenth of the longest is below.
        TimedJobs half = TimedJobs.list()
                .job(8, 0, DAY / 2)
                .job(1, 1, 400)
                .job(8, 2, DAY / 20)
                .job(8, 3, 1000);

        RunResult result = half.run(ONE_SERVER, "posted-price:fifo", 0);

        assertThat(result.rejected())
                .extracting(rejected -> rejected.job().id())
                .containsExactly(2);
    }

    @Test
    void a_job_is_worth_its_utility() {
        JobUtility much = new JobUtility.Sigmoid(1000, 0, DAY, Double.POSITIVE_INFINITY);
        JobUtility little = new JobUtility.Sigmoid(1, 0, DAY, Double.POSITIVE_INFINITY);
        JobUtility nothing = new JobUtility.Sigmoid(1000, 0, 10, 10);
        TimedJobs jobs = TimedJobs.list()
                .job(8, 0, DAY)
                .attaching(JobUtility.class, much)
                .job(8, 10, 1000)
                .attaching(JobUtility.class, little)
                .job(8, 20, 40_000)
                .attaching(JobUtility.class, much)
                .job(1, 30, 100)
                .attaching(JobUtility.class, nothing);

        assertThat(jobs.run(ONE_SERVER, "posted-price:fifo", 0).rejected())
                .extracting(rejected -> rejected.job().id())
                .containsExactly(1, 3);
    }

    /** On its own GPU it ends after its horizon and is worth nothing; on eight it ends in time. */
    @Test
    void an_elastic_job_is_worth_what_it_is_on_its_best_number_of_workers_where_jobs_are_resized() {
        TimedJobs jobs = TimedJobs.list()
                .job(Demand.ofGpus(1).elastic(1, 8), 0, 4000)
                .attaching(JobUtility.class, new JobUtility.Sigmoid(1000, 0, 1000, 1000));

        assertThat(jobs.run(ONE_SERVER, "posted-price:fifo", 0).rejected()).hasSize(1);
        RunResult resized = jobs.run(ONE_SERVER, "posted-price:drf", 0);
        assertThat(resized.rejected()).isEmpty();
        assertThat(TimedJobs.endSeconds(resized)).containsExactly(500L);
    }

    @Test
    void flags_are_those_of_the_scheduler_behind_it() {
        SchedulerRegistry.Entry entry = SchedulerRegistry.named("posted-price:srtf");

        assertThat(entry.has(SchedulerRegistry.Flag.PREEMPTIVE)).isTrue();
        assertThat(SchedulerRegistry.named("posted-price:fifo").has(SchedulerRegistry.Flag.NEEDS_PREDICTIONS))
                .isTrue();
    }

    @Test
    void unknown_schedulers_and_replays_of_simulators_are_refused() {
        assertThatThrownBy(() -> SchedulerRegistry.named("posted-price:sjff")).isInstanceOf(InputException.class);
        assertThatThrownBy(() -> SchedulerRegistry.named("posted-price:helios-sjf"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("does not replay");
    }
}
