package org.trainyard.experiments.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.TrainyardProcess;
import org.trainyard.experiments.report.Chromium;

class AdviseCommandTest {
    private static final String LOG = Path.of(
                    System.getProperty("trainyard.root", ".."), "env/logs/src/test/resources/traces/sacct.csv")
            .toString();

    @TempDir
    Path folder;

    @Test
    void a_log_of_slurm_is_answered_in_words() {
        Shell shell = Shell.command("advise %s --cluster 8x8:A100 --metric p95-wait", LOG);

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out())
                .contains(
                        "Past: 19 jobs",
                        "Nearest: ",
                        "Trust: ",
                        "Answer: ",
                        "p95 wait",
                        "as it was",
                        "= learned and 1 more")
                .doesNotContain("learned policy does not place");
    }

    @Test
    @Timeout(120)
    void who_interrupts_it_is_told_how_it_goes_on() throws Exception {
        Path out = folder.resolve("answer");
        Path said = folder.resolve("said");
        Process process = TrainyardProcess.start(
                said, List.of("advise", inOrder().toString(), "--cluster", "1x4", "--out", out.toString()));
        while (process.isAlive() && !Files.exists(out)) {
            Thread.sleep(5);
        }
        process.destroy();

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(said).content().endsWith("interrupted; the same command goes on\n");
    }

    /** Ninety jobs of three and of one GPU that a server of four ran strictly in order of submission. */
    private Path inOrder() throws IOException {
        return inOrder(4);
    }

    /** @param there GPUs of the server */
    private Path inOrder(int there) throws IOException {
        List<String> rows = new ArrayList<>(List.of("JobID|State|Submit|Start|End|Timelimit|AllocTRES|ReqTRES|User"));
        DateTimeFormatter time = DateTimeFormatter.ISO_LOCAL_DATE_TIME;
        LocalDateTime first = LocalDateTime.of(2026, 1, 7, 0, 0, 0);
        long[] ends = new long[there];
        long start = 0;
        for (int job = 0; job < 90; job++) {
            int gpus = job % 3 == 2 ? 1 : 3;
            int seconds = 1000 + 37 * (job % 7);
            Arrays.sort(ends);
            start = Math.max(start, Math.max(60L * job, ends[gpus - 1]));
            Arrays.fill(ends, 0, gpus, start + seconds);
            rows.add("%d|COMPLETED|%s|%s|%s|01:00:00|gres/gpu=%d|gres/gpu=%d|u%d"
                    .formatted(
                            job + 1,
                            time.format(first.plusSeconds(60L * job)),
                            time.format(first.plusSeconds(start)),
                            time.format(first.plusSeconds(start + seconds)),
                            gpus,
                            gpus,
                            job % 4));
        }
        return Files.write(folder.resolve("order.txt"), rows);
    }

    @Test
    void a_log_of_slurm_is_answered_by_settings_of_slurm_before_what_preempts() throws IOException {
        String answer = Shell.command("advise %s --cluster 1x4", inOrder()).out();

        assertThat(answer).contains("Answer: ", "slurm.conf: ").doesNotContain("Kueue", "Volcano, ");
        assertThat(answer.lines().skip(1).findFirst())
                .hasValueSatisfying(first -> assertThat(first)
                        .startsWith("Answer: ")
                        .contains("would change", "slurm.conf: ", "it costs no preemptions"));
        assertThat(answer.indexOf("Answer: ")).isLessThan(answer.indexOf("Trust: "));
        assertThat(answer.split("Trust: ", 2)[0]).doesNotContain("preemptions a month");
    }

    @Test
    void a_log_of_a_larger_cluster_is_refused_unless_an_answer_is_wanted_all_the_same() throws IOException {
        Path log = inOrder(8);

        Shell refused = Shell.command("advise %s --cluster 1x4", log);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err())
                .isEqualTo(
                        "trainyard: --cluster: '1x4' is not valid: expected the cluster of this log, whose jobs held 8 GPUs"
                                + " at once; this one has 4 (--partial answers all the same)\n");
        assertThat(Shell.command("advise %s --cluster 1x4 --partial", log).out())
                .contains(
                        "Trust: weak, of only 90 jobs; ",
                        "174 % of the GPUs held",
                        "Note: Jobs of the log held 8 GPUs at once");
    }

    @Test
    void a_log_of_kubernetes_is_answered_by_settings_of_its_managers() {
        Path pods = Path.of(LOG).resolveSibling("pods.json");

        Shell shell = Shell.command("advise %s --cluster 15x8:A100 --json", pods);

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out()).contains("Kueue, ClusterQueue: ").doesNotContain("slurm.conf: ");
    }

    @Test
    void slurm_as_the_clusters_file_configures_it_is_compared_and_keys_without_effect_are_named() throws Exception {
        Path conf = Files.write(
                folder.resolve("slurm.conf"),
                List.of("SchedulerType=sched/backfill", "SchedulerParameters=bf_interval=5,bf_licenses"));

        Shell shell = Shell.command("advise %s --cluster 8x8:A100 --slurm %s --json", LOG, conf);

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.err()).contains("slurm:" + conf + ": SchedulerParameters bf_licenses: has no effect here");
        JsonNode ranking = new ObjectMapper().readTree(shell.out()).get("schedulers");
        assertThat(ranking.findValuesAsText("name")).contains("slurm:" + conf);
    }

    @Test
    void kueue_as_its_yaml_says_is_compared() throws Exception {
        Path yaml = Files.writeString(folder.resolve("kueue.yaml"), """
                apiVersion: kueue.x-k8s.io/v1beta1
                kind: ResourceFlavor
                metadata: {name: all}
                ---
                apiVersion: kueue.x-k8s.io/v1beta1
                kind: ClusterQueue
                metadata: {name: main}
                spec:
                  namespaceSelector: {}
                  resourceGroups:
                  - coveredResources: [nvidia.com/gpu]
                    flavors:
                    - name: all
                      resources: [{name: nvidia.com/gpu, nominalQuota: 64}]
                """);

        Shell shell = Shell.command("advise %s --cluster 8x8:A100 --kueue %s --json", LOG, yaml);

        assertThat(shell.code()).as(shell.err()).isZero();
        JsonNode ranking = new ObjectMapper().readTree(shell.out()).get("schedulers");
        assertThat(ranking.findValuesAsText("name")).contains("kueue:" + yaml);
        Shell both = Shell.command("advise %s --cluster 8x8 --kueue %s --search", LOG, yaml);
        assertThat(both.code()).isEqualTo(2);
        assertThat(both.err()).contains("--kueue");
    }

    @ParameterizedTest
    @CsvSource({"R1b, 1.0", "R2b, 0.8"})
    void the_log_of_a_real_slurm_is_slurm_with_its_configuration_and_nothing_is_fitted(String run, double atLeast)
            throws Exception {
        assertIsSlurm(run, atLeast);
    }

    @Tag("thorough")
    @Test
    void the_log_of_a_real_slurm_with_priorities_is_slurm_with_its_configuration() throws Exception {
        assertIsSlurm("R3", 0.7);
    }

    private static void assertIsSlurm(String run, double atLeast) throws Exception {
        Path recording = recording(run);

        JsonNode answer = answer(recording.resolve("sacct.txt"));

        assertThat(answer.get("nearest_as").asText()).isEqualTo("slurm:" + recording.resolve("slurm.conf"));
        assertThat(answer.get("trust").asText()).isEqualTo("good");
        assertThat(answer.get("fitted").asBoolean()).isFalse();
        assertThat(answer.get("starts_within_60s").asDouble()).isGreaterThanOrEqualTo(atLeast);
        if (!run.equals("R1b")) {
            assertThat(answer.get("cycle_starts_equal").asDouble()).isGreaterThan(0.96);
        }
    }

    @ParameterizedTest
    @CsvSource({"R4s", "R5b"})
    void a_slurm_that_preempts_waits_alike_in_advise_in_shadow_and_as_logged_and_errors_are_as_they_are(String run)
            throws Exception {
        Path recording = recording(run);
        String slurm = "slurm:" + recording.resolve("slurm.conf");
        Path out = folder.resolve("run");
        JsonNode answer = answer(recording.resolve("sacct.txt"));
        Shell shadow = Shell.command(
                "shadow %s --cluster 8x4:A100 --scheduler %s --json", recording.resolve("sacct.txt"), slurm);
        Shell logged = Shell.command(
                "simulate --trace %s --cluster 8x4:A100 --scheduler %s --as-logged --out %s",
                recording.resolve("sacct.txt"), slurm, out);

        assertThat(shadow.code()).as(shadow.err()).isZero();
        assertThat(logged.code()).as(logged.err()).isZero();
        double wait = wait(answer, slurm);
        assertThat(new ObjectMapper()
                        .readTree(shadow.out())
                        .at("/whole/shadow/wait_s/mean")
                        .asDouble())
                .isCloseTo(wait, within(1e-6));
        assertThat(new ObjectMapper()
                        .readTree(out.resolve("summary.json").toFile())
                        .at("/schedulers/0/wait_s/mean")
                        .asDouble())
                .isCloseTo(wait, within(1e-6));
        double past = answer.at("/past/wait_s/mean").asDouble();
        assertThat(answer.get("mean_error_unfitted").asDouble()).isCloseTo(Math.abs(wait / past - 1), within(1e-9));
        assertThat(answer.get("tolerance_s").asDouble()).isEqualTo(60);
    }

    private static double wait(JsonNode answer, String scheduler) {
        for (JsonNode one : answer.get("schedulers")) {
            if (one.get("name").asText().equals(scheduler)) {
                return one.at("/wait_s/mean").asDouble();
            }
        }
        throw new AssertionError(scheduler + " did not run");
    }

    @Test
    void a_log_of_strict_fifo_without_its_configuration_is_slurm_with_the_builtin_scheduler() throws Exception {
        Path log = Files.copy(recording("R1b").resolve("sacct.txt"), folder.resolve("sacct.txt"));

        JsonNode answer = answer(log);

        assertThat(answer.get("nearest_as").asText()).isEqualTo("slurm (sched/builtin)");
        assertThat(answer.get("trust").asText()).isEqualTo("good");
    }

    private static JsonNode answer(Path log) throws Exception {
        Shell shell = Shell.command("advise %s --cluster 8x4:A100 --limit 0.2 --json", log);
        assertThat(shell.code()).as(shell.err()).isZero();
        return new ObjectMapper().readTree(shell.out());
    }

    /** The folder of a recording of a real Slurm; the test is skipped where it is absent. */
    private static Path recording(String run) {
        Path recording = Path.of(System.getProperty("trainyard.root", ".."))
                .resolve("../shared/data/slurm_real/" + run)
                .toAbsolutePath()
                .normalize();
        assumeThat(recording).exists();
        return recording;
    }

    @Test
    void a_folder_gets_the_answer_and_a_report_of_the_past_and_of_the_schedulers_compared() throws Exception {
        Path out = folder.resolve("answer");
        Shell shell = Shell.command("advise %s --cluster 8x8:A100 --out %s", LOG, out);

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.err()).contains("Report: " + out.resolve("report.html"));
        assertThat(out.resolve("answer.txt")).hasContent(shell.out());
        JsonNode answer = new ObjectMapper().readTree(out.resolve("answer.json").toFile());
        assertThat(Files.readAllLines(out.resolve("series.csv")).stream()
                        .skip(1)
                        .map(line -> line.split(",", -1)[0]))
                .contains(
                        "as it was",
                        answer.get("nearest_as").asText(),
                        answer.at("/schedulers/0/name").asText());
        String page = Chromium.dump(folder, out.resolve("report.html").toUri().toString());
        assertThat(page)
                .contains(
                        "<b>Past</b>: 19 jobs",
                        "<b>Answer</b>",
                        "<h2>The cluster over time</h2>",
                        "<h3>GPUs held</h3>",
                        "<h2>Wait by GPUs</h2>",
                        "<th>as it was</th>")
                .doesNotContain("This chart failed");
    }

    @Test
    void machines_get_the_past_the_nearest_and_all_schedulers() throws IOException {
        Shell shell = Shell.command("advise %s --cluster 8x8:A100 --json", LOG);
        JsonNode json = new ObjectMapper().readTree(shell.out());

        assertThat(shell.code()).as(shell.err()).isZero();
        for (String figure : new String[] {"mean", "median", "p95", "p99"}) {
            assertThat(json.at("/past/wait_s/" + figure).isNumber()).as(figure).isTrue();
            assertThat(json.at("/reproduced/jct_s/" + figure).isNumber())
                    .as(figure)
                    .isTrue();
        }
        assertThat(json.get("trust").asText()).isIn("good", "fair", "weak");
        assertThat(json.get("schedulers").size()).isGreaterThan(30);
        assertThat(json.get("no_answer").asText()).startsWith("none; ");
        assertThat(json.get("best").isNull()).isTrue();
    }

    @Test
    void rows_that_cannot_be_read_are_in_the_answer_of_machines(@TempDir Path dir) throws IOException {
        String log = Files.readString(Path.of(LOG));
        Path bad = Files.writeString(dir.resolve("bad.txt"), log.replaceFirst("gres/gpu=1,", "gres/gpu=many,"));
        Shell shell = Shell.command("advise %s --cluster 8x8:A100 --json", bad);
        JsonNode answer = new ObjectMapper().readTree(shell.out());

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(answer.get("notes")).anyMatch(note -> note.asText().contains("bad.txt:2, reqtres"));
        assertThat(answer.get("left_out"))
                .anyMatch(one -> one.get("reason").asText().equals("without GPUs"));
    }

    /** Sixty jobs of a server with four GPUs, one after the other, with a type of GPU that each asks for. */
    private Path serial(String type) throws IOException {
        List<String> lines = new ArrayList<>(List.of("job,submit_s,gpus,duration_s,start_s,end_s,gpu_types"));
        for (int job = 0; job < 60; job++) {
            lines.add("j%d,%d,4,100,%d,%d,%s".formatted(job, 90 * job, 100 * job, 100 * job + 100, type));
        }
        return Files.write(folder.resolve("log.csv"), lines);
    }

    @Test
    void the_type_of_a_cluster_may_follow_a_blank_as_in_tables() throws IOException {
        String log = serial("").toString();

        Shell shell = Shell.command("advise %s --cluster %s --json", log, "1x4 A100");

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out())
                .isEqualTo(Shell.command("advise %s --cluster 1x4:A100 --json", log)
                        .out());
    }

    @Test
    void a_log_on_a_cluster_of_other_servers_than_its_own_is_answered() throws IOException {
        Shell shell = Shell.command("advise %s --cluster 24x8", serial(""));

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out())
                .contains("60 jobs on 24x8: 192 GPUs", "Past: 60 jobs", "Answer: none; 100 % of the wait");
    }

    @Test
    void servers_of_several_widths_are_answered_and_a_scheduler_that_turns_a_job_away_is_named() throws IOException {
        List<String> cluster = new ArrayList<>(List.of(
                "type: Graph",
                "name: mixed",
                "shape: clos",
                "nvlink: {gigabytes_per_second: 150, latency_micros: 1}",
                "pcie: {gigabytes_per_second: 12, latency_micros: 2}",
                "kinds:"));
        for (int gpus : new int[] {2, 4, 8}) {
            cluster.add(("  - {id: k%d, server: {gpus: %d, gpu_type: A100, sockets: 1, nvlink: true, cpu_milli: null,"
                            + " memory_mib: null, sharing: whole}}")
                    .formatted(gpus, gpus));
        }
        cluster.addAll(List.of("switches:", "  - {id: leaf, tier: leaf}", "servers:"));
        int[] widths = {4, 2, 8, 4};
        for (int server = 0; server < widths.length; server++) {
            cluster.add("  - {id: n%d, kind: k%d}".formatted(server, widths[server]));
        }
        cluster.add("links:");
        for (int server = 0; server < widths.length; server++) {
            cluster.add("  - {from: n%d, to: leaf, gigabytes_per_second: 12.5, latency_micros: 5, count: 1}"
                    .formatted(server));
        }
        Path topology = Files.write(folder.resolve("mixed.yaml"), cluster);
        Path log = Files.write(
                folder.resolve("mixed.csv"),
                List.of("job,submit_s,gpus,duration_s,start_s,end_s", "a,0,14,100,0,100", "b,1,1,100,100,200"));

        Shell shell = Shell.command("advise %s --cluster %s", log, topology);

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out())
                .contains("Answer: ")
                .containsPattern("Not compared: .*kueue.*it never starts 1 job, such as a of 14 GPUs");
    }

    @Test
    void jobs_that_ask_for_a100s_on_a_cluster_of_h100s_are_said() throws IOException {
        Shell shell = Shell.command("advise %s --cluster 1x4:H100", serial("A100"));

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err())
                .contains("--cluster", "60 jobs ask for GPUs of type A100, which 1x4", "lacks")
                .hasLineCount(1);
    }

    @Test
    void where_half_of_the_log_cannot_be_read_trust_falls() throws IOException {
        Path log = serial("");
        String whole = trust(log);
        List<String> lines = new ArrayList<>(Files.readAllLines(log));
        for (int job = 0; job < 60; job++) {
            lines.add("k%d,%d,many,100,%d,%d,".formatted(job, 90 * job, 100 * job, 100 * job + 100));
        }
        Files.write(log, lines);

        assertThat(whole).isEqualTo("good");
        assertThat(trust(log)).isEqualTo("weak");
    }

    private static String trust(Path log) throws IOException {
        Shell shell = Shell.command("advise %s --cluster 1x4 --json", log);
        assertThat(shell.code()).as(shell.err()).isZero();
        return new ObjectMapper().readTree(shell.out()).get("trust").asText();
    }

    @ParameterizedTest
    @CsvSource({
        "no-such-file, 8x8:A100, mean-wait, no-such-file",
        "'', 8x8:A100, p59-wait, p95-wait",
        "'', 8x8:A1000, mean-wait, A1000"
    })
    void wrong_input_is_answered_in_a_line(String log, String cluster, String metric, String fragment) {
        Shell shell = Shell.command("advise %s --cluster %s --metric %s", log.isEmpty() ? LOG : log, cluster, metric);

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).contains(fragment).hasLineCount(1);
        assertThat(shell.out()).isEmpty();
    }

    @Test
    void who_pays_and_what_managers_run_are_named() throws IOException {
        Shell shell =
                Shell.command("advise %s --cluster 1x4 --constraint %s --json", inOrder(), "p95 of >=3 GPUs: 10 %");

        assertThat(shell.code()).as(shell.err()).isZero();
        JsonNode answer = new ObjectMapper().readTree(shell.out());
        assertThat(answer.get("best_configurable").asText())
                .isIn("fifo", "fifo-backfill", "easy", "conservative", "slurm", "kueue");
        assertThat(answer.get("best").asText())
                .isEqualTo(answer.at("/schedulers/0/name").asText());
        assertThat(answer.get("bound").asText()).isEqualTo("p95 of >=3 GPUs: 10 %");
        assertThat(answer.get("within_bound").isEmpty())
                .isEqualTo(answer.get("best_within_bound").isNull());
        assertThat(answer.get("pays").findValuesAsText("by")).contains("gpus", "user");
        for (JsonNode group : answer.get("pays")) {
            assertThat(group.get("then").get("wait_s").get("mean").asDouble()).isNotNegative();
        }
        assertThat(answer.get("fitted").isBoolean()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"p95 of >=16 GPUs", "best of all: 1 %", "p95 of account: 10 %"})
    void a_bound_that_says_nothing_is_refused_in_a_line(String bound) {
        Shell shell = Shell.command("advise %s --cluster 8x8:A100 --constraint %s", LOG, bound);

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).hasLineCount(1).contains("--constraint", "p95 of >=16 GPUs: 10 %");
    }

    /** Eighty jobs of all GPUs of two nodes, of which a partition has one, in the order in which they came. */
    private Path ofPartitions() throws IOException {
        List<String> rows = new ArrayList<>(List.of("job,submit_s,gpus,duration_s,user,partition,limit_s"));
        for (int job = 0; job < 80; job++) {
            boolean isDebug = job % 4 == 3;
            rows.add("j%d,%d,%d,%d,u%d,%s,%d"
                    .formatted(job, 600 * job, isDebug ? 4 : 8, 700, job % 2, isDebug ? "debug" : "gpu", 900));
        }
        Files.write(
                folder.resolve("slurm.conf"),
                List.of(
                        "PriorityType=priority/multifactor",
                        "PriorityWeightAge=1000",
                        "NodeName=n[1-2] CPUs=8 Gres=gpu:4",
                        "PartitionName=gpu Nodes=n[1-2] Default=YES",
                        "PartitionName=debug Nodes=n2"));
        return Files.write(folder.resolve("log.csv"), rows);
    }

    @Test
    void settings_that_gain_nothing_for_certain_are_kept_and_a_driver_without_partitions_is_no_equal()
            throws IOException {
        String answer = Shell.command("advise %s --cluster 2x4 --limit 0.1", ofPartitions())
                .out();

        assertThat(answer)
                .contains("Answer: keep your settings; no setting of Slurm tried ")
                .contains("With a driver, without preemption: ")
                .contains(
                        "; not on equal terms with Slurm, for 20 jobs of partition debug run on any server of the type there.")
                .doesNotContain("slurm (SchedulerParameters=", "Answer: slurm");
    }

    /**
     * Starts up to 40 s later than in order: the replay of today waits less than the log, and that is no gain of
     * anybody.
     */
    @Test
    void who_pays_and_what_is_gained_is_told_against_a_replay_of_today() throws IOException {
        List<String> rows = new ArrayList<>(List.of("job,submit_s,gpus,duration_s,start_s,end_s,user"));
        for (int job = 0; job < 60; job++) {
            int start = 100 * job + 10 * (job % 5);
            rows.add("j%d,%d,4,100,%d,%d,u%d".formatted(job, 90 * job, start, start + 100, job % 2));
        }
        Path log = Files.write(folder.resolve("late.csv"), rows);
        JsonNode answer = new ObjectMapper()
                .readTree(Shell.command("advise %s --cluster 1x4 --json", log).out());

        double simulated = answer.at("/reproduced/wait_s/mean").asDouble();
        assertThat(answer.at("/past/wait_s/mean").asDouble()).isGreaterThan(simulated + 15);
        assertThat(answer.get("keep").asText()).isEqualTo("fifo");
        double sum = 0;
        int jobs = 0;
        String best = answer.get("best").asText();
        for (JsonNode group : answer.get("pays")) {
            if (group.get("by").asText().equals("user")
                    && group.get("scheduler").asText().equals(best)) {
                sum += group.get("jobs").asInt() * group.at("/now/wait_s/mean").asDouble();
                jobs += group.get("jobs").asInt();
            }
        }
        assertThat(jobs).isEqualTo(60);
        assertThat(sum / jobs).isCloseTo(simulated, within(1e-6));
    }

    /**
     * Sixty jobs that a server of 8 GPUs, 64 CPUs and 512 GiB ran strictly in order: what each waits is counted by
     * hand.
     */
    private Path inOrderOfVectors(long seed, boolean isMemory) throws IOException {
        List<String> rows =
                new ArrayList<>(List.of("JobID|State|Submit|Start|End|Timelimit|AllocTRES|ReqTRES|User|NNodes"));
        LocalDateTime first = LocalDateTime.of(2026, 1, 7, 0, 0, 0);
        var random = RandomStreams.stream(seed, "vectors");
        List<int[]> ran = new ArrayList<>();
        int submit = 0;
        int start = 0;
        for (int job = 0; job < 60; job++) {
            submit += 60 + random.nextInt(1740);
            int seconds = 600 + random.nextInt(6600);
            int gpus = 1 << random.nextInt(3);
            int cpus = isMemory ? 4 : 16 << random.nextInt(3);
            int gib = isMemory ? 128 << random.nextInt(3) : 32;
            start = Math.max(start, submit);
            while (!fits(ran, start, gpus, cpus, gib)) {
                start = next(ran, start);
            }
            ran.add(new int[] {start, start + seconds, gpus, cpus, gib});
            String held = "cpu=%d,mem=%dG,node=1,gres/gpu=%d".formatted(cpus, gib, gpus);
            rows.add("%d|COMPLETED|%s|%s|%s|04:00:00|%s|%s|u%d|1"
                    .formatted(
                            job + 1,
                            first.plusSeconds(submit),
                            first.plusSeconds(start),
                            first.plusSeconds(start + seconds),
                            held,
                            held,
                            job % 4));
        }
        return Files.write(folder.resolve("vectors.txt"), rows);
    }

    private static boolean fits(List<int[]> ran, int now, int gpus, int cpus, int gib) {
        int[] left = {8 - gpus, 64 - cpus, 512 - gib};
        for (int[] job : ran) {
            for (int kind = 0; kind < 3 && job[1] > now; kind++) {
                left[kind] -= job[2 + kind];
            }
        }
        return Arrays.stream(left).allMatch(free -> free >= 0);
    }

    private static int next(List<int[]> ran, int now) {
        return ran.stream()
                .mapToInt(job -> job[1])
                .filter(end -> end > now)
                .min()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({"1, true", "2, true", "5, false"})
    void no_gain_is_promised_where_cpus_or_memory_of_jobs_held_them_whatever_replay_is_near_by_chance(
            long seed, boolean isMemory) throws IOException {
        Path log = inOrderOfVectors(seed, isMemory);

        String unsaid =
                Shell.command("advise %s --cluster 1x8 --limit 0.1", log).out();
        String said = Shell.command("advise %s --cluster 1x8+64cpu+512gib --limit 0.1", log)
                .out();

        assertThat(unsaid)
                .contains("Answer: none; ", "no scheduler that Slurm, Kueue or Volcano runs explains it", "Trust: weak")
                .doesNotContain("would change");
        assertThat(said).contains("Trust: good", "the mean wait is off by 0 % and the p95 by 0 %");
        assertThat(Shell.command("shadow %s --cluster 1x8 --scheduler easy", log)
                        .out())
                .contains("no gain that is promised")
                .doesNotContain("saved");
    }

    /** The users are in the lines of who waits longest and of who pays. */
    @Test
    void names_that_are_orders_to_a_terminal_are_harmless() throws IOException {
        String log = Files.readString(inOrder()).replaceAll("u(\\d)\n", "u$1\u001b[31mred\u009b0m\n");
        String answer = Shell.command("advise %s --cluster 1x4", Files.writeString(folder.resolve("named.txt"), log))
                .out();

        assertThat(answer).contains("?[31mred?0m").doesNotContainPattern("[\\p{Cc}&&[^\n]]");
    }
}
