package org.trainyard.experiments.truth;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An operator's Slurm, described in full by the files that its own commands print, with the truth beside: jobs with GPU
 * types, arrays, cancelled jobs and jobs at their limits; three partitions, four QOS with MaxTRESPU, fair share of 14
 * users in 4 accounts, maintenance every Saturday; and a log that ends while jobs run and wait.
 */
final class OperatorsCluster {
    private static final long STEP = 600;
    private static final long LAST_DAY = 86_400;

    private final OperatorsSettings settings;
    private final List<TrueJob> jobs;
    private final long end;

    private OperatorsCluster(OperatorsSettings settings, List<TrueJob> jobs, long end) {
        this.settings = settings;
        this.jobs = jobs;
        this.end = end;
    }

    /** Plays a cluster; the log ends in its last day, when about as many jobs wait as the settings say. */
    static OperatorsCluster of(OperatorsSettings settings) {
        List<TrueJob> jobs = SlurmTruth.run(settings);
        long last = settings.lastSeconds();
        long end = last;
        for (long at = last; at > last - LAST_DAY; at -= STEP) {
            end = distance(jobs, settings, at) < distance(jobs, settings, end) ? at : end;
        }
        return new OperatorsCluster(settings, jobs, end);
    }

    private static long distance(List<TrueJob> jobs, OperatorsSettings settings, long at) {
        return Math.abs(waiting(jobs, at).size() - settings.pending())
                + Math.abs(running(jobs, at).size() - settings.running());
    }

    private static List<TrueJob> waiting(List<TrueJob> jobs, long at) {
        return jobs.stream()
                .filter(job -> job.submit <= at && !job.isStarted(at) && !job.isEnded(at))
                .toList();
    }

    /** When its log ends, seconds since 1970. */
    long endSeconds() {
        return end;
    }

    /** Jobs of the log, in order of submission. */
    List<TrueJob> logged() {
        return jobs.stream().filter(job -> job.submit <= end).toList();
    }

    /** Jobs that wait when the log ends; some are cancelled later and never start. */
    List<TrueJob> waiting() {
        return waiting(jobs, end);
    }

    /** Jobs that run when the log ends. */
    List<TrueJob> running() {
        return running(jobs, end);
    }

    private static List<TrueJob> running(List<TrueJob> jobs, long at) {
        return jobs.stream()
                .filter(job -> job.isStarted(at) && !job.isEnded(at))
                .toList();
    }

    /** The mean wait of the jobs that started before an instant, seconds. */
    double meanWaitSeconds(long until) {
        return jobs.stream()
                .filter(job -> job.isStarted(until))
                .mapToDouble(job -> job.start - job.submit)
                .average()
                .orElse(0);
    }

    /** Mean waits by account, seconds. */
    Map<String, Double> meanWaitsByAccount(long until) {
        Map<String, Double> waits = new TreeMap<>();
        for (String account : settings.shares().keySet()) {
            waits.put(
                    account,
                    jobs.stream()
                            .filter(job -> job.account.equals(account) && job.isStarted(until))
                            .mapToDouble(job -> job.start - job.submit)
                            .average()
                            .orElse(0));
        }
        return waits;
    }

    /**
     * Writes slurm.conf, qos.txt, assoc.txt, sacct.txt, squeue.txt, reservations.txt (what scontrol show reservation
     * prints), cluster.yaml, and truth.txt, which says when the jobs that run or wait at the end start and end.
     *
     * @return the log
     */
    Path write(Path folder) throws IOException {
        Files.createDirectories(folder);
        write(folder, "slurm.conf", configuration());
        write(folder, "qos.txt", qos());
        write(folder, "assoc.txt", associations());
        write(folder, "squeue.txt", queue());
        write(folder, "reservations.txt", reservations());
        write(folder, "cluster.yaml", topology());
        write(folder, "truth.txt", truth());
        return write(folder, "sacct.txt", accounting());
    }

    private static Path write(Path folder, String file, List<String> lines) throws IOException {
        return Files.writeString(folder.resolve(file), String.join("\n", lines) + "\n");
    }

