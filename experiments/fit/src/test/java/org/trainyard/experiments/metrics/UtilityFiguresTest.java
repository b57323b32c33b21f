package org.trainyard.experiments.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.utility.JobUtility;

class UtilityFiguresTest {
    private static final JobSpec JOB = new JobSpec(
                    0, "job", 0, Demand.ofGpus(1), ModelCatalog.standard().neutral(), 1)
            .attaching(JobUtility.class, new JobUtility.Sigmoid(1, 0, 0, 10));

    private static RunResult episode(int rejected, double... utilities) {
        List<JobOutcome> jobs = DoubleStream.of(utilities)
                .mapToObj(utility -> new JobOutcome(
                        JOB, 0, 5, new JobOutcome.TimeOnGpus(5, 5, 0, 0), 0, 0, 1, 1, 1, utility, 0, 0, false))
                .toList();
        return new RunResult(
                jobs, Collections.nCopies(rejected, new RunResult.RejectedJob(JOB, 5)), 8, 0, 0, 0, "hash");
    }

    @Test
    void a_total_is_a_mean_over_episodes_and_rejected_jobs_count_as_submitted() {
        UtilityFigures figures = Objects.requireNonNull(
                UtilityFigures.of(List.of(episode(2, 3, 0), episode(0, 5, 1, 1), episode(1, 2))));

        assertThat(figures.total()).isCloseTo((3 + 7 + 2) / 3.0, within(1e-12));
        // Standard deviation sqrt(7), over sqrt(3), times the quantile of two degrees of freedom.
        assertThat(figures.interval()).isCloseTo(4.302653 * Math.sqrt(7.0 / 3), within(1e-5));
        assertThat(figures.admitted()).isCloseTo(6 / 9.0, within(1e-12));
        assertThat(figures.gaining()).isCloseTo(5 / 9.0, within(1e-12));
    }

    @Test
    void one_episode_has_no_interval_and_jobs_without_utilities_have_no_figures() {
        assertThat(Objects.requireNonNull(UtilityFigures.of(List.of(episode(0, 3))))
                        .interval())
                .isNull();
        assertThat(UtilityFigures.of(List.of(Jobs.run(8, Jobs.job("a", 1, 0, 0, 5)))))
                .isNull();
    }
}
