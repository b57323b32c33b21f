package org.trainyard.experiments.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.trainyard.env.simulation.JobOutcome;

class EntitlementTest {
    /**
     * Eight GPUs. From 0 to 100 ann holds 6 and bob 2; of each, a job waits from 0 to 100, when half of 8 GPUs is the
     * part of either.
     */
    @Test
    void a_party_is_measured_against_an_equal_part_while_its_jobs_wait() {
        List<JobOutcome> jobs = List.of(
                Jobs.job("ann", 6, 0, 0, 100),
                Jobs.job("bob", 2, 0, 0, 100),
                Jobs.job("ann", 4, 0, 100, 50),
                Jobs.job("bob", 4, 0, 100, 50));

        Map<String, Double> shares =
                Entitlement.of(Grouping.USER, List.of(Jobs.run(8, jobs.toArray(JobOutcome[]::new))));

        assertThat(shares.get("ann")).isCloseTo(1.5, within(1e-9));
        assertThat(shares.get("bob")).isCloseTo(0.5, within(1e-9));
    }

    @Test
    void who_never_waits_is_entitled_to_nothing_more() {
        assertThat(Entitlement.of(
                        Grouping.USER,
                        List.of(Jobs.run(8, Jobs.job("ann", 6, 0, 0, 100), Jobs.job("bob", 8, 0, 100, 9)))))
                .containsOnlyKeys("bob")
                .containsEntry("bob", 0.0);
    }

    private static JobOutcome held(JobOutcome job, long seconds) {
        return new JobOutcome(
                job.job(),
                job.firstStartNanos(),
                job.endNanos(),
                job.onGpus(),
                job.preemptions(),
                job.kills(),
                job.meanSlowdown(),
                job.servers(),
                job.racks(),
                job.utility(),
                job.accuracyPenalty(),
                seconds * 1_000_000_000L,
                job.timedOut());
    }

    /** The second job of ann is held while the first one runs, and waits from then on. */
    @Test
    void a_job_that_is_held_does_not_wait() {
        assertThat(Entitlement.of(
                        Grouping.USER,
                        List.of(Jobs.run(
                                8,
                                Jobs.job("bob", 6, 0, 0, 150),
                                Jobs.job("ann", 2, 0, 0, 100),
                                held(Jobs.job("ann", 8, 0, 150, 50), 100)))))
                .isEqualTo(Map.of("ann", 0.0));
    }

    @Test
    void wide_jobs_have_a_wait_of_their_own() {
        JobFigures figures =
                JobFigures.of(List.of(Jobs.run(32, Jobs.job("ann", 8, 0, 10, 100), Jobs.job("bob", 9, 0, 30, 100))));

        assertThat(figures.value(RankingMetric.MEAN_WAIT)).isEqualTo(20);
        assertThat(figures.value(RankingMetric.named("--metric", "mean-wide-wait")))
                .isEqualTo(30);
    }
}
