package org.trainyard.experiments.advice;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.metrics.JobMetric;
import org.trainyard.experiments.simulation.LogAccount;
import org.trainyard.experiments.simulation.LoggedMaintenance;

/** Jobs beside those of a log, of 40 jobs that hold one server for 100 s each, 200 s apart. */
class WhatIfSequelTest {
    private static final long SECOND = 1_000_000_000L;
    private static final String CLUSTER = "1x4:A100";

    private static TraceJob job(String id, long submitSeconds, long seconds) {
        return new TraceJob(id, submitSeconds * SECOND, 4, seconds * SECOND, null, null, null, null);
    }

    private static List<WhatIfAnswer.Row> rows(WhatIfAnswer.Sequel sequel) {
        List<TraceJob> jobs = IntStream.range(0, 40)
                .mapToObj(number -> job("j" + number, 200L * number, 100))
                .toList();
        Topology topology = Clusters.resolve("--cluster", CLUSTER);
        return WhatIfAnswer.of(new WhatIfAnswer.Question(
                        new LogAccount(jobs, List.of(), List.of()),
                        sequel,
                        LoggedMaintenance.NONE,
                        CLUSTER,
                        one -> Clusters.resolve("--what-if", one),
                        NearestScheduler.named("--scheduler", "fifo", topology, 1),
                        null,
                        null,
                        List.of(WhatIf.parse("--what-if", "servers=+1")),
                        null,
                        30,
                        1))
                .whatIf();
    }

    @Test
    void they_hold_gpus_in_every_row_and_count_in_none() {
        WhatIfAnswer.Sequel beside = new WhatIfAnswer.Sequel(
                replay -> List.of(job("beside", 7710, 1000 + replay)), List.of("One is beside."));

        List<WhatIfAnswer.Row> alone = rows(WhatIfAnswer.Sequel.NONE);
        List<WhatIfAnswer.Row> rows = rows(beside);

        assertThat(alone.get(0).log().jobs()).isEqualTo(4 * 40);
        assertThat(rows.get(0).log().jobs()).isEqualTo(4 * 40);
        assertThat(alone.get(0).log().longestWait()).isZero();
        // Job 39 is submitted at 7,800 s and starts when job 38 (from 7,600 s on) and the other have ended.
        assertThat(rows.get(0).log().values(JobMetric.WAIT)[4 * 39]).isEqualTo(7710 + 1000 - 7800);
        assertThat(rows.get(0).log().values(JobMetric.WAIT)[4 * 38]).isZero();
        assertThat(rows.get(1).log().longestWait()).isZero();
    }
}
