package org.trainyard.env.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.HostShare;
import org.trainyard.env.workload.LeftOut;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.LogFormat;
import org.trainyard.env.workload.log.LogFormats;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.env.workload.log.TraceReader.Options;

/** One small log of every kind of fault that logs have. */
class LogKindsTest {
    private static final double SECOND = 1e9;
    private static final String HEADER = "JobID|JobName|User|Cluster|State|Submit|Start|End|AllocTRES|ReqTRES\n";

    @TempDir
    Path dir;

    private Trace read(String text, Options options) throws IOException {
        return TraceReader.read(Files.writeString(dir.resolve("log.txt"), text), options);
    }

    private Trace read(String text) throws IOException {
        return read(text, Options.DEFAULT);
    }

    private static Options columns(String table) {
        return new Options(LogFormats.named(table), null, true);
    }

    private static String row(String id, String name, String state, String start, String end, String tres) {
        return "%s|%s|ann|c1|%s|2026-03-02T08:00:00|2026-03-02T%s|2026-03-02T%s|%s|%s\n"
                .formatted(id, name, state, start, end, tres, tres);
    }

    private static List<String> leftOut(Trace trace) {
        return trace.leftOut().stream()
                .map(left -> left.jobs() + " " + left.reason())
                .toList();
    }

    private static double wait(TraceJob job) {
        return (Objects.requireNonNull(job.past()).startNanos() - job.submitNanos()) / SECOND;
    }

    @ParameterizedTest
    @ValueSource(strings = {"|", ";", "\t"})
    void any_separator_will_do_and_a_name_may_have_it(String separator) throws IOException {
        String log = HEADER
                + row("1", "a", "COMPLETED", "08:05:00", "09:05:00", "gres/gpu=2")
                + row("2", "x | y", "COMPLETED", "08:05:00", "09:05:00", "gres/gpu=2");

        Trace trace = read(log.replace("|", separator));

        assertThat(trace.format().label()).isEqualTo("sacct");
        assertThat(trace.jobs()).extracting(TraceJob::gpus).containsExactly(2, 2);
    }

    @Test
    void a_job_goes_on_after_a_requeue_and_an_id_that_is_used_again_is_another_job() throws IOException {
        String gpus = "gres/gpu=2";
        Trace trace = read(HEADER
                + row("1", "a", "PREEMPTED", "08:10:00", "08:20:00", gpus)
                + row("1", "a", "NODE_FAIL", "08:30:00", "08:40:00", gpus)
                + row("1", "a", "COMPLETED", "08:50:00", "09:00:00", gpus)
                + row("2", "a", "COMPLETED", "08:10:00", "08:20:00", gpus)
                + row("2", "b", "COMPLETED", "08:30:00", "08:40:00", gpus)
                + row("3", "a", "REQUEUED", "08:10:00", "08:20:00", gpus)
                + row("3", "b", "COMPLETED", "08:30:00", "08:40:00", gpus)
                + row("4", "a", "COMPLETED", "08:10:00", "08:20:00", gpus)
                + row("4", "a", "COMPLETED", "08:10:00", "08:20:00", gpus)
                + row("5", "a", "COMPLETED", "08:10:00", "08:20:00", gpus).replace("|c1|", "|c2|"));

        assertThat(trace.jobs())
                .extracting(TraceJob::id)
                .containsExactlyInAnyOrder("c1/1", "c1/2", "c1/2#2", "c1/3", "c1/3#2", "c1/4", "c2/5");
        TraceJob chain = trace.jobs().get(0);
        assertThat(chain.durationNanos() / SECOND).isEqualTo(1800);
        assertThat(Objects.requireNonNull(chain.past()).facts().restarts()).isEqualTo(2);
        assertThat(trace.oddities()).anyMatch(said -> said.startsWith("1 row is there twice"));
    }

