package org.trainyard.experiments.papers.pollux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.workload.goodput.GoodputProfile;
import org.trainyard.env.workload.goodput.PolluxApplications;

/** The table of {@link PolluxApplications} against the measurements that it is made from. */
class PolluxApplicationsTest {
    /** The error is the sum of those of compute and of steps: root mean squares of the logarithms. */
    @ParameterizedTest
    @CsvSource({"bert,0.15", "cifar10,0.17", "deepspeech2,0.24", "imagenet,0.15", "ncf,0.22", "yolov3,0.37"})
    void each_row_is_the_fit_to_the_measurements(String name, double error) {
        MeasuredApplication measured = ArtifactData.artifact().application(name);
        GoodputProfile fitted = PolluxProfiles.of(measured);
        GoodputProfile shipped = Objects.requireNonNull(PolluxApplications.find(name));
        String row = "the row of the table should be%n%s".formatted(PolluxProfiles.row(name, fitted));

        assertThat(shipped.limits()).as(row).isEqualTo(fitted.limits());
        assertThat(shipped.iterations()).as(row).isCloseTo(fitted.iterations(), within(1.0));
        for (int gpus = 1; gpus <= 64; gpus *= 4) {
            int servers = Math.max(1, gpus / 4);
            assertThat(shipped.meanIterationsPerSecond(servers, gpus) / fitted.meanIterationsPerSecond(servers, gpus))
                    .as(row)
                    .isCloseTo(1, within(2e-3));
        }
        assertThat(ThroughputFit.error(shipped.throughput(), measured.measurements()))
                .as(row)
                .isLessThan(error);
    }
}
