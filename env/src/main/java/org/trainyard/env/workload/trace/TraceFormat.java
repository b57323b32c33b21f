package org.trainyard.env.workload.trace;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.adaptive.AdaptiveTrainingRun;
import org.trainyard.env.workload.trace.batch.GavelRows;
import org.trainyard.env.workload.trace.batch.SwfRows;
import org.trainyard.env.workload.trace.kubernetes.PodRows;
import org.trainyard.env.workload.trace.log.Meaning;
import org.trainyard.env.workload.trace.log.Table;
import org.trainyard.env.workload.trace.log.TraceColumns;
import org.trainyard.env.workload.trace.log.TraceRow;
import org.trainyard.env.workload.trace.slurm.SlurmColumns;

/**
 * The formats of traces and logs that can be read, each a named set of columns.
 *
 * <p>A file's format is the first one here all of whose required columns are in the header, unless the header has a column that multiplies or restricts what jobs ask for and that the format
 * does not know; other columns may be there. So Muri's (milliseconds) comes before Tiresias' (seconds), whose columns it contains.
 */
public enum TraceFormat {
    /**
     * Our own: everything a {@link TraceJob} says. Submissions and starts are seconds, or instants in ISO 8601 with a zone, which are made relative to the earliest submission.
     * The optional columns may be missing or empty; those of {@link DemandColumns} say what a job demands beyond whole GPUs, {@code utility} is
     * the label of a {@link org.trainyard.env.workload.utility.JobUtility}, {@code freezing} that of {@link org.trainyard.env.workload.freezing.FreezingTerms}, and those of
     * {@link TermColumns} say what else a job said and what its log knows of its run.
     */
    TRAINYARD("trainyard", List.of("job", "submit_s", "gpus", "duration_s"), OwnRow.OPTIONAL),

    /** Slurm's accounting, as {@code sacct -P} and {@code sacct --json} print it. */
    SACCT("sacct", SlurmColumns.ACCOUNTED, SlurmColumns.optional()),

    /** The job table of Slurm's database, as a dump; MIT SuperCloud (S. Samsi et al., HPEC 2021) publishes its log as one. */
    SLURM_TABLE("slurm-table", SlurmColumns.STORED, SlurmColumns.optional()),

    /** Slurm's queue, as {@code squeue} prints it by a format with bars, and {@code squeue --json} or {@code scontrol show job --json}. */
    SQUEUE("squeue", SlurmColumns.QUEUED, SlurmColumns.optional()),

    /** Jobs of Slurm as {@code scontrol show job -o} prints them. */
    SCONTROL("scontrol", List.of("JobId=", "JobState=", "SubmitTime=", "StartTime=", "EndTime="), List.of()),

    /** Pods of Kubernetes: what {@code kubectl get pods -o json} prints, or a table with these columns. See {@link PodRows}. */
    KUBERNETES("kubernetes", List.of("pod", "gpus", "created", "scheduled", "finished"), PodRows.COLUMNS),

    /** The accounting log of PBS, a record a line. */
    PBS("pbs", List.of("date;E;job;ctime=", "start=", "end=", "Resource_List.ngpus="), List.of()),

    /** LSF: its accounting file {@code lsb.acct}, or {@code bjobs -a -json -o "..."} with these columns. */
    LSF(
            "lsf",
            Table.of(
                    "job=jobid,state=stat,submit=submit_time,start=start_time,end=finish_time,gpus=gpu_num,user=user?,partition=queue?,group=job_name?,account=proj_name?,node_list=exec_host?,ignore=job_name"
                            + " gpu_alloc gpu_mode run_time pend_time from_host nexec_host nalloc_slot slots")),

    /** HTCondor's history, as {@code condor_history -json} or {@code -long} prints it. */
    CONDOR("condor", List.of("ClusterId", "ProcId", "QDate", "RequestGpus"), List.of()),

    /** The Standard Workload Format of the Parallel Workloads Archive. */
    SWF("swf", SwfRows.COLUMNS, List.of()),

    /** Workloads of Batsim, JSON. */
    BATSIM("batsim", List.of("id", "subtime", "res", "profile"), List.of()),

