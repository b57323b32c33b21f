package org.trainyard.env.workload.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.TraceJob;

class PodDemandsTest {
    private static final List<PodDemand> PODS = List.of(
            new PodDemand(1, 250, 4000, 1024, 3),
            new PodDemand(1, 1000, 0, 0, 1),
            new PodDemand(8, 1000, 64000, 2048, 1));

    private static final List<TraceJob> JOBS =
            new TraceGenerator(GeneratorSettings.DEFAULT, 4000, ModelCatalog.standard()).generate(1, 64);

    @Test
    void jobs_ask_for_what_jobs_of_as_many_gpus_may_by_weight_and_others_stay() {
        List<TraceJob> drawn = PodDemands.of(JOBS, PODS, 1);

        long ones = JOBS.stream().filter(job -> job.gpus() == 1).count();
        long parts = drawn.stream()
                .filter(job ->
                        job.demand().equals(Demand.ofGpus(1).withGpuMilli(250).withHost(4000, 1024)))
                .count();
        assertThat((double) parts / ones).isCloseTo(0.75, within(0.08));
        for (int i = 0; i < drawn.size(); i++) {
            int gpus = JOBS.get(i).gpus();
            assertThat(drawn.get(i).gpus()).isEqualTo(gpus);
            if (gpus == 8) {
                assertThat(drawn.get(i).demand()).isEqualTo(Demand.ofGpus(8).withHost(64000, 2048));
            } else if (gpus > 1) {
                assertThat(drawn.get(i)).isEqualTo(JOBS.get(i));
            }
        }
    }

    @Test
    void all_runs_of_a_group_ask_for_the_same_and_equal_seeds_give_equal_jobs() {
        List<TraceJob> drawn = PodDemands.of(JOBS, PODS, 7);
        Map<String, Demand> byGroup = new HashMap<>();
        for (TraceJob job : drawn) {
            String group = job.group();
            if (group != null) {
                assertThat(byGroup.computeIfAbsent(group, any -> job.demand())).isEqualTo(job.demand());
            }
        }
        assertThat(byGroup.values()).contains(PODS.get(0).demand(), PODS.get(1).demand());
        assertThat(PodDemands.of(JOBS, PODS, 7)).isEqualTo(drawn).isNotEqualTo(PodDemands.of(JOBS, PODS, 8));
    }

    @Test
    void parts_of_several_gpus_are_refused() {
        assertThatThrownBy(() -> new PodDemand(2, 500, 0, 0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("(500 milli)");
    }
}
