package org.trainyard.experiments.papers.pollux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.InputException;
import org.trainyard.env.Labelled;
import org.trainyard.experiments.papers.pollux.ArtifactScheduler.ArtifactOptimus;
import org.trainyard.experiments.papers.pollux.ArtifactScheduler.ArtifactPollux;
import org.trainyard.experiments.papers.pollux.ArtifactScheduler.ArtifactTiresias;
import org.trainyard.experiments.papers.pollux.ArtifactSimulation.Batch;
import org.trainyard.experiments.papers.pollux.PolluxRecord.PolluxReplay;
import org.trainyard.experiments.papers.studies.RecordStudy;

/**
 * {@link ArtifactSimulation} against the completion times that the authors of Pollux published with their simulator.
 */
class PolluxArtifactTest {
    private static final int WORKLOADS = PolluxArtifact.WORKLOADS;
    private static final PolluxArtifact ARTIFACT = ArtifactData.artifact();

    private static Map<String, Double> published(String policy, String load, int workload) {
        return Objects.requireNonNull(ARTIFACT.published(policy, load).get("workload-" + workload));
    }

    private static Map<String, Double> tiresias(String load, int workload) {
        return ArtifactSimulation.completionSeconds(
                ArtifactSimulation.jobs(ARTIFACT, ARTIFACT.workload(load, workload), Batch.SUBMITTED),
                new ArtifactTiresias());
    }

    private static Map<String, Double> optimus(String load, int workload) {
        return ArtifactSimulation.completionSeconds(
                ArtifactSimulation.jobs(ARTIFACT, ARTIFACT.workload(load, workload), Batch.SUBMITTED),
                new ArtifactOptimus());
    }

    private static Map<String, Double> pollux(String load, int workload) {
        return ArtifactSimulation.completionSeconds(
                ArtifactSimulation.jobs(ARTIFACT, ARTIFACT.workload(load, workload), Batch.ADAPTED),
                new ArtifactPollux(1));
    }

    private static double mean(Map<String, Double> times) {
        return times.values().stream()
                .mapToDouble(Double::doubleValue)
                .average()
                .orElseThrow();
    }

    private static double ratio(Map<String, Double> ours, String policy, String load, int workload) {
        Map<String, Double> published = published(policy, load, workload);
        assertThat(ours.keySet()).isEqualTo(published.keySet());
        return mean(ours) / mean(published);
    }

    /** No job of this workload runs on a placement that was not measured. */
    @Test
    void tiresias_agrees_job_by_job_where_every_placement_was_measured() {
        assertThat(tiresias("1.0", 3)).isEqualTo(published("tiresias", "1.0", 3));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 5, 6, 8})
    void tiresias_agrees_in_mean_to_half_a_percent_on_other_workloads(int workload) {
        assertThat(ratio(tiresias("1.0", workload), "tiresias", "1.0", workload))
                .isCloseTo(1, within(0.005));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void optimus_agrees_in_mean_to_three_percent(int workload) {
        assertThat(ratio(optimus("1.0", workload), "optimus", "1.0", workload)).isCloseTo(1, within(0.03));
    }

    @Test
    void pollux_agrees_in_mean_on_half_the_load() {
        assertThat(ratio(pollux("0.5", 3), "pollux", "0.5", 3)).isCloseTo(1, within(0.05));
    }

    @Tag("thorough")
    @ParameterizedTest
    @CsvSource({"0.5, 1534.0", "1.0, 2751.1", "1.5, 3685.4", "2.0, 5289.2"})
    void pollux_agrees_in_the_mean_of_eight_workloads_at_every_load(String load, double publishedMean) {
        double sum = 0;
        for (int workload = 1; workload <= WORKLOADS; workload++) {
            Map<String, Double> times = pollux(load, workload);
            assertThat(ratio(times, "pollux", load, workload))
                    .as("workload %d", workload)
                    .isCloseTo(1, within(0.1));
            sum += mean(times);
        }
        assertThat(sum / WORKLOADS / publishedMean).isCloseTo(1, within(0.05));
    }

    @Test
    void one_workload_is_replayed_by_its_number_or_file() {
        RecordStudy.Replay run = new PolluxReplay(ArtifactScheduler.TIRESIAS, "3").run(ARTIFACT);

        assertThat(run.jobs()).hasSize(160);
        assertThat(run.meanJctS()).isCloseTo(mean(published("tiresias", "1.0", 3)), within(1e-9));
        assertThatThrownBy(() -> new PolluxReplay(ArtifactScheduler.TIRESIAS, "none.csv").run(ARTIFACT))
                .isInstanceOf(InputException.class);
        assertThatThrownBy(() -> Labelled.named("--replay", ArtifactScheduler.class, "best"))
                .hasMessageContaining("pollux, tiresias, optimus");
    }
}
