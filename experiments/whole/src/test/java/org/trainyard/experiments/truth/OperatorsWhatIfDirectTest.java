package org.trainyard.experiments.truth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.env.workload.trace.TraceWriter;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.io.JsonText;

/**
 * A what-if on a log without open jobs is what {@code simulate --as-logged} says of changed files and jobs: the mean of
 * four runs, three of them with submissions up to ten seconds later.
 */
class OperatorsWhatIfDirectTest {
    private static final int REPLAYS = 4;
    private static final long SHIFT_NANOS = 10_000_000_000L;
    private static final long HOUR_NANOS = 3_600_000_000_000L;

    @TempDir
    private Path folder;

    private Path hall = Path.of("");
    private List<TraceJob> jobs = List.of();

    @BeforeEach
    void write_the_log_of_a_small_cluster() throws IOException {
        hall = folder.resolve("hall");
        Path whole = OperatorsCluster.of(OperatorsSettings.small()).write(hall);
        jobs = TraceReader.read(whole, TraceReader.Options.DEFAULT).jobs();
        TraceWriter.write(jobs, hall.resolve("log.csv"));
        // A table without CPUs bills GPUs.
        change("slurm.conf", "MaxTime=", "TRESBillingWeights=GRES/gpu=1.0 MaxTime=");
        Files.delete(whole);
        Files.delete(hall.resolve("squeue.txt"));
        Files.delete(hall.resolve("reservations.txt"));
    }

    /** The mean wait after a change, and without one. */
    private double[] whatIf(String change) throws IOException {
        Shell shell = Shell.command(
                "advise %s --cluster %s --scheduler %s --maintenance none --what-if %s --json",
                hall.resolve("log.csv"), hall.resolve("cluster.yaml"), "slurm:" + hall.resolve("slurm.conf"), change);
        assertThat(shell.code()).as(shell.err()).isZero();
        JsonNode answer = JsonText.read(shell.out());
        assertThat(answer.get("notes").toString()).doesNotContain("After the log");
        return Stream.of("/what_if/1/wait_s/mean", "/what_if/0/wait_s/mean")
                .mapToDouble(at -> answer.at(at).asDouble())
                .toArray();
    }

    private double direct(UnaryOperator<TraceJob> job, String... more) throws IOException {
        double sum = 0;
        for (int replay = 0; replay < REPLAYS; replay++) {
            Path log = hall.resolve("replay%d.csv".formatted(replay));
            List<TraceJob> changed = jobs.stream().map(job).toList();
            TraceWriter.write(replay == 0 ? changed : later(changed, replay - 1), log);
            List<String> words = new ArrayList<>(Shell.words(
                    "simulate --trace %s --cluster %s --scheduler %s --maintenance none --as-logged --json",
                    log, hall.resolve("cluster.yaml"), "slurm:" + hall.resolve("slurm.conf")));
            words.addAll(List.of(more));
            Shell shell = Shell.run(words);
            assertThat(shell.code()).as(shell.err()).isZero();
            sum += JsonText.read(shell.out()).at("/schedulers/0/wait_s/mean").asDouble();
        }
        return sum / REPLAYS;
    }

    private static List<TraceJob> later(List<TraceJob> jobs, int replay) {
        RandomGenerator random = RandomStreams.stream(1, "submissions of replay " + replay);
        List<TraceJob> shifted = new ArrayList<>();
        long last = 0;
        for (TraceJob job : jobs) {
            last = Math.max(last, job.submitNanos() + random.nextLong(SHIFT_NANOS));
            shifted.add(job.submittedAt(last));
        }
        return shifted;
    }

    private void change(String file, String from, String to) throws IOException {
        String text = Files.readString(hall.resolve(file));
        assertThat(text).contains(from);
        Files.writeString(hall.resolve(file), text.replace(from, to));
    }

    private static void requireEqual(double[] answer, double direct) {
        assertThat(answer[0]).isCloseTo(direct, within(1e-6)).isNotCloseTo(answer[1], within(1.0));
    }

    @Test
    void no_change_is_the_simulation_of_the_log() throws IOException {
        assertThat(whatIf("arrivals=1")[1]).isCloseTo(direct(job -> job), within(1e-6));
    }

    @Test
    void four_more_h100_servers_are_those_in_slurm_conf_and_in_the_topology() throws IOException {
        double[] answer = whatIf("servers=+4 of h100");
        change("slurm.conf", "h[01-02]", "h[01-06]");
        change(
                "cluster.yaml",
                "servers: 2, uplinks: 4, server: {gpus: 8, gpu_type: H100",
                "servers: 6, uplinks: 4, server: {gpus: 8, gpu_type: H100");

        requireEqual(answer, direct(job -> job));
    }

    @Test
    void a_limit_of_a_partition_is_that_of_its_jobs_which_end_there() throws IOException {
        double[] answer = whatIf("limit gpu=24h");

        requireEqual(answer, direct(job -> {
            boolean isCut = "gpu".equals(job.terms().partition()) && job.terms().limitNanos() > 24 * HOUR_NANOS;
            TraceJob shorter =
                    job.durationNanos() > 24 * HOUR_NANOS ? job.ran(null).lasting(24 * HOUR_NANOS) : job;
            return isCut
                    ? shorter.on(job.terms().but().limitNanos(24 * HOUR_NANOS).build())
                    : job;
        }));
    }

    @Test
    void a_share_is_that_in_assoc_txt() throws IOException {
        double[] answer = whatIf("share bio=600");
        change("assoc.txt", "hall|bio|root||20|", "hall|bio|root||600|");

        requireEqual(answer, direct(job -> job));
    }

    @Test
    void a_window_is_maintenance_of_the_physics() throws IOException {
        double[] answer = whatIf("window=30h..38h");
        Path physics = Files.writeString(folder.resolve("physics.yaml"), """
            interference: {type: Analytic, socket_weight: 0, pcie_weight: 0, nic_weight: 0, gpu_weight: 0}
            contention: {type: None}
            stragglers: 0
            restart: {type: Fixed, seconds: 30}
            outages: {type: None}
            quotas: []
            maintenance: [[108000, 136800, all]]
            """);

        requireEqual(answer, direct(job -> job, "--physics", physics.toString(), "--interference-model", "shipped"));
    }

    @Test
    void two_changes_are_both_at_once() throws IOException {
        double[] answer = whatIf("servers=+4 of h100, share bio=600");
        change("slurm.conf", "h[01-02]", "h[01-06]");
        change(
                "cluster.yaml",
                "servers: 2, uplinks: 4, server: {gpus: 8, gpu_type: H100",
                "servers: 6, uplinks: 4, server: {gpus: 8, gpu_type: H100");
        change("assoc.txt", "hall|bio|root||20|", "hall|bio|root||600|");

        requireEqual(answer, direct(job -> job));
        assertThat(IntStream.range(0, REPLAYS).mapToObj(replay -> hall.resolve("replay%d.csv".formatted(replay))))
                .allMatch(Files::exists);
    }
}
