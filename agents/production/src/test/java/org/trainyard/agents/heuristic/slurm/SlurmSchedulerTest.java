package org.trainyard.agents.heuristic.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/** Slurm's rules on the simulator: schedules worked out on paper, and jobs of a real Slurm. */
class SlurmSchedulerTest {
    private static final int PHASES = 9;
    private static final Topology ONE_SERVER = Objects.requireNonNull(Topologies.parse("1x8"));

    /**
     * Job 1 wants the whole server, and is planned for 120 s, where the minutes of job 0 end. Job 2 would run into
     * that. Job 3 would not: the backfill loop, which ran at 10 s, starts it at 40 s. Job 0 ends early, at 100 s.
     */
    @Test
    void a_job_passes_a_wide_one_only_if_it_ends_before_its_planned_start() {
        TimedJobs jobs =
                TimedJobs.list().job(4, 0, 100).job(8, 10, 100).job(4, 20, 200).job(4, 30, 30);

        assertThat(TimedJobs.endSeconds(jobs.run(ONE_SERVER, "slurm", 0))).containsExactly(100L, 200L, 400L, 70L);
    }

    /**
     * Five GPUs are three on each of two servers, of which one stays idle: beside two on the third server there is room
     * for four single ones, and none for the fifth until 50 s.
     */
    @Test
    void a_gang_holds_as_many_gpus_on_each_of_its_servers() {
        Topology three = Objects.requireNonNull(Topologies.parse("3x4"));
        TimedJobs jobs = TimedJobs.list().job(2, 0, 50).job(5, 1, 50);
        for (int single = 0; single < 5; single++) {
            jobs.job(1, 1, 50);
        }

        assertThat(TimedJobs.endSeconds(jobs.run(three, "slurm", 0)))
                .containsExactly(50L, 51L, 51L, 51L, 51L, 51L, 100L);
    }

    /** As above it, but the better job comes after 100 s of ten minutes in which nobody is preempted. */
    @Test
    void a_job_is_exempt_from_preemption_for_the_time_that_its_qos_says(@TempDir Path folder) throws IOException {
        Path conf = Files.write(
                folder.resolve("slurm.conf"),
                List.of("SchedulerType=sched/backfill", "PreemptType=preempt/qos", "PreemptMode=REQUEUE"));
        Files.write(
                folder.resolve("qos.txt"),
                List.of(
                        "Name|Priority|GraceTime|Preempt|PreemptExemptTime|PreemptMode",
                        "low|0|00:00:30||00:10:00|",
                        "high|100|00:00:00|low||"));
        TimedJobs jobs = TimedJobs.list()
                .job(8, 0, 1_000)
                .saying(terms -> terms.qos("low"))
                .job(8, 100, 50)
                .saying(terms -> terms.qos("high"));

        RunResult run = jobs.run(ONE_SERVER, "slurm:" + conf, 0);

        assertThat(run.jobs().stream()
                        .filter(job -> job.job().id() == 1)
                        .map(job -> job.firstStartNanos() / TimedJobs.SECOND))
                .allSatisfy(start -> assertThat(start).isBetween(600L, 604L))
                .hasSize(1);
        assertThat(SchedulerRegistry.named("slurm:" + conf).caveat())
                .contains("qos.txt, GraceTime: has no effect here")
                .doesNotContain("PreemptExemptTime");
    }

    @Test
    void a_job_starts_on_nodes_with_the_features_that_it_asks_for(@TempDir Path folder) throws IOException {
        Path conf = Files.write(
                folder.resolve("slurm.conf"),
                List.of(
                        "NodeName=a1 CPUs=8 Gres=gpu:4 Features=ib,old",
                        "NodeName=a2 CPUs=8 Gres=gpu:4 Features=ib",
                        "PartitionName=p Nodes=ALL Default=YES"));
        TimedJobs jobs = TimedJobs.list()
                .job(4, 0, 100)
                .saying(terms -> terms.features("ib&old"))
                .job(4, 1, 100)
                .saying(terms -> terms.features("old|none"))
                .job(1, 2, 100);

        RunResult run = jobs.run(Objects.requireNonNull(Topologies.parse("2x4")), "slurm:" + conf, 0);

        assertThat(run.jobs().stream().map(job -> job.firstStartNanos() / TimedJobs.SECOND))
                .satisfiesExactlyInAnyOrder(
                        start -> assertThat(start).isBetween(0L, 3L),
                        start -> assertThat(start).isBetween(2L, 6L),
                        start -> assertThat(start).isBetween(100L, 105L));
    }

