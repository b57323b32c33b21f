package org.trainyard.env.performance.planned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.generator.GeneratorSettings;
import org.trainyard.env.workload.generator.JobMaker;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.generator.PlannedSettings;
import org.trainyard.env.workload.generator.TraceGenerator;

class PlannedShareTest {
    private static final List<TraceJob> JOBS =
            new TraceGenerator(GeneratorSettings.DEFAULT, 2000, ModelCatalog.standard()).generate(1, 128);

    private static boolean isPlanned(TraceJob job) {
        return job.plan() instanceof Planned;
    }

    @Test
    void a_third_of_the_jobs_get_plans_and_runs_of_a_group_get_the_same() {
        List<TraceJob> mixed = JobMaker.made(new PlannedSettings(1 / 3.0), () -> JOBS, 1);
        List<TraceJob> planned =
                mixed.stream().filter(PlannedShareTest::isPlanned).toList();
        assertThat(planned.size() / 2000.0).isCloseTo(1 / 3.0, within(0.06));
        assertThat(planned).allMatch(job -> job.gpus() > 1);
        assertThat(planned.stream().map(job -> job.plan().label()).collect(Collectors.toSet()))
                .containsExactlyInAnyOrder("pipeline:dapple", "pipeline:spp", "mixed:sbp");
        mixed.stream()
                .filter(job -> job.group() != null)
                .collect(Collectors.groupingBy(TraceJob::group))
                .values()
                .forEach(runs ->
                        assertThat(runs.stream().map(TraceJob::plan).distinct()).hasSize(1));
    }

    @Test
    void a_share_of_zero_changes_nothing() {
        assertThat(JobMaker.made(new PlannedSettings(0), () -> JOBS, 1)).isEqualTo(JOBS);
    }
}
