package org.trainyard.env.workload.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.env.workload.TraceJob;

class LimitedJobsTest {
    private static final List<TraceJob> JOBS =
            new TraceGenerator(GeneratorSettings.DEFAULT, 4000, ModelCatalog.standard()).generate(3, 64);

    private static List<TraceJob> limited(double killed) {
        return LimitedJobs.of(JOBS, new LimitSettings(killed, 4), 3);
    }

    @Test
    void the_used_part_of_a_limit_is_spread_and_few_values_are_in_use() {
        List<TraceJob> jobs = limited(0);

        assertThat(jobs).allMatch(job -> job.terms().limitNanos() >= job.durationNanos());
        double mean = jobs.stream()
                .mapToDouble(job -> (double) job.durationNanos() / job.terms().limitNanos())
                .average()
                .orElse(0);
        // Even between 0.05 and 1 it would be 0.52; limits are rounded up.
        assertThat(mean).isBetween(0.35, 0.5);
        assertThat(jobs.stream().map(job -> job.terms().limitNanos()).distinct().count())
                .isLessThan(26);
        assertThat(jobs.stream().map(job -> job.terms().account()).distinct()).hasSize(4);
    }

    @Test
    void a_share_of_the_jobs_outlives_its_limit() {
        long killed = limited(0.1).stream()
                .filter(job -> job.terms().limitNanos() < job.durationNanos())
                .count();

        assertThat(killed).isBetween(300L, 450L);
        assertThat(limited(0.1)).isEqualTo(limited(0.1));
    }

    @Test
    void what_a_trace_says_stays_and_bad_settings_are_refused() {
        TraceJob said = JOBS.get(0)
                .on(JOBS.get(0).terms().but().limitNanos(7).account("mine").build());

        assertThat(LimitedJobs.of(List.of(said), LimitSettings.DEFAULT, 1)).containsExactly(said);
        assertThatThrownBy(() -> new LimitSettings(1.5, 1)).hasMessageContaining("killed");
        assertThatThrownBy(() -> new LimitSettings(0, -1)).hasMessageContaining("accounts");
    }
}
