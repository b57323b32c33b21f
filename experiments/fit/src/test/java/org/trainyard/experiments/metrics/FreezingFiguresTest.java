package org.trainyard.experiments.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.FreezableModel;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.freezing.FreezableNetworks;
import org.trainyard.env.workload.freezing.FreezingTerms;
import org.trainyard.env.workload.generator.ModelCatalog;

class FreezingFiguresTest {
    private static final ModelProfile PLAIN = ModelCatalog.standard().neutral();
    private static final ModelProfile FREEZABLE = PLAIN.attaching(
            FreezableModel.class,
            Objects.requireNonNull(FreezableNetworks.find("bert")).under(FreezingTerms.DEFAULT));

    private static RunResult episode(ModelProfile model, double... penalties) {
        JobSpec spec = new JobSpec(0, "job", 0, Demand.ofGpus(1), model, 1);
        List<JobOutcome> jobs = DoubleStream.of(penalties)
                .mapToObj(penalty -> new JobOutcome(
                        spec, 0, 5, new JobOutcome.TimeOnGpus(5, 5, 0, 0), 0, 0, 1, 1, 1, 0, penalty, 0, false))
                .toList();
        return new RunResult(jobs, List.of(), 8, 0, 0, 0, "hash");
    }

    @Test
    void penalties_are_those_of_the_jobs_that_allow_frozen_layers() {
        assertThat(FreezingFigures.of(
                        List.of(episode(FREEZABLE, 0.25, 0, 0.5), episode(PLAIN, 0.9), episode(FREEZABLE, 0))))
                .isEqualTo(new FreezingFigures(4, 0.1875, 0.5, 0.5));
        assertThat(FreezingFigures.of(List.of(episode(PLAIN, 0)))).isNull();
    }
}
