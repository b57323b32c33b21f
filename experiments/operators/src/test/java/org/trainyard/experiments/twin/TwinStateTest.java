package org.trainyard.experiments.twin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.slurm.SlurmJob;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmConf;

class TwinStateTest {
    /** Accounting rounds to seconds, so that one second later is at once. */
    @ParameterizedTest
    @CsvSource({"08:00:00, 0", "08:00:01, 0", "08:00:02, 2", "08:15:00, 900", "09:00:00, 3600"})
    void a_job_begins_when_it_became_eligible(String eligible, long secondsLater) {
        SlurmCluster cluster = SlurmCluster.of(
                SlurmConf.parse(
                        "slurm.conf",
                        List.of("NodeName=n1 CPUs=64 Gres=gpu:8", "PartitionName=p Nodes=n1 Default=YES MaxTime=60")),
                null,
                null,
                null);
        RecordedJobs recorded = RecordedJobs.of(
                List.of(
                        "JobID|User|Account|Partition|QOS|State|Submit|Eligible|Start|End|Timelimit|ReqTRES|NNodes",
                        "7|u|a|p|normal|PENDING|2026-03-02T08:00:00|2026-03-02T" + eligible
                                + "|Unknown|Unknown|10:00|cpu=8,gres/gpu=8|1"),
                null,
                null,
                node -> 64);
        long submitted = recorded.jobs().values().iterator().next().submitSecond();

        SlurmJob job = new TwinState(cluster, recorded).submit(7, submitted).get(0);

        assertThat(job.beginSecond() - submitted).isEqualTo(secondsLater);
    }
}