    @Test
    void parts_of_gpus_count_as_parts_or_are_left_out_by_that_reason() throws IOException {
        String log = HEADER
                + row("1", "a", "COMPLETED", "08:05:00", "09:05:00", "gres/gpu:a100_3g.20gb=2,gres/gpu=2")
                + row("2", "a", "COMPLETED", "08:05:00", "09:05:00", "gres/gpu:nvidia_a30_1g.6gb=1")
                + row("3", "a", "COMPLETED", "08:05:00", "09:05:00", "cpu=2,gres/shard=3")
                + row("4", "a", "COMPLETED", "08:05:00", "09:05:00", "gres/mps=50")
                + row("5", "a", "COMPLETED", "08:05:00", "09:05:00", "gres/npu=4")
                + row("6", "a", "COMPLETED", "08:05:00", "09:05:00", "cpu=4");

        Trace trace = read(log);
        Trace shards =
                read(log, new Options(null, null, true, Long.MAX_VALUE, bytes -> {}, null, null, 4, 0, false, false));

        assertThat(trace.jobs()).extracting(TraceJob::gpus).containsExactly(2, 1, 1);
        assertThat(trace.jobs()).extracting(job -> job.demand().gpuMilli()).containsExactly(429, 250, 500);
        assertThat(leftOut(trace))
                .containsExactlyInAnyOrder(
                        "1 with parts of GPUs (shard): --shards N says how many are a GPU",
                        "1 with resources that are not read as GPUs (gres/npu)",
                        "1 without GPUs");
        assertThat(shards.jobs().get(2).demand().gpuMilli()).isEqualTo(750);
    }

    @Test
    void clocks_may_differ_by_seconds_be_put_back_and_hang_in_a_zone() throws IOException {
        String skewed = HEADER + row("1", "a", "COMPLETED", "07:59:56", "09:00:00", "gres/gpu=1");
        String night = HEADER
                + "1|a|ann|c|COMPLETED|2026-10-25T02:30:00|2026-10-25T02:50:00|2026-10-25T02:10:00|gres/gpu=1|\n";
        String mixed = HEADER
                + row("1", "a", "COMPLETED", "08:05:00", "09:00:00", "gres/gpu=1")
                + row("2", "a", "COMPLETED", "08:05:00", "09:00:00", "gres/gpu=1")
                        .replace(":00|", ":00+01:00|");

        assertThat(wait(read(skewed).jobs().get(0))).isZero();
        assertThat(read(night).jobs().get(0).durationNanos() / SECOND).isEqualTo(1200);
        assertThat(read(night).oddities()).anyMatch(said -> said.contains("daylight saving"));
        assertThat(read(night, Options.DEFAULT.in(ZoneId.of("Europe/Berlin"))).oddities())
                .noneMatch(said -> said.contains("daylight saving"));
        assertThat(read(mixed).badLines().get(0).toString()).contains("--zone");
        assertThat(read(mixed, Options.DEFAULT.in(ZoneId.of("Europe/Berlin"))).jobs())
                .hasSize(2);
    }

    @Test
    void old_and_new_json_of_sacct_say_the_same() throws IOException {
        String old = """
            {"meta": {}, "jobs": [{"job_id": 7, "name": "a", "user": "ann", "cluster": "c", "array": {"job_id": 0, "task_id": 0},
             "het": {"job_id": 0, "job_offset": null}, "state": {"current": "COMPLETED", "reason": "None"}, "qos": "high",
             "time": {"submission": 1709539200, "eligible": 1709539260, "start": 1709539290, "end": 1709542890, "limit": 90},
             "nodes": "n[1-2]", "tres": {"allocated": [{"type": "gres", "name": "gpu", "count": 4}], "requested": []}}]}
            """;
        String young = old.replace("\"COMPLETED\"", "[\"COMPLETED\"]")
                .replace("\"limit\": 90", "\"limit\": {\"set\": true, \"infinite\": false, \"number\": 90}");

        TraceJob job = read(old).jobs().get(0);

        assertThat(read(young).jobs()).containsExactly(job);
        assertThat(job.gpus()).isEqualTo(4);
        assertThat(wait(job)).isEqualTo(30);
        assertThat(job.terms().qos()).isEqualTo("high");
        assertThat(job.terms().limitNanos() / SECOND).isEqualTo(5400);
        assertThat(Objects.requireNonNull(job.past()).facts().nodeList()).isEqualTo("n[1-2]");
        assertThat(job.past().facts().heldNanos() / SECOND).isEqualTo(60);
    }

