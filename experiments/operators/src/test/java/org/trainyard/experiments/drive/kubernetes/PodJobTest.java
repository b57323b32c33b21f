package org.trainyard.experiments.drive.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class PodJobTest {
    private static Pod started(String name, String at) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("team")
                .withCreationTimestamp("2026-11-20T09:59:00Z")
                .addToLabels("trainyard.org/job", "bert")
                .addToAnnotations("trainyard.org/pods", "2")
                .addToAnnotations(PodJob.TOLD, "1795255170")
                .endMetadata()
                .withNewSpec()
                .withNodeName("node")
                .addNewContainer()
                .withName("m")
                .withNewResources()
                .addToLimits("nvidia.com/gpu", new Quantity("1"))
                .endResources()
                .endContainer()
                .endSpec()
                .withNewStatus()
                .withPhase("Running")
                .withStartTime(at)
                .endStatus()
                .build();
    }

    @Test
    void a_job_starts_with_its_last_pod() {
        List<Pod> pods = List.of(started("bert-0", "2026-11-20T10:00:07Z"), started("bert-1", "2026-11-20T10:00:00Z"));

        assertThat(PodJob.of(pods).values())
                .singleElement()
                .satisfies(job -> assertThat(job.live().start())
                        .isEqualTo(Instant.parse("2026-11-20T10:00:07Z").getEpochSecond()));
    }
}
