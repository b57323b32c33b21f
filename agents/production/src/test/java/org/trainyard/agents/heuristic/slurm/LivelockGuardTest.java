package org.trainyard.agents.heuristic.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmConf;

class LivelockGuardTest {
    @Test
    void loops_that_begin_amid_a_run_look_at_whole_seconds() {
        long now = 50_000_000_000L;
        LivelockGuard guard = new LivelockGuard(SlurmCluster.of(
                SlurmConf.parse("slurm.conf", List.of("SchedulerType=sched/backfill", "NodeName=a")),
                null,
                null,
                null));
        guard.takeDecay(now);

        guard.changed(now);

        assertThat(guard.takeMain(now, 1)).isNotEqualTo(LoopTimer.Due.NOT);
        assertThat(guard.next()).isEqualTo(now);
        assertThat(guard.takeBackfill(now)).isTrue();
    }
}
