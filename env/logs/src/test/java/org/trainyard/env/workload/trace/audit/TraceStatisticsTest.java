package org.trainyard.env.workload.trace.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.workload.TraceJob;

class TraceStatisticsTest {
    private static final long SECOND = 1_000_000_000L;

    private static TraceJob job(int id, long submit, int gpus, long duration) {
        return new TraceJob("j" + id, submit * SECOND, gpus, duration * SECOND, null, null, null, null);
    }

    @Test
    void load_is_work_over_what_the_cluster_could_do_between_first_and_last_submission() {
        TraceStatistics statistics =
                TraceStatistics.of(List.of(job(0, 100, 8, 50), job(1, 150, 40, 10), job(2, 200, 2, 400)));
        assertThat(statistics.spanSeconds()).isEqualTo(100);
        assertThat(statistics.gpuHours()).isCloseTo((400 + 400 + 800) / 3600.0, within(1e-12));
        assertThat(statistics.offeredLoad(Topologies.small())).isCloseTo(1600.0 / (32 * 100), within(1e-12));
        assertThat(statistics.widerThan(Topologies.small())).isEqualTo(1);
        assertThat(statistics.fittingLoad(Topologies.small())).isCloseTo(1200.0 / (32 * 100), within(1e-12));
        assertThat(statistics.duration()).isEqualTo(new TraceStatistics.Quantiles(10, 50, 400, 400, 400, 460.0 / 3));
        assertThat(statistics.lines(Topologies.small(), "VC"))
                .contains(
                        "offered load   0.500 of the 32 GPUs of small",
                        "without wide   0.375 by the jobs that fit",
                        "note           1 job is wider than small (32 GPUs).");
    }

    @Test
    void strange_traces_are_noticed() {
        List<TraceJob> prime =
                IntStream.range(0, 60).mapToObj(i -> job(i, 0, 1, 600)).toList();
        assertThat(TraceStatistics.of(prime).oddities())
                .containsExactly(
                        "All durations are the same (600.0 s).",
                        "Every job asks for one GPU.",
                        "All jobs are submitted at one instant; there is no offered load.",
                        "No job names its user.",
                        "No job names the group it recurs in.",
                        "No job names its model.");
        assertThat(TraceStatistics.of(prime).offeredLoad(Topologies.small())).isNaN();
        List<TraceJob> bursty = IntStream.range(0, 60)
                .mapToObj(i -> job(i, i < 30 ? 0 : 1000 + i, 1 << i % 3, 600 + i))
                .toList();
        assertThat(TraceStatistics.of(bursty).oddities())
                .startsWith(
                        "No job is shorter than 600 s; short ones were probably left out.",
                        "GPU demands are powers of two only.",
                        "1 time 10 jobs or more are submitted at one instant, at most 30.",
                        "For 17 min of 18 min nothing is submitted.");
    }
}
