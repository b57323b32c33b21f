package org.trainyard.experiments.twin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RecordedJobsTest {
    /** As the readers of logs do, where the accounting names types of GPUs alone. */
    @Test
    void gpus_of_types_alone_are_gpus() {
        RecordedJobs jobs = RecordedJobs.of(
                List.of(
                        "JobID|User|Submit|Start|End|State|Timelimit|ReqTRES|NNodes",
                        "7|u|2026-03-02T08:00:00|Unknown|Unknown|PENDING|1-02:03|"
                                + "cpu=32,gres/gpu:a100=8,license/matlab=2,mem=100G,node=2|2"),
                null,
                null);

        TwinJob job = Objects.requireNonNull(jobs.jobs().get(7L));

        assertThat(job.gpusPerNode()).isEqualTo(4);
        assertThat(job.cpusPerNode()).isEqualTo(16);
        assertThat(job.limitSeconds()).isEqualTo((26 * 60 + 3) * 60);
        assertThat(job.licenses()).isEqualTo(Map.of("matlab", 2));
    }
}