    /**
     * Job 0 holds 80 of 100 GiB and 4 of 16 CPUs: beside it there is room for the 20 GiB of job 1, and none for job 2.
     */
    @Test
    void memory_and_cores_are_free_apart_from_each_other() {
        TimedJobs jobs = TimedJobs.list();
        for (int gib : new int[] {80, 20, 1}) {
            jobs.job(Demand.ofGpus(1).withHost(4_000, 1024L * gib), 0, 100);
        }

        RunResult run = jobs.run(Objects.requireNonNull(Topologies.parse("1x8+16cpu+100gib")), "slurm", 0);

        assertThat(TimedJobs.endSeconds(run)).containsExactly(100L, 100L, 200L);
    }

    @Test
    void nodes_that_are_added_are_like_the_last_one_and_in_its_partitions() {
        SlurmFiles files = new SlurmFiles(
                "slurm.conf",
                List.of(
                        "NodeName=n[1-2] NodeAddr=host[1-2] CPUs=8 Gres=gpu:a100:4",
                        "PartitionName=few Nodes=n1",
                        "PartitionName=all Nodes=n[1-2] Default=YES"),
                null,
                null,
                null,
                null);

        assertThat(files.grown(3, Integer.MAX_VALUE).conf())
                .containsExactly(
                        "NodeName=n[1-2] NodeAddr=host[1-2] CPUs=8 Gres=gpu:a100:4",
                        "NodeName=added[1-3] CPUs=8 Gres=gpu:a100:4",
                        "PartitionName=few Nodes=n1",
                        "PartitionName=all Nodes=n[1-2],added[1-3] Default=YES");
        assertThat(files.grown(3, Integer.MAX_VALUE)
                        .cluster()
                        .partition("all")
                        .nodes()
                        .cardinality())
                .isEqualTo(5);
    }

    @Test
    void a_job_of_a_better_qos_takes_the_gpus_of_another_which_waits_two_minutes(@TempDir Path folder)
            throws IOException {
        Path conf = Files.write(
                folder.resolve("slurm.conf"),
                List.of("SchedulerType=sched/backfill", "PreemptType=preempt/qos", "PreemptMode=REQUEUE"));
        Files.write(
                folder.resolve("qos.txt"), List.of("Name|Priority|Preempt|PreemptMode", "low|0||", "high|100|low|"));
        TimedJobs jobs = TimedJobs.list()
                .job(8, 0, 1_000)
                .saying(terms -> terms.qos("low"))
                .job(8, 100, 50)
                .saying(terms -> terms.qos("high"));

        RunResult result = jobs.run(ONE_SERVER, "slurm:" + conf, 0);

        assertThat(result.jobs().get(0).preemptions()).isEqualTo(1);
        // Requeued at 100 s, it may start 121 s later with 900 s to go.
        assertThat(TimedJobs.endSeconds(result)).containsExactly(1_121L, 150L);
    }

