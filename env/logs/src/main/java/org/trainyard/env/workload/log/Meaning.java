package org.trainyard.env.workload.log;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Possible meanings of a column of a log, and the names that they have in logs of unknown formats. */
public enum Meaning {
    JOB("job", "job_id", "jobid", "id", "job_name", "jobname", "name", "id_job", "jobidraw"),
    TASK("task", "array_task", "arraytaskid", "id_array_task", "procid"),
    CLUSTER("cluster", "cluster_name"),
    SUBMIT(
            "submit",
            "submit_time",
            "submitted_time",
            "submission_time",
            "submitted",
            "time_submit",
            "submit_ts",
            "arrival",
            "arrival_time",
            "created",
            "creation_time",
            "queued_at",
            "created_at",
            "submit_s"),
    ELIGIBLE("eligible", "eligible_time", "time_eligible"),
    START(
            "start",
            "start_time",
            "started",
            "time_start",
            "starttime",
            "begin_time",
            "started_at",
            "scheduled_time",
            "scheduled"),
    END(
            "end",
            "end_time",
            "ended",
            "time_end",
            "endtime",
            "finish_time",
            "finished",
            "completion_time",
            "finished_at",
            "deletion_time",
            "completed_at"),
    WAIT("wait", "wait_time", "queue_time", "queue", "waiting_time", "queued", "pend_time"),
    DURATION(
            "duration",
            "run_time",
            "runtime",
            "duration_s",
            "elapsed",
            "execution_time",
            "elapsedraw",
            "walltime_used",
            "duration_seconds"),
    LIMIT("limit", "timelimit", "time_limit", "walltime", "wall_limit", "requested_time", "walltime_limit_s"),
    GPUS(
            "gpus",
            "gpu_num",
            "num_gpu",
            "num_gpus",
            "gpu_count",
            "ngpus",
            "gpu",
            "n_gpus",
            "alloc_gpus",
            "requested_gpus",
            "num_chips",
            "gpus_total",
            "alloctres",
            "tres_alloc"),
    GPUS_EACH(
            "gpus_each",
            "gpu_request",
            "plan_gpu",
            "gpus_per_node",
            "gpus_per_task",
            "gpus_per_worker",
            "gpu_per_instance"),
    INSTANCES(
            true,
            "instances",
            "inst_num",
            "num_inst",
            "worker_num",
            "num_workers",
            "workers",
            "replicas",
            "num_replicas",
            "instance_num",
            "num_instances",
            "ntasks",
            "pods"),
    GPU_MILLI(true, "gpu_milli", "gpu_fraction"),
    GPU_TYPE(
            true,
            "gpu_type",
            "gpu_model",
            "gpu_spec",
            "gpu_types",
            "chip_type",
            "accelerator",
            "accelerator_type",
            "card_type"),
    /** CPUs of the whole job. */
    CPUS("cpus", "ncpus", "num_cpus", "cpu_num", "alloccpus"),
    /** Memory of the whole job. */
    MEMORY_MIB("memory_mib", "mem_mib"),
    NODES(true, "nodes", "node_num", "num_nodes", "nnodes", "node_count", "nodes_alloc", "allocnodes", "n_nodes"),
    /** Instances of a group that may share a server. */
    MOST_PER_NODE(true, "most_per_node", "max_instance_per_node"),
    NODE_LIST("node_list", "nodelist", "hosts", "exec_host", "machine", "ran_on"),
    USER("user", "user_name", "username", "owner", "submitter", "user_id", "uid", "id_user"),
    ACCOUNT("account", "project", "acct", "organization", "account_name"),
    GROUP("group", "recurring_job", "app_name", "app", "job_group"),
    UNIX_GROUP("unix_group", "gid", "id_group", "groupname", "group_name"),
    QOS("qos", "id_qos", "job_type", "quality_of_service"),
    PRIORITY("priority", "prio"),
    PARTITION("partition", "queue_name"),
    VIRTUAL_CLUSTER("virtual_cluster", "vc", "tenant", "vcname"),
    STATE("state", "status", "job_state", "final_status", "job_status", "stat", "st"),
    DEPENDENCY("dependency"),
    RESERVATION("reservation", "resv_name", "id_resv"),
    EXIT_CODE("exit_code", "exitcode", "exit_status"),
    REASON("reason"),
    RESTARTS("restarts", "restart_cnt"),
    MODEL("model", "model_name", "application");

    private final boolean restricts;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> aliases;

    Meaning(String... aliases) {
        this(false, aliases);
    }

    Meaning(boolean restricts, String... aliases) {
        this.restricts = restricts;
        this.aliases = List.of(aliases);
    }

    /** Key of the meaning in {@code --columns}. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether the column multiplies the demand of a job, or restricts where it may run. */
    public boolean restricts() {
        return restricts;
    }

    /** The meaning of that key, or null. */
    public static @Nullable Meaning ofKey(String key) {
        String lower = key.strip().toLowerCase(Locale.ROOT);
        return Arrays.stream(values())
                .filter(meaning -> meaning.key().equals(lower))
                .findFirst()
                .orElse(null);
    }

    /** Most likely meaning of a column of that name, or null. */
    public static @Nullable Meaning ofColumn(String column) {
        String plain = plain(column);
        return Arrays.stream(values())
                .filter(meaning ->
                        meaning.aliases.stream().anyMatch(alias -> plain(alias).equals(plain)))
                .findFirst()
                .orElse(null);
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[ _.\\-]", "");
    }
}