    private static String pod(String name, String labels, String owner, String limits, String status) {
        return """
            {"kind": "Pod", "metadata": {"name": "%s", "namespace": "ml", "uid": "%s", "creationTimestamp": "2026-03-02T08:00:00Z",
             "labels": {%s}, "ownerReferences": [%s]}, "spec": {"containers": [{"resources": {"limits": {%s}}}]},
             "status": {"conditions": [{"type": "PodScheduled", "status": "True", "lastTransitionTime": "2026-03-02T08:01:00Z"}%s}}
            """.formatted(name, name, labels, owner, limits, status).replace("\n", " ") + "\n";
    }

    private static String ended(String time) {
        return "], \"phase\": \"Succeeded\", \"containerStatuses\": [{\"state\": {\"terminated\": {\"finishedAt\": \"2026-03-02T%sZ\"}}}]"
                .formatted(time);
    }

    private static String owner(String kind, String name) {
        return "{\"kind\": \"%s\", \"name\": \"%s\", \"uid\": \"u\", \"controller\": true}".formatted(kind, name);
    }

    @Test
    void gangs_follow_their_labels_and_controllers_and_replicas_are_jobs_of_their_own() throws IOException {
        String gpus = "\"nvidia.com/gpu\": \"8\"";
        String end = ended("09:00:00");
        Trace trace = read(pod(
                        "s-0",
                        "\"jobset.sigs.k8s.io/jobset-name\": \"set\", \"job-name\": \"s-0\"",
                        owner("Job", "s-0"),
                        gpus,
                        end)
                + pod(
                        "s-1",
                        "\"jobset.sigs.k8s.io/jobset-name\": \"set\", \"job-name\": \"s-1\"",
                        owner("Job", "s-1"),
                        gpus,
                        end)
                + pod("r-0", "", owner("ReplicaSet", "web"), gpus, end)
                + pod("r-1", "", owner("ReplicaSet", "web"), gpus, end)
                + pod("w-0", "", owner("Workflow", "wf"), gpus, end)
                + pod("p-0", "", owner("PyTorchJob", "pt"), gpus, end)
                + pod("p-1", "", owner("PyTorchJob", "pt"), gpus, end)
                + pod("j-0", "", owner("Job", "par"), gpus, end)
                + pod("j-1", "", owner("Job", "par"), gpus, end)
                + pod(
                        "l-0",
                        "\"leaderworkerset.sigs.k8s.io/name\": \"lws\", \"leaderworkerset.sigs.k8s.io/group-index\":"
                                + " \"0\"",
                        "",
                        gpus,
                        end)
                + pod(
                        "l-1",
                        "\"leaderworkerset.sigs.k8s.io/name\": \"lws\", \"leaderworkerset.sigs.k8s.io/group-index\":"
                                + " \"1\"",
                        "",
                        gpus,
                        end));

        assertThat(trace.jobs())
                .extracting(job -> job.id() + " " + job.gpus())
                .containsExactlyInAnyOrder(
                        "ml/set 16",
                        "ml/r-0 8",
                        "ml/r-1 8",
                        "ml/w-0 8",
                        "ml/pt 16",
                        "ml/par 16",
                        "ml/lws-0 8",
                        "ml/lws-1 8");
    }