    /** What Batsim writes of the jobs of a run. */
    BATSIM_JOBS(
            "batsim-jobs",
            Table.of(
                    "job=job_id,submit=submission_time,gpus=requested_number_of_resources,start=starting_time,end=finish_time,state=final_state?,limit=requested_time?,node_list=allocated_resources?,ignore=workload_name"
                            + " success execution_time waiting_time turnaround_time stretch consumed_energy metadata"
                            + " profile")),

    /**
     * The pods of Alibaba's GPU clusters, 2023 (Q. Weng et al.: Beware of fragmentation: scheduling GPU-sharing workloads with
     * fragmentation gradient descent, ATC 2023). Seconds. A pod is on one server. It holds what it demands from
     * {@code scheduled_time}, or from {@code creation_time} when it never was scheduled, to {@code deletion_time}; at least a second,
     * for times are in whole ones. Phase and quality of service are not read.
     */
    OPENB(
            "openb",
            List.of("name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli", "creation_time", "deletion_time"),
            List.of("gpu_spec", "qos", "pod_phase", "scheduled_time")),

    /** Alibaba's inference instances, 2025 (cluster-trace-gpu-v2025). Seconds; instances that began before the trace have no time of creation. */
    GPU_V2025(
            "gpu-v2025",
            Table.of(
                    "job=instance_sn,gpus=gpu_request,submit=creation_time,start=scheduled_time,end=deletion_time,group=app_name?,qos=role?,most_per_node=max_instance_per_node?,ignore=cpu_request"
                            + " cpu_limit gpu_limit rdma_request rdma_limit memory_request memory_limit disk_request"
                            + " disk_limit")),

    /** Alibaba's jobs on spot and reserved GPUs, 2026 (cluster-trace-v2026-spot-gpu). Seconds. */
    SPOT_V2026(
            "spot-v2026",
            Table.of(
                    "job=job_name,gpu_type=gpu_model,gpus_each=gpu_request,instances=worker_num,submit=submit_time,duration=duration,account=organization?,qos=job_type?,ignore=cpu_request")),

    /** Microsoft's ITP clusters, 2021 (D. Gu et al.: ElasticFlow, ASPLOS 2023). Seconds. */
    ITP("itp", Table.of("job=job_id,submit=submission_time,duration=duration,gpus=num_gpu")),

    /** Microsoft's Philly, 2017 (M. Jeon et al., ATC 2019), as derived for ElasticFlow: wall clocks without a zone, and no ids: a job is called by its line. */
    PHILLY("philly", Table.of("submit=timestamp,duration=duration,gpus=num_gpus,virtual_cluster=cluster")),

    /** The job log of Microsoft's Philly as published, JSON with the attempts of every job. */
    PHILLY_LOG("philly-log", List.of("jobid", "attempts", "submitted_time"), List.of()),

    /** SenseTime's Helios, 2020 (Q. Hu et al., SC 2021), as sliced with {@code tenant} for the virtual cluster. Submission in MICROSECONDS, duration in seconds. */
    HELIOS(
            "helios",
            Table.of(
                    "job=job_id,submit=submit_time/1000000,gpus=num_chips,duration=duration_s,user=user?,virtual_cluster=tenant?,nodes=num_nodes?,gpu_type=chip_type?,ignore=class"
                            + " walltime_limit_s final_status")),

    /** The log of a cluster of Helios as published. */
    HELIOS_LOG(
            "helios-log",
            Table.of(
                    "job=job_id,user=user,virtual_cluster=vc,gpus=gpu_num,nodes=node_num?,state=state,submit=submit_time,start=start_time,end=end_time,ignore=cpu_num"
                            + " duration queue")),

    /** Shanghai AI Lab's Acme, 2023 (Q. Hu et al., NSDI 2024): the logs of Seren and Kalos. {@code gpu_num} counts all servers. */
    ACME(
            "acme",
            Table.of(
                    "job=job_id,user=user,gpus=gpu_num,nodes=node_num,qos=type,state=state,submit=submit_time,start=start_time,end=end_time,ignore=cpu_num"
                            + " mem_per_pod_gb shared_mem_per_pod fail_time stop_time duration queue gpu_time")),

