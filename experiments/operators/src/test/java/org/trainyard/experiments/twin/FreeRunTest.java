package org.trainyard.experiments.twin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.slurm.LoopTimer;

class FreeRunTest {
    /**
     * The second job is 140 s older, which is worth more than the partition of the third; but ages count from the
     * calculation after five minutes on, and not before.
     */
    @ParameterizedTest
    @CsvSource({"03:20, 3, 2", "04:50, 3, 2", "05:20, 2, 3"})
    void ages_count_when_priorities_are_calculated(String end, String next, String last, @TempDir Path folder)
            throws IOException {
        Files.write(
                folder.resolve("slurm.conf"),
                List.of(
                        "SchedulerType=sched/backfill",
                        "PriorityType=priority/multifactor",
                        "PriorityCalcPeriod=5",
                        "PriorityMaxAge=01:00:00",
                        "PriorityWeightAge=10000",
                        "PriorityWeightPartition=400",
                        "NodeName=n1 CPUs=64 Gres=gpu:8",
                        "PartitionName=low Nodes=n1 Default=YES MaxTime=60 PriorityJobFactor=1",
                        "PartitionName=high Nodes=n1 MaxTime=60 PriorityJobFactor=2"));
        String row = "%s|u|a|%s|normal|COMPLETED|2026-03-02T08:%s|2026-03-02T08:%s|2026-03-02T08:%s|20:00|"
                + "cpu=8,gres/gpu=8|1|n1";
        Files.write(
                folder.resolve("sacct.txt"),
                List.of(
                        "JobID|User|Account|Partition|QOS|State|Submit|Start|End|Timelimit|ReqTRES|NNodes|NodeList",
                        row.formatted("1", "low", "00:00", "00:00", end),
                        row.formatted("2", "low", "00:10", "20:00", "22:00"),
                        row.formatted("3", "high", "02:30", "22:00", "24:00")));
        TwinFolder files = TwinFolder.read(folder);
        RecordedTimes times = new RecordedTimes(files, List.of());
        long zero = files.zeroMillis();

        Map<String, FreeRun.Run> runs = new FreeRun(
                        files, times, new LoopTimer(files.cluster().parameters(), zero, zero, 1), begun -> {})
                .run();

        assertThat(runs.entrySet().stream()
                        .sorted((a, b) -> Long.compare(
                                a.getValue().startMillis(), b.getValue().startMillis()))
                        .map(Map.Entry::getKey))
                .containsExactly("1", next, last);
    }
}