    private List<String> configuration() {
        OperatorsSettings.Weights weights = settings.weights();
        String a100 = "a[01-%02d]".formatted(settings.a100());
        String h100 = "h[01-%02d]".formatted(settings.h100());
        return List.of(
                "ClusterName=hall",
                "SlurmctldHost=head",
                "SelectType=select/cons_tres",
                "SelectTypeParameters=CR_Core_Memory",
                "SchedulerType=sched/backfill",
                "SchedulerParameters=bf_interval=30,bf_window=5760,bf_resolution=60,bf_max_job_test=1000,bf_continue,"
                        + "bf_job_part_count_reserve=1",
                "PriorityType=priority/multifactor",
                "PriorityDecayHalfLife=7-0",
                "PriorityMaxAge=7-0",
                "PriorityWeightAge=" + weights.age(),
                "PriorityWeightFairshare=" + weights.fairshare(),
                "PriorityWeightQOS=" + weights.qos(),
                "PriorityWeightPartition=" + weights.partition(),
                "AccountingStorageType=accounting_storage/slurmdbd",
                "AccountingStorageEnforce=associations,limits,qos",
                "AccountingStorageTRES=gres/gpu,gres/gpu:a100,gres/gpu:h100",
                "GresTypes=gpu",
                "NodeName=%s CPUs=128 RealMemory=1000000 Gres=gpu:a100:8 State=UNKNOWN".formatted(a100),
                "NodeName=%s CPUs=192 RealMemory=2000000 Gres=gpu:h100:8 State=UNKNOWN".formatted(h100),
                "PartitionName=gpu Nodes=%s Default=YES MaxTime=3-0 PriorityJobFactor=10 State=UP".formatted(a100),
                "PartitionName=h100 Nodes=%s MaxTime=2-0 PriorityJobFactor=10 State=UP".formatted(h100),
                "PartitionName=debug Nodes=a[%02d-%02d] MaxTime=01:00:00 PriorityJobFactor=100 State=UP"
                        .formatted(settings.a100() - 1, settings.a100()));
    }

    private List<String> qos() {
        List<String> lines = new ArrayList<>();
        lines.add("Name|Priority|Flags|UsageFactor|GrpTRES|MaxTRES|MaxWall|MaxTRESPU|MaxJobsPU");
        Map.of("low", 0, "normal", 10, "high", 50, "debug", 100).entrySet().stream()
                .sorted(Map.Entry.comparingByValue())
                .forEach(one -> lines.add("%s|%d||1.000000||||gres/gpu=%d|"
                        .formatted(
                                one.getKey(),
                                one.getValue(),
                                settings.maxGpusPerUser().get(one.getKey()))));
        return lines;
    }

    private List<String> associations() {
        List<String> lines = new ArrayList<>();
        lines.add("Cluster|Account|ParentName|User|Share|GrpTRES|MaxJobs|QOS");
        lines.add("hall|root|||1|||");
        new TreeMap<>(settings.shares()).forEach((account, share) -> {
            lines.add("hall|%s|root||%d|||".formatted(account, share));
            jobs.stream()
                    .filter(job -> job.account.equals(account))
                    .map(job -> job.user)
                    .distinct()
                    .sorted()
                    .forEach(user -> lines.add("hall|%s||%s|1|||debug,high,low,normal".formatted(account, user)));
        });
        return lines;
    }

    private List<String> accounting() {
        List<String> lines = new ArrayList<>();
        lines.add("JobID|JobIDRaw|JobName|User|Account|Partition|QOS|State|ExitCode|Submit|Eligible|Start|End|Elapsed"
                + "|Timelimit|AllocTRES|ReqTRES|NNodes|NodeList|Reason");
        for (TrueJob job : logged()) {
            lines.add(row(job));
            if (job.isStarted(end)) {
                lines.add("%s.batch|%d.batch|batch||%s|||%s|0:0|%s|%s|%s|%s|%s||%s||1|%s|"
                        .formatted(
                                job.id,
                                job.number,
                                job.account,
                                job.state(end).split(" ")[0],
                                time(job.start),
                                time(job.start),
                                time(job.start),
                                job.isEnded(end) ? time(job.end) : "Unknown",
                                length(Math.min(end, job.end) - job.start),
                                "cpu=%d,gres/gpu=%d,node=1".formatted(job.cpus() / job.nodes(), job.perNode()),
                                name(job.servers[0])));
            }
        }
        return lines;
    }

    private String row(TrueJob job) {
        boolean began = job.isStarted(end);
        boolean isOver = job.isEnded(end);
        // Of a job that was cancelled before it began, sacct prints no start.
        return String.join(
                "|",
                job.id,
                "" + job.number,
                job.name,
                job.user,
                job.account,
                job.partition,
                job.qos,
                job.state(end),
                job.state(end).equals("FAILED") ? "1:0" : "0:0",
                time(job.submit),
                time(job.submit),
                began ? time(job.start) : isOver ? "None" : "Unknown",
                isOver ? time(job.end) : "Unknown",
                length(began ? Math.min(end, job.end) - job.start : 0),
                length(job.limit),
                began ? tres(job, job.partition.equals("h100") ? "h100" : "a100") : "",
                tres(job, job.type),
                "" + job.nodes(),
                began ? nodes(job) : "None assigned",
                began || isOver ? "None" : "Priority");
    }