    @Test
    void a_path_without_a_file_and_a_partition_of_unknown_nodes_are_refused(@TempDir Path folder) throws IOException {
        assertThatThrownBy(() -> SchedulerRegistry.named("slurm:" + folder.resolve("none.conf")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("none.conf");
        Path conf = Files.write(folder.resolve("slurm.conf"), List.of("PartitionName=gpu Nodes=n[01-08]"));
        assertThatThrownBy(() -> SchedulerRegistry.named("slurm:" + conf).create(ONE_SERVER, 1))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("n01");
    }

    /**
     * The jobs as they became eligible, for as long as they ran; the mean of runs with other phases of the loops. Two
     * recordings of the same jobs have mean waits of 208 and 200 s (FIFO), 82 and 81 s (backfill).
     */
    @ParameterizedTest
    @ValueSource(strings = {"R1b", "R2b"})
    void jobs_of_a_recording_wait_as_long_as_under_the_real_slurm(String run) throws IOException {
        Path folder = Path.of(System.getProperty("trainyard.root", ".")).resolve("../shared/data/slurm_real/" + run);
        assumeThat(folder)
                .as("the recordings of a real Slurm are not beside this checkout")
                .isDirectory();
        List<Map<String, String>> rows = recorded(folder.resolve("sacct.txt"));
        Map<String, Map<String, Double>> decided = decided(folder.resolve("decisions.csv"));
        double past = rows.stream()
                .map(row -> Objects.requireNonNull(decided.get(text(row, "JobID"))))
                .mapToDouble(at -> seconds(at, "start") - seconds(at, "submit"))
                .average()
                .orElseThrow();
        Topology cluster = Objects.requireNonNull(Topologies.parse("8x4"));
        double waited = 0;
        for (int phase = 0; phase < PHASES; phase++) {
            RunResult result = jobs(rows, decided, phase).run(cluster, "slurm:" + folder.resolve("slurm.conf"), 0);
            waited += result.jobs().stream()
                    .mapToLong(SlurmSchedulerTest::waitNanos)
                    .average()
                    .orElseThrow();
        }
        assertThat(waited / PHASES / 1e9).isCloseTo(past, Percentage.withPercentage(5));
    }

    private static TimedJobs jobs(List<Map<String, String>> rows, Map<String, Map<String, Double>> decided, int phase) {
        TimedJobs jobs = TimedJobs.list();
        for (Map<String, String> row : rows) {
            Map<String, Double> at = Objects.requireNonNull(decided.get(text(row, "JobID")));
            double ran = seconds(at, "end") - seconds(at, "start");
            jobs.jobOfNanos(
                            text(row, "JobID"),
                            gpus(text(row, "ReqTRES")),
                            Math.round(1e9 * (seconds(at, "submit") + 0.37 * phase)),
                            Math.round(1e9 * ran))
                    .limited(Math.max(seconds(text(row, "Timelimit")), (long) Math.ceil(ran)))
                    .saying(terms ->
                            terms.nodes(Integer.parseInt(text(row, "NNodes"))).partition(text(row, "Partition")));
        }
        return jobs;
    }

    private static double seconds(Map<String, Double> at, String event) {
        return Objects.requireNonNull(at.get(event), event);
    }

    /** By job, when it was submitted, started and ended. */
    private static Map<String, Map<String, Double>> decided(Path decisions) throws IOException {
        Map<String, Map<String, Double>> jobs = new TreeMap<>();
        List<String> lines = Files.readAllLines(decisions);
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",", -1);
            jobs.computeIfAbsent(cells[2], any -> new TreeMap<>())
                    .put(cells[1].equals("timeout") ? "end" : cells[1], Double.parseDouble(cells[0]));
        }
        return jobs;
    }

    private static long waitNanos(JobOutcome job) {
        return job.firstStartNanos() - job.job().submitNanos();
    }

    /** The rows of jobs that ran, in order of submission. */
    private static List<Map<String, String>> recorded(Path sacct) throws IOException {
        List<String> lines = Files.readAllLines(sacct);
        String[] names = lines.get(0).split("\\|", -1);
        List<Map<String, String>> rows = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] values = line.split("\\|", -1);
            Map<String, String> row = new TreeMap<>();
            for (int i = 0; i < names.length; i++) {
                row.put(names[i], values[i]);
            }
            if (!values[0].contains(".") && text(row, "Start").startsWith("2")) {
                rows.add(row);
            }
        }
        rows.sort(Comparator.comparing((Map<String, String> row) -> text(row, "Eligible")));
        return rows;
    }

    private static String text(Map<String, String> row, String name) {
        return Objects.requireNonNull(row.get(name), name);
    }

    private static int gpus(String tres) {
        return Integer.parseInt(tres.replaceFirst(".*gres/gpu=(\\d+).*", "$1"));
    }

    private static long seconds(String span) {
        String[] parts = span.split(":", -1);
        return Long.parseLong(parts[0]) * 3_600 + Long.parseLong(parts[1]) * 60 + Long.parseLong(parts[2]);
    }
}
