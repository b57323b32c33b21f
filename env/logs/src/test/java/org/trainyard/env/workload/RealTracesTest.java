package org.trainyard.env.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.env.workload.log.TraceReader.Options;
import org.trainyard.env.workload.trace.audit.TraceStatistics;

class RealTracesTest {
    private static Trace read(String name) {
        return TraceReader.read(TestFiles.real(name), new Options(null, null, true));
    }

    @ParameterizedTest
    @CsvSource({
        "01, 1595, 64, 22740",
        "02, 5778, 64, 123748",
        "04, 15802, 64, 705683",
        "05, 3629, 8, 14303",
        "06, 2396, 64, 123879",
        "08, 13047, 32, 67100",
        "09, 11134, 1, 39001",
        "10, 260, 16, 4023"
    })
    void itp_clusters_have_their_published_counts(String cluster, int jobs, int widest, long gpuHours) {
        Trace trace = read("elasticflow_itp/cluster%s.csv.gz".formatted(cluster));
        TraceStatistics statistics = TraceStatistics.of(trace);
        assertThat(trace.format().label()).isEqualTo("itp");
        assertThat(trace.name()).isEqualTo("cluster" + cluster);
        assertThat(statistics.jobs()).isEqualTo(jobs);
        assertThat(statistics.gpuDemand().lastKey()).isEqualTo(widest);
        assertThat(Math.round(statistics.gpuHours())).isEqualTo(gpuHours);
        assertThat(statistics.oddities()).anyMatch(said -> said.matches("No job is shorter than 6[0-9][0-9] s; .*"));
    }

    /** Expected: rows that are no steps, run times of them times {@code gres/gpu}, counted without the reader. */
    @ParameterizedTest
    @CsvSource({"R1, 23106", "R1b, 22630", "R2, 22855", "R2b, 22965", "R2e, 22908", "R3, 22395"})
    void logs_of_a_real_slurm_have_all_jobs_and_gpu_seconds(String run, double gpuSeconds) {
        Trace trace = read("slurm_real/%s/sacct.txt".formatted(run));

        assertThat(trace.format().label()).isEqualTo("sacct");
        assertThat(trace.jobs()).hasSize(250);
        assertThat(trace.jobs().stream().mapToDouble(TraceJob::gpuHours).sum() * 3600)
                .isCloseTo(gpuSeconds, within(0.01));
    }

    @Test
    void philly_has_its_published_counts_and_starts_at_its_earliest_row() {
        Trace trace = read("philly/philly_pass.csv.gz");
        TraceStatistics statistics = TraceStatistics.of(trace);
        assertThat(trace.format().label()).isEqualTo("philly");
        assertThat(trace.jobs().get(0).submitNanos()).isZero();
        assertThat(statistics.jobs()).isEqualTo(82_247);
        assertThat(statistics.virtualClusters()).hasSize(15);
        assertThat(statistics.gpuDemand()).containsEntry(1, 76_627).containsEntry(32, 67);
        assertThat(statistics.duration().median()).isEqualTo(1144);
        // 2017-09-04 10:30:41 to 2017-12-22 08:02:11 on one wall clock.
        assertThat(statistics.spanSeconds()).isEqualTo(108 * 86_400 + 21 * 3600 + 31 * 60 + 30);
        assertThat(statistics.oddities()).anyMatch(said -> said.contains("submitted before the row above"));
    }

    @Test
    void helios_splits_into_its_two_virtual_clusters() {
        Path file = TestFiles.real("helios/helios_venus_2vc_sept.csv.gz");
        Trace one = TraceReader.read(file, new Options(null, "vcvlY", true));
        TraceStatistics all = TraceStatistics.of(TraceReader.read(file, Options.DEFAULT));
        assertThat(all.virtualClusters()).containsEntry("vcvGl", 1452).containsEntry("vcvlY", 415);
        assertThat(all.duration().median()).isEqualTo(93);
        assertThat(all.users()).hasSize(12);
        assertThat(one.format().label()).isEqualTo("helios");
        assertThat(one.jobs()).hasSize(415);
        assertThat(one.jobs().get(0).submitNanos()).isEqualTo(40_822_000_000_000L);
    }

    @Test
    void muri_and_its_copy_in_seconds_are_told_apart() {
        Trace muri = read("muri/trace3.csv.gz");
        Trace seconds = read("known_answers/tiresias_simulator/muri_trace3_sec.csv.gz");
        assertThat(muri.format().label()).isEqualTo("muri");
        assertThat(seconds.format().label()).isEqualTo("tiresias");
        assertThat(muri.jobs()).hasSize(992);
        assertThat(seconds.jobs()).extracting(TraceJob::submitNanos).startsWith(0L, 1_456_000_000_000L);
        assertThat(muri.jobs().get(0).durationNanos()).isEqualTo(1_046_811L * 886 * 1_000_000);
        assertThat(seconds.jobs().get(0).durationNanos()).isEqualTo(927_475_000_000_000L);
    }

    @Test
    void tiresias_and_the_tiny_trace_by_hand_are_read() {
        assertThat(read("tiresias/60_job.csv").jobs()).hasSize(60);
        Trace tiny = read("known_answers/tiny.csv");
        assertThat(tiny.format().label()).isEqualTo("tiresias");
        assertThat(tiny.jobs()).hasSize(6);
        assertThat(tiny.jobs().get(3))
                .isEqualTo(new TraceJob("3", 30_000_000_000L, 8, 20_000_000_000L, null, null, null, null));
    }

    @ParameterizedTest
    @CsvSource({
        "trace1, 1494",
        "trace2, 5755",
        "trace4, 2638",
        "trace1_pr, 1494",
        "trace3_pr, 992",
        "job_type_4, 992",
        "cluster_exp_trace, 400"
    })
    void muris_other_traces_are_read_whole(String name, int jobs) {
        assertThat(read("muri/%s.csv.gz".formatted(name)).jobs()).hasSize(jobs);
    }

    /** Expected: another program of the same rules. */
    @ParameterizedTest
    @CsvSource({
        "120_0.2_5_100_40_25, 120, 68, 469515.1",
        "220_0.2_5_100_25_4, 220, 109, 1295441.0",
        "460_0.2_5_100_10_1, 460, 246, 2441130.5",
        "900_0.2_5_1000_5_15, 900, 475, 5109695.4",
        "900_0.2_5_100_5_15, 900, 470, 4883430.1"
    })
    void shockwaves_traces_are_read_whole_and_most_jobs_adapt(String name, int jobs, int adapt, double seconds) {
        Trace trace = read("shockwave/%s_0,0.5,0.5_0.6,0.3,0.09,0.01_multigpu_dynamic.trace.gz".formatted(name));
        assertThat(trace.format().label()).isEqualTo("shockwave");
        assertThat(trace.jobs()).hasSize(jobs);
        assertThat(trace.oddities().get(0)).startsWith("%d of %d jobs change their batch size".formatted(adapt, jobs));
        assertThat(trace.jobs().stream()
                        .mapToDouble(job -> job.durationNanos() / 1e9)
                        .sum())
                .isCloseTo(seconds, within(0.1));
    }
}