    private List<String> queue() {
        List<String> lines = new ArrayList<>();
        lines.add(
                "JOBID|ARRAY_JOB_ID|ARRAY_TASK_ID|STATE|USER|ACCOUNT|PARTITION|QOS|NAME|SUBMIT_TIME|START_TIME|END_TIME"
                        + "|TIME_LIMIT|TRES_PER_NODE|NODES|NODELIST(REASON)");
        List<TrueJob> open = new ArrayList<>(running());
        open.addAll(waiting());
        open.sort(Comparator.comparingInt(job -> job.number));
        for (TrueJob job : open) {
            boolean began = job.isStarted(end);
            int task = job.id.indexOf('_');
            lines.add(String.join(
                    "|",
                    job.id,
                    task < 0 ? "" + job.number : job.id.substring(0, task),
                    task < 0 ? "N/A" : job.id.substring(task + 1),
                    job.state(end),
                    job.user,
                    job.account,
                    job.partition,
                    job.qos,
                    job.name,
                    time(job.submit),
                    began ? time(job.start) : "N/A",
                    began ? time(job.start + job.limit) : "N/A",
                    length(job.limit),
                    "gres/gpu:%s%d".formatted(job.type == null ? "" : job.type + ":", job.perNode()),
                    "" + job.nodes(),
                    began ? nodes(job) : "(Priority)"));
        }
        return lines;
    }

    private List<String> reservations() {
        List<String> lines = new ArrayList<>();
        int count = settings.a100() + settings.h100();
        for (OperatorsSettings.Window window : settings.windows()) {
            if (window.endSeconds() > end) {
                lines.add("ReservationName=maintenance StartTime=%s EndTime=%s Duration=%s"
                        .formatted(
                                time(window.startSeconds()),
                                time(window.endSeconds()),
                                length(window.endSeconds() - window.startSeconds())));
                lines.add("   Nodes=a[01-%02d],h[01-%02d] NodeCnt=%d CoreCnt=%d Features=(null) PartitionName=(null)"
                        .formatted(
                                settings.a100(),
                                settings.h100(),
                                count,
                                settings.a100() * 128 + settings.h100() * 192));
                lines.add("     Flags=MAINT,IGNORE_JOBS,WEEKLY,SPEC_NODES,ALL_NODES");
                lines.add("   TRES=cpu=%d".formatted(settings.a100() * 128 + settings.h100() * 192));
                lines.add(
                        "   Users=root Groups=(null) Accounts=(null) Licenses=(null) State=INACTIVE BurstBuffer=(null)");
                lines.add("   MaxStartDelay=(null)");
                break;
            }
        }
        return lines.isEmpty() ? List.of("No reservations in the system") : lines;
    }

    private List<String> topology() {
        String racks =
                "  - {count: %d, servers: %d, uplinks: 4, server: {gpus: 8, gpu_type: %s, sockets: 2, nvlink: true,"
                        + " cpu_milli: %d, memory_mib: %d, sharing: whole}}";
        return List.of(
                "type: Tree",
                "name: hall",
                "fabric:",
                "  nvlink: {gigabytes_per_second: 300, latency_micros: 1}",
                "  pcie: {gigabytes_per_second: 12, latency_micros: 2}",
                "  nic: {gigabytes_per_second: 12.5, latency_micros: 5}",
                "  tor: {gigabytes_per_second: 10, latency_micros: 6}",
                "  spine: {gigabytes_per_second: 5, latency_micros: 8}",
                "racks:",
                racks.formatted(1, settings.a100(), "A100", 128_000, 1_000_000),
                racks.formatted(1, settings.h100(), "H100", 192_000, 2_000_000),
                "racks_per_pod: 2",
                "pod_uplinks: 4");
    }

    private List<String> truth() {
        List<String> lines = new ArrayList<>();
        lines.add("JobID|State|Start|End");
        for (TrueJob job : logged()) {
            if (!job.isEnded(end)) {
                lines.add("%s|%s|%s|%s"
                        .formatted(
                                job.id,
                                job.state(end),
                                job.start == TrueJob.NEVER ? "None" : time(job.start),
                                job.end == TrueJob.NEVER ? "None" : time(job.end)));
            }
        }
        return lines;
    }

    private static String tres(TrueJob job, @Nullable String type) {
        String typed = type == null ? "" : ",gres/gpu:%s=%d".formatted(type, job.gpus);
        return "billing=%d,cpu=%d%s,gres/gpu=%d,mem=%dG,node=%d"
                .formatted(job.cpus(), job.cpus(), typed, job.gpus, job.gpus * 100, job.nodes());
    }

    private String nodes(TrueJob job) {
        return String.join(",", IntStream.of(job.servers).mapToObj(this::name).toList());
    }

    private String name(int server) {
        return server < settings.a100()
                ? "a%02d".formatted(server + 1)
                : "h%02d".formatted(server - settings.a100() + 1);
    }

    private static String time(long seconds) {
        return LocalDateTime.ofEpochSecond(seconds, 0, ZoneOffset.UTC)
                .format(DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss"));
    }

    private static String length(long seconds) {
        long days = seconds / 86_400;
        String clock = "%02d:%02d:%02d".formatted(seconds % 86_400 / 3600, seconds % 3600 / 60, seconds % 60);
        return days == 0 ? clock : days + "-" + clock;
    }
}
