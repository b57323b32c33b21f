package org.trainyard.experiments.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.env.simulation.JobOutcome;

class JctPartsTest {
    private static final long SECOND = 1_000_000_000L;

    /** Held for 10 s, queued for 30 s, then 100 s on GPUs: 40 undisturbed, 25 of restarts, 15 of interference. */
    private static JobOutcome held() {
        JobOutcome plain = Jobs.job("ann", 2, 5, 40, 100);
        JobOutcome.TimeOnGpus onGpus = new JobOutcome.TimeOnGpus(100 * SECOND, 40 * SECOND, 25 * SECOND, 15 * SECOND);
        return new JobOutcome(
                plain.job(),
                plain.firstStartNanos(),
                plain.endNanos(),
                onGpus,
                1,
                0,
                1.25,
                1,
                1,
                0,
                0,
                10 * SECOND,
                false);
    }

    @Test
    void the_parts_of_a_job_that_was_held_add_up_to_its_jct() {
        JobOutcome job = held();
        JctParts parts = JctParts.of(List.of(job));

        assertThat(parts).isEqualTo(new JctParts(40, 25, 15, 20, 40));
        assertThat(job.jctNanos()).isEqualTo(140 * SECOND);
    }

    @Test
    void parts_of_several_jobs_are_means() {
        assertThat(JctParts.of(List.of(held(), Jobs.job("bob", 1, 0, 20, 60))))
                .isEqualTo(new JctParts(30, 12.5, 7.5, 10, 50));
    }
}
