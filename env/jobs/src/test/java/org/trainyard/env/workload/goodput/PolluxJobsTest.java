package org.trainyard.env.workload.goodput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.generator.JobMaker;
import org.trainyard.env.workload.generator.PolluxSettings;

class PolluxJobsTest {
    private static final List<TraceJob> JOBS = drawn(4000, 48, 5);

    private static List<TraceJob> drawn(int jobs, int gpus, long seed) {
        return JobMaker.made(new PolluxSettings(), List::of, new JobMaker.Episode(jobs, gpus, seed));
    }

    private static double share(String model) {
        return JOBS.stream()
                        .filter(job -> ("pollux-" + model).equals(job.model()))
                        .count()
                / 4000.0;
    }

    @Test
    void applications_are_as_frequent_as_in_the_workloads_of_the_artifact() {
        assertThat(share("ncf")).isCloseTo(1017 / 2560.0, within(0.03));
        assertThat(share("cifar10")).isCloseTo(976 / 2560.0, within(0.03));
        assertThat(share("deepspeech2")).isCloseTo(224 / 2560.0, within(0.015));
        assertThat(share("imagenet")).isCloseTo(45 / 2560.0, within(0.008));
    }

    @Test
    void jobs_are_submitted_over_eight_hours_and_most_in_the_sixth() {
        assertThat(JOBS).isSortedAccordingTo(Comparator.comparingLong(TraceJob::submitNanos));
        assertThat(JOBS).allMatch(job -> job.submitNanos() >= 0 && job.submitNanos() <= 8 * 3_600_000_000_000L);
        long sixth = JOBS.stream()
                .filter(job -> job.submitNanos() / 3_600_000_000_000L == 5)
                .count();
        assertThat(sixth / 4000.0).isCloseTo(584 / 2560.0, within(0.03));
    }

    @Test
    void jobs_ask_for_gpus_that_the_cluster_has_and_last_as_long_as_their_goodput_says() {
        GoodputProfile bert = Objects.requireNonNull(PolluxApplications.find("bert"));
        assertThat(drawn(500, 16, 1)).allMatch(job -> job.gpus() <= 16);
        assertThat(JOBS).anyMatch(job -> job.gpus() == 48);
        assertThat(JOBS).filteredOn(job -> "pollux-bert".equals(job.model())).allSatisfy(job -> {
            double seconds = bert.iterations() / bert.meanIterationsPerSecond((job.gpus() + 3) / 4, job.gpus());
            assertThat(job.durationNanos() / 1e9).isCloseTo(seconds, within(1e-6));
            assertThat(job.demand().isElastic()).isTrue();
        });
        assertThat(JOBS)
                .filteredOn(job -> "pollux-ncf".equals(job.model()))
                .allMatch(job -> !job.demand().isElastic());
    }
}
