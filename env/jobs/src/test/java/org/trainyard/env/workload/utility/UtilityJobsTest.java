package org.trainyard.env.workload.utility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.trainyard.env.InvalidFieldException;
import org.trainyard.env.synchronisation.ParameterServer;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.generator.GeneratorSettings;
import org.trainyard.env.workload.generator.JobMaker;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.generator.TraceGenerator;
import org.trainyard.env.workload.generator.UtilitySettings;

class UtilityJobsTest {
    private static final UtilitySettings SETTINGS = new UtilitySettings("sigmoid", 600, 20, true, false, null);

    private static List<TraceJob> drawn(int jobs, int gpus, long seed) {
        return JobMaker.made(SETTINGS, List::of, new JobMaker.Episode(jobs, gpus, seed));
    }

    @Test
    void parameter_server_jobs_are_in_the_ranges_of_the_paper() {
        List<TraceJob> jobs = drawn(2000, 1600, 1);
        double insensitive = 0;
        for (TraceJob job : jobs) {
            ParameterServer plan = (ParameterServer) job.plan();
            JobUtility.Sigmoid utility = (JobUtility.Sigmoid) Objects.requireNonNull(job.of(JobUtility.class));
            assertThat(plan.sampleSeconds()).isBetween(600e-5, 600e-4);
            assertThat(plan.workersPerServer()).isBetween(1, 10);
            assertThat(job.demand().maxGpus()).isEqualTo(plan.batch()).isBetween(1, 200);
            assertThat(job.gpus()).isBetween(1, Math.min(16, plan.batch()));
            assertThat(job.submitNanos() % 600_000_000_000L).isZero();
            double samples = job.durationNanos() / 1e9 * job.gpus() / plan.secondsPerSample(true);
            assertThat(samples).isBetween(50 * 2e4 * 0.999, 200 * 5e5 * 1.001);
            assertThat(utility.priority()).isBetween(1.0, 100.0);
            assertThat(utility.targetSeconds()).isBetween(600.0, 9000.0);
            assertThat(utility.horizonSeconds()).isEqualTo(12_000 - job.submitNanos() / 1e9);
            insensitive += utility.sensitivity() == 0 ? 1 : 0;
        }
        assertThat(insensitive / jobs.size()).isCloseTo(0.1, within(0.03));
        assertThat(jobs).isSortedAccordingTo((a, b) -> Long.compare(a.submitNanos(), b.submitNanos()));
        assertThat(drawn(2000, 1600, 1)).isEqualTo(jobs);
        assertThat(drawn(2000, 1600, 2)).isNotEqualTo(jobs);
    }

    @Test
    void jobs_of_the_generator_keep_everything_but_their_utility() {
        List<TraceJob> plain =
                new TraceGenerator(GeneratorSettings.DEFAULT, 100, ModelCatalog.standard()).generate(1, 64);
        UtilitySettings roots = new UtilitySettings("root", 600, 1_000_000, false, false, null);
        List<TraceJob> valued = JobMaker.made(roots, () -> plain, 1);

        assertThat(valued).allMatch(job -> job.of(JobUtility.class) instanceof JobUtility.Concave);
        assertThat(valued.stream().map(job -> job.attaching(JobUtility.class, null)))
                .containsExactlyElementsOf(plain);
        assertThat(JobMaker.made(roots, () -> plain.subList(50, 100), 1)).isEqualTo(valued.subList(50, 100));
    }

    @Test
    void elastic_jobs_of_the_generator_may_run_on_any_part_of_their_gpus() {
        List<TraceJob> plain =
                new TraceGenerator(GeneratorSettings.DEFAULT, 100, ModelCatalog.standard()).generate(1, 64);
        UtilitySettings rings = new UtilitySettings("root", 600, 1_000_000, false, false, true);

        assertThat(JobMaker.made(rings, () -> plain, 1)).hasSize(100).allSatisfy(job -> {
            assertThat(job.demand().minGpus()).isOne();
            assertThat(job.demand().maxGpus()).isEqualTo(job.gpus());
        });
    }

    @Test
    void the_families_are_known_and_an_unknown_one_is_refused() {
        assertThat(UtilitySettings.FAMILIES)
                .isEqualTo(Arrays.stream(ConcaveFamily.values())
                        .map(ConcaveFamily::label)
                        .toList());
        assertThatThrownBy(() -> new UtilitySettings("cubic", 600, 20, true, false, null))
                .isInstanceOf(InvalidFieldException.class)
                .hasMessageContaining("saturation");
    }
}