    /** Alibaba's PAI, 2020 (Q. Weng et al., NSDI 2022), as its authors' simulator reads it. Seconds; {@code num_gpu} is what each instance gets. */
    PAI_SIMULATOR(
            "pai-simulator",
            Table.of(
                    "job=job_id,gpus_each=num_gpu,instances=num_inst|inst_num,submit=submit_time,duration=duration,wait=wait_time?,user=user?,group=group?,gpu_type=gpu_type?,ignore=num_cpu"
                            + " size jobid status")),

    /**
     * PAI's task table joined with its group tags, a line for each job. Seconds. PAI logs when a task started, not when it was submitted. {@code plan_gpu} is
     * what each of {@code inst_num} instances gets, in hundredths of a GPU: parts below one stay parts, more is rounded up to whole
     * GPUs. {@code gpu_type} is empty or MISC for any.
     */
    PAI(
            "pai",
            Table.of(
                    "job=job,instances=inst_num,gpus_each=plan_gpu/100,start=start,end=end,group=group?,user=user?,gpu_type=gpu_type?")),

    /** The task table of PAI as published: comes without a header. The tasks of a job are a gang. Who submitted a job, and when, is in the job table, if that is beside it. */
    PAI_TASKS(
            "pai-tasks",
            Table.of(
                    "job=job_name,instances=inst_num,state=status,start=start_time,end=end_time,gpus_each=plan_gpu/100,gpu_type=gpu_type?,ignore=task_name"
                            + " plan_cpu plan_mem")),

    /**
     * The traces of Muri (Y. Zhao et al., SIGCOMM 2022). Milliseconds. The duration column is a reference and is not read: a job's duration is iterations x iteration time. Muri's
     * simulator adds 1.5 % to that (factor 1.015); we do not.
     */
    MURI(
            "muri",
            Table.of(
                    "job=job_id,gpus=num_gpu,submit=submit_time/1000,duration=iterations*iteration_time/1000,model=model_name?,ignore=batch_size"
                            + " duration interval resource_time_0 resource_time_1 resource_time_2 priority")),

    /** The traces of Tiresias (J. Gu et al.: Tiresias, NSDI 2019). Seconds; iterations, model and interval may be missing. */
    TIRESIAS(
            "tiresias",
            Table.of("job=job_id,gpus=num_gpu,submit=submit_time,duration=duration,model=model_name?,ignore=iterations"
                    + " interval")),

    /**
     * The workloads of Pollux (A. Qiao et al.: Pollux, OSDI 2021). Seconds. A job trains one of {@link org.trainyard.env.workload.goodput.PolluxApplications}, on 1 GPU to as many as its largest
     * batch feeds, 64 at most; {@code ncf} on those it was submitted for. Its duration is that
     * on the GPUs it was submitted for, four to a server, with its batch adapted; the submitted batch is not read.
     */
    POLLUX("pollux", List.of("name", "time", "application", "num_replicas", "batch_size"), List.of()),

    /**
     * The traces of Shockwave (P. Zheng et al., NSDI 2023), of Gavel's make: columns separated by tabs, and no header. Seconds; a job
     * is called by its line. A job whose batch size adapts runs shorter than the duration column says, which is for its first batch
     * size: its duration is that of its {@link AdaptiveTrainingRun}, where there are rates for it.
     */
    SHOCKWAVE("shockwave", ShockwaveRow.COLUMNS, List.of()),

    /** The traces of Gavel (D. Narayanan et al., OSDI 2020): 10 or 7 columns by tabs, no header. A duration is its steps at the measured speed on V100s. */
    GAVEL("gavel", GavelRows.COLUMNS, List.of()),

    /** Any table whose columns the user names. */
    NAMED("columns", List.of("as --columns says"), List.of());

    private static final Set<TraceFormat> TOTALS = Set.of(SACCT, SLURM_TABLE, SQUEUE);

    private final String label;

    @SuppressWarnings("ImmutableEnumChecker") // never changes once it is made
    private final @Nullable Table table;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> required;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> optional;

    TraceFormat(String label, List<String> required, List<String> optional) {
        this.label = label;
        this.required = required;
        this.optional = optional;
        table = null;
    }

