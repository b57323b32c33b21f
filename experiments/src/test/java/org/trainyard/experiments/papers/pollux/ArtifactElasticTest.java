package org.trainyard.experiments.papers.pollux;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.trainyard.experiments.papers.pollux.ArtifactSimulation.Batch;
import org.trainyard.experiments.papers.studies.LearnedWeights;

/** The learned elastic policy on workloads that it is not judged by. */
class ArtifactElasticTest {
    private static final double[] LEARNED =
            LearnedWeights.of(ArtifactElastic.class, ArtifactElastic.WEIGHTS).named("5");

    private static Map<String, Double> seconds(double[] weights) {
        PolluxArtifact artifact = ArtifactData.artifact();
        List<ArtifactJob> jobs =
                ArtifactSimulation.jobs(artifact, artifact.workload("0.5", 3), Batch.ADAPTED, ArtifactJob.Fits.SELDOM);
        ArtifactElastic policy = new ArtifactElastic(weights, true);
        return ArtifactSimulation.completionSeconds(jobs, (now, live) -> {
            policy.allocate(now, live);
            int[] used = new int[ArtifactSimulation.SERVERS];
            live.forEach(job -> {
                for (int server = 0; server < job.allocation.length; server++) {
                    used[server] += job.allocation[server];
                }
            });
            assertThat(Arrays.stream(used).max().orElseThrow()).isLessThanOrEqualTo(ArtifactSimulation.GPUS);
        });
    }

    @Test
    void no_server_holds_more_than_its_gpus_and_runs_repeat_themselves() {
        Map<String, Double> first = seconds(LEARNED);

        assertThat(first).hasSize(80).isEqualTo(seconds(LEARNED));
    }
}