    @Test
    void shares_claims_other_accelerators_and_evictions_of_pods_are_named() throws IOException {
        String evicted =
                ", {\"type\": \"Ready\", \"status\": \"False\", \"lastTransitionTime\": \"2026-03-02T08:31:00Z\"}],"
                        + " \"phase\": \"Failed\", \"reason\": \"Evicted\"";
        Trace trace = read(pod(
                        "hami",
                        "",
                        "",
                        "\"nvidia.com/gpu\": 1, \"nvidia.com/gpucores\": 30, \"nvidia.com/gpumem\": 3000",
                        ended("09:00:00"))
                + pod("mig", "", "", "\"nvidia.com/mig-1g.5gb\": 1", ended("09:00:00"))
                + pod("npu", "", "", "\"huawei.com/Ascend910\": 8", ended("09:00:00"))
                + pod("web", "", "", "\"cpu\": 8", ended("09:00:00"))
                + pod("slice", "", "", "\"nvidia.com/gpu.shared\": 1", ended("09:00:00"))
                + pod("evicted", "", "", "\"nvidia.com/gpu\": 4", evicted)
                + pod("lost", "", "", "\"nvidia.com/gpu\": 4", "], \"phase\": \"Failed\""));

        assertThat(trace.jobs()).extracting(job -> job.demand().gpuMilli()).containsExactly(300, 143, 1000);
        assertThat(trace.jobs().get(2).durationNanos() / SECOND).isEqualTo(1800);
        assertThat(leftOut(trace))
                .containsExactlyInAnyOrder(
                        "1 with resources that are not read as GPUs (huawei.com/Ascend910)",
                        "1 without GPUs",
                        "1 with parts of GPUs (time slicing): --gpu-replicas N says how many are a GPU",
                        "1 whose end is unknown");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "job_id,num_gpu,submit_time,duration,worker_num ! worker_num",
                "1|COMPLETED|2026-03-02T08:00:00|2026-03-02T08:00:00|gres/gpu=1 ! --noheader",
                "JobID       JobName  Partition ! sacct -P",
                "job_name,inst_id,user,status,start_time,end_time ! pai_task_table",
                "sn,cpu_milli,memory_mib,gpu,model ! list of machines",
                "who,when_submitted,gpu_count,submit_time,duration ! num_gpu: gpu_count",
                "JobID|State|Submit|Start|End|Elapsed ! also alloctres",
                "[{\"kind\": \"Job\", \"metadata\": {}, \"spec\": {}}] ! kubectl get pods",
            })
    void what_is_not_read_is_refused_by_its_name_and_says_what_to_do(String header, String saying) {
        assertThatThrownBy(() -> read(header + "\n1,1,1,1,1\n"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(saying)
                .extracting(e -> String.valueOf(e.getMessage()).lines().count())
                .isEqualTo(1L);
    }

    @Test
    void a_table_that_nobody_foresaw_is_read_as_its_columns_are_explained() throws IOException {
        Trace trace = read(
                "id;who;gpus_per_node;n;sent_ms;began;done\n7;ann;4;2;5000;10;110\n8;bob;0;2;5000;10;110\n",
                columns("job=id,user=who,gpus=gpus_per_node*n,submit=sent_ms/1000,start=began,end=done"));

        assertThat(trace.format().label()).isEqualTo("columns");
        assertThat(trace.jobs()).extracting(TraceJob::gpus).containsExactly(8);
        assertThat(trace.jobs().get(0).durationNanos() / SECOND).isEqualTo(100);
        assertThat(wait(trace.jobs().get(0))).isEqualTo(5);
        assertThat(leftOut(trace)).containsExactly("1 without GPUs");
    }

    /**
     * A job is begun anew without a row of its own, as by {@code scontrol requeue}, and the last row counts them all.
     */
    @Test
    void restarts_are_those_that_the_last_row_of_a_job_knows() throws IOException {
        String gpus = "gres/gpu=2";
        Trace trace = read(HEADER.replace("\n", "|Restarts\n")
                + row("1", "a", "PREEMPTED", "08:10:00", "08:20:00", gpus).replace("\n", "|0\n")
                + row("1", "a", "COMPLETED", "08:30:00", "08:40:00", gpus).replace("\n", "|3\n"));

        assertThat(trace.jobs()).hasSize(1);
        assertThat(Objects.requireNonNull(trace.jobs().get(0).past()).facts().restarts())
                .isEqualTo(3);
    }

    /** Half a GPU from 08:01 on, when the log ends at 10:01. */
    @Test
    void parts_of_gpus_that_are_left_out_count_as_parts_of_gpu_hours() throws IOException {
        Trace trace = read(pod("ended", "", "", "\"nvidia.com/gpu\": 1", ended("10:01:00"))
                + pod(
                        "lost",
                        "",
                        "",
                        "\"nvidia.com/gpu\": 1, \"nvidia.com/gpucores\": 50, \"nvidia.com/gpumem\": 3000",
                        "], \"phase\": \"Failed\""));

        assertThat(trace.leftOut()).containsExactly(new LeftOut("whose end is unknown", 1, 1.0));
    }

    private static final Options KEEPING_LOADS =
            new Options(null, null, true, Long.MAX_VALUE, bytes -> {}, null, null, 0, 0, true, false);

    private static String pbs(int id, String resources) {
        return "03/04/2024 09:00:00;E;%d.pbs;user=ann ctime=1709539200 start=1709539230 end=1709542830 %s\n"
                .formatted(id, resources);
    }

    private static String condor(int id, String resources) {
        return ("{\"ClusterId\": %d, \"QDate\": 1709539200, \"JobStartDate\": 1709539230,"
                        + " \"CompletionDate\": 1709542830 %s}\n")
                .formatted(id, resources);
    }

    private static String gridEngine(int id, String category, int slots) {
        return "all.q:n:g:ann:job:%d:sge:0:1709539200:1709539230:1709542830:0:0%s:NONE:d:smp:%d:0:1:1:1:%s:0:NONE:1:0:0\n"
                .formatted(id, ":0".repeat(18), slots, category);
    }

    /** What a job held that asked for CPUs and memory alone, a job with GPUs, and a job of which nothing is known. */
    @Test
    void jobs_without_gpus_are_loads_of_the_cpus_and_memory_that_every_manager_names() throws IOException {
        Map<String, String> logs = Map.of(
                "pbs",
                pbs(1, "Resource_List.ncpus=64 Resource_List.mem=3gb Resource_List.nodect=2")
                        + pbs(2, "Resource_List.ncpus=8 Resource_List.ngpus=2 Resource_List.mem=2097152kb")
                        + pbs(3, "Resource_List.walltime=01:00:00"),
                "condor",
                condor(1, ", \"RequestCpus\": 64, \"RequestMemory\": 3072")
                        + condor(2, ", \"RequestCpus\": 8, \"RequestMemory\": 2048, \"RequestGpus\": 2")
                        + condor(3, ""),
                "grid-engine",
                gridEngine(1, "-pe smp 64", 64) + gridEngine(2, "-l gpu=2 -pe smp 8", 8) + gridEngine(3, "", 0));
        for (Map.Entry<String, String> log : logs.entrySet()) {
            Trace trace = read(log.getValue(), KEEPING_LOADS);
            boolean saysMemory = !log.getKey().equals("grid-engine");

            assertThat(trace.format().label()).isEqualTo(log.getKey());
            assertThat(trace.jobs()).extracting(TraceJob::gpus).containsExactly(0, 2);
            assertThat(trace.jobs())
                    .extracting(job -> job.of(HostShare.class))
                    .containsExactly(
                            new HostShare(64_000, saysMemory ? 3072 : 0), new HostShare(8_000, saysMemory ? 2048 : 0));
            assertThat(trace.jobs()).extracting(job -> wait(job)).containsOnly(30.0);
            assertThat(leftOut(trace)).containsExactly("1 without GPUs");
            assertThat(leftOut(read(log.getValue()))).containsExactly("2 without GPUs");
        }
        assertThat(read(logs.get("pbs"), KEEPING_LOADS).jobs().get(0).terms().nodes())
                .isEqualTo(2);
    }

    @Test
    void a_log_that_names_no_gpus_says_why_also_where_its_jobs_are_loads() throws IOException {
        Trace pbs = read(pbs(1, "Resource_List.ncpus=64") + pbs(2, "Resource_List.ncpus=8"), KEEPING_LOADS);
        Trace slurm = read(HEADER + row("1", "a", "COMPLETED", "08:05:00", "09:05:00", "cpu=64"), KEEPING_LOADS);

        assertThat(pbs.jobs()).hasSize(2);
        assertThat(pbs.oddities())
                .anyMatch(said -> said.startsWith("2 jobs hold CPUs and memory alone: no record names ngpus"));
        assertThat(slurm.jobs()).hasSize(1);
        assertThat(slurm.oddities())
                .anyMatch(said -> said.startsWith("1 job holds CPUs and memory alone: no row names gres/gpu"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "cpus=c,memory_mib=mem_gib*1024 ! 64000 3072 ! 8500 2048",
                "cpus=tasks*4 ! 64000 0 ! 8000 0",
                "memory_mib=mem_gib*1024 ! 0 3072 ! 0 2048",
            })
    void columns_say_the_cpus_and_memory_of_jobs_with_and_without_gpus(String more, String load, String held)
            throws IOException {
        String log =
                "id;g;c;tasks;mem_gib;sent;began;done\n1;0;64;16;3;0;30;130\n2;2;8.5;2;2;5;35;135\n3;0;;;;5;35;135\n";
        LogFormat format = LogFormats.named("job=id,gpus=g,submit=sent,start=began,end=done," + more);

        Trace trace =
                read(log, new Options(format, null, true, Long.MAX_VALUE, bytes -> {}, null, null, 0, 0, true, false));

        assertThat(trace.jobs()).extracting(TraceJob::gpus).containsExactly(0, 2);
        assertThat(trace.jobs())
                .extracting(job -> Objects.requireNonNull(job.of(HostShare.class)))
                .extracting(share -> share.cpuMilli() + " " + share.memoryMib())
                .containsExactly(load, held);
        assertThat(leftOut(trace)).containsExactly("1 without GPUs");
        assertThat(leftOut(read(log, new Options(format, null, true)))).containsExactly("2 without GPUs");
        assertThatThrownBy(() -> read(
                        log.replace(";16;3;", ";many;-3;").replace(";64;", ";-64;"), new Options(format, null, true)))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("0 or more");
    }

    @Test
    void slots_of_lsf_are_cpus() throws IOException {
        String job =
                "\"JOB_FINISH\" \"10.1\" 1709542830 %d 1 1 2 1709539200 0 0 1709539230 \"ann\" \"q\" \"%s\" \"\" \"\""
                        + " \"l\" \"/h\" \"\" \"\" \"\" \"j\" 0 2 \"32*n1\" \"n2\" 64 60.0 \"name\" \"run\" 1 0 0 0\n";
        Trace trace = read(job.formatted(1, "") + job.formatted(2, "rusage[ngpus_physical=1]"), KEEPING_LOADS);

        assertThat(trace.format().label()).isEqualTo("lsf");
        assertThat(trace.jobs()).extracting(TraceJob::gpus).containsExactly(0, 2);
        assertThat(trace.jobs()).extracting(one -> one.of(HostShare.class)).containsOnly(new HostShare(33_000, 0));
        assertThat(trace.jobs().get(0).terms().nodes()).isEqualTo(2);
        assertThat(leftOut(read(job.formatted(1, "") + job.formatted(2, "rusage[ngpus=1]"))))
                .containsExactly("1 without GPUs");
    }
}