    TraceFormat(String label, Table table) {
        this.label = label;
        this.table = table;
        required = table.required();
        optional = table.optional();
    }

    /** What its columns mean, or null for a format that is no plain table. */
    @Nullable Table table() {
        return table;
    }

    /** One row as a job, for formats of which every row is one. Submission is relative to the trace's zero. */
    @Nullable TraceJob parse(TraceRow row) {
        return switch (this) {
            case TRAINYARD -> OwnRow.job(row);
            case OPENB -> PodRow.job(row);
            case POLLUX -> PolluxRow.job(row);
            case SHOCKWAVE -> ShockwaveRow.job(row);
            case GAVEL -> RowJobs.traceJob(GavelRows.entry(row).alone());
            default -> null;
        };
    }

    /** Whether each of its rows is a job, with an id that no other has. */
    boolean isOfSingleRows() {
        return Set.of(TRAINYARD, OPENB, POLLUX, SHOCKWAVE, GAVEL).contains(this)
                || (table != null && !table.hasPast() && this != PAI_TASKS);
    }

    /** Whether submissions are dates. */
    boolean wallClock() {
        return Set.of(SACCT, SLURM_TABLE, SQUEUE, SCONTROL, KUBERNETES, PBS, CONDOR, PHILLY_LOG)
                .contains(this);
    }

    /** Whether its files are tables with a header. */
    boolean hasHeader() {
        return !Set.of(SCONTROL, PBS, CONDOR, SWF, BATSIM, PHILLY_LOG, SHOCKWAVE, GAVEL, NAMED)
                .contains(this);
    }

    /** The name people use for it. */
    public String label() {
        return label;
    }

    /** The columns a file of this format must have; any of several between bars will do. */
    public List<String> required() {
        return required;
    }

    /** The columns it may have. */
    public List<String> optional() {
        return optional;
    }

    /** The format of that label, whatever its case, or null. */
    public static @Nullable TraceFormat byLabel(String label) {
        String lower = label.toLowerCase(Locale.ROOT);
        return Arrays.stream(values())
                .filter(format -> format.label.equals(lower))
                .findFirst()
                .orElse(null);
    }

    /** The format a header is of, or null. */
    static @Nullable TraceFormat of(TraceColumns columns) {
        return Arrays.stream(values())
                .filter(format -> format.hasHeader()
                        && format.missingFrom(columns).isEmpty()
                        && format.unread(columns).isEmpty())
                .findFirst()
                .orElse(null);
    }

    /** The required columns the header lacks; of several that will do, the first. */
    List<String> missingFrom(TraceColumns columns) {
        return required.stream()
                .map(names -> names.split("\\|", -1))
                .filter(names -> Stream.of(names).noneMatch(columns::has))
                .map(names -> names[0])
                .toList();
    }

    /** The columns of a header that multiply or restrict what jobs ask for, and that this format does not know. */
    List<String> unread(TraceColumns columns) {
        return columns.names().stream()
                .filter(name -> !knows(name) && restricts(name))
                .toList();
    }

    private boolean restricts(String column) {
        Meaning meaning = Meaning.ofColumn(column);
        return !TOTALS.contains(this) && meaning != null && meaning.restricts();
    }

    /** Whether it reads the column, or knows that it need not be read. */
    boolean knows(String column) {
        return Stream.concat(required.stream(), optional.stream())
                .anyMatch(names -> names.equals(column)
                        || Arrays.asList(names.split("\\|", -1)).contains(column));
    }

    /** The formats of which a header has the largest part, at least half, of the required columns; null when there is none. */
    static @Nullable TraceFormat nearest(TraceColumns columns) {
        return Arrays.stream(values())
                .filter(format -> format.hasHeader() && format.share(columns) >= 0.5)
                .max(Comparator.comparingDouble(format -> format.share(columns)))
                .orElse(null);
    }

    private double share(TraceColumns columns) {
        return 1 - (double) missingFrom(columns).size() / required.size();
    }

    /** Every label, for messages. */
    static String known() {
        return String.join(
                ", ", Arrays.stream(values()).map(format -> format.label).toList());
    }
}
