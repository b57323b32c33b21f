package org.trainyard.env.workload.freezing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.trainyard.env.InvalidFieldException;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.TrainingPlan;
import org.trainyard.env.workload.generator.FreezingSettings;
import org.trainyard.env.workload.generator.GeneratorSettings;
import org.trainyard.env.workload.generator.JobMaker;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.generator.TraceGenerator;

class FreezingShareTest {
    private static final FreezingSettings HALF = new FreezingSettings(0.5, 0.02, 0.75, true);

    private static List<TraceJob> jobs() {
        return new TraceGenerator(GeneratorSettings.DEFAULT, 600, ModelCatalog.standard()).generate(3, 64);
    }

    @Test
    void about_the_share_of_the_jobs_allows_frozen_layers_and_all_runs_of_a_group_alike() {
        List<TraceJob> jobs = JobMaker.made(HALF, FreezingShareTest::jobs, 7);
        long freezable =
                jobs.stream().filter(job -> job.of(FreezingTerms.class) != null).count();
        assertThat(freezable).isBetween(220L, 380L);
        Map<String, Boolean> groups = new HashMap<>();
        for (TraceJob job : jobs) {
            if (job.group() != null) {
                assertThat(groups.computeIfAbsent(job.group(), key -> job.of(FreezingTerms.class) != null))
                        .isEqualTo(job.of(FreezingTerms.class) != null);
            }
        }
        assertThat(JobMaker.made(HALF, FreezingShareTest::jobs, 7)).isEqualTo(jobs);
        assertThat(JobMaker.made(HALF, FreezingShareTest::jobs, 8)).isNotEqualTo(jobs);
    }

    @Test
    void pipelines_and_jobs_with_terms_of_their_own_stay_as_they_are() {
        TraceJob pipeline =
                jobs().get(0).parallel(Objects.requireNonNull(TrainingPlan.parse("pipeline:dapple", "vgg19")));
        TraceJob own = jobs().get(1).attaching(FreezingTerms.class, FreezingTerms.DEFAULT);
        FreezingSettings all = new FreezingSettings(1, 0.02, 0.75, true);
        assertThat(JobMaker.made(all, () -> List.of(pipeline, own), 7)).containsExactly(pipeline, own);
    }

    @Test
    void settings_out_of_range_are_refused() {
        assertThatThrownBy(() -> new FreezingSettings(1.5, 0, 0, false)).isInstanceOf(InvalidFieldException.class);
        assertThatThrownBy(() -> new FreezingSettings(1, 0, 2, false)).isInstanceOf(InvalidFieldException.class);
    }
}
