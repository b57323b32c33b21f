package org.trainyard.env.workload.trace.slurm;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.log.TraceColumns;

/**
 * Where the columns of one file of Slurm stand, by the names of sacct, squeue, scontrol and the job table of its
 * database.
 */
public final class SlurmColumns {
    /** Columns that a file of sacct must have; any name of a group will do. */
    public static final List<String> ACCOUNTED = List.of(
            "jobid|jobidraw",
            "state",
            "submit",
            "start",
            "end|elapsedraw|elapsed",
            "alloctres|allocgres|reqtres|reqgres");

    /** Columns that a dump of the job table must have. */
    public static final List<String> STORED = List.of(
            "id_job",
            "state",
            "time_submit",
            "time_start",
            "time_end",
            "tres_alloc|gres_alloc|gres_used|tres_req|gres_req");

    /** Columns that a listing of the queue must have. */
    public static final List<String> QUEUED = List.of(
            "jobid|job_id",
            "state|st|jobstate",
            "submit_time|submittime",
            "start_time|starttime",
            "end_time|endtime",
            "tres_alloc|tres_alloc_str|alloctres|tres|tres_per_node|trespernode|tresperjob|gres|reqtres");

    static final List<String> ALLOCATED =
            List.of("alloctres", "tres_alloc", "tres_alloc_str", "tres", "allocgres", "gres_alloc", "gres_used");
    static final List<String> REQUESTED = List.of("reqtres", "tres_req", "tresperjob", "reqgres", "gres_req");
    /** Columns of the demand of a job on each of its servers. */
    static final List<String> PER_NODE = List.of("tres_per_node", "trespernode", "gres");

    private static final List<String> KNOWN = List.of(
            "arrayjobid",
            "id_array_job",
            "arraytaskid",
            "id_array_task",
            "arraytaskthrottle",
            "array_max_tasks",
            "hetjobid",
            "het_job_id",
            "pack_job_id",
            "hetjoboffset",
            "het_job_offset",
            "pack_job_offset",
            "eligible",
            "time_eligible",
            "eligibletime",
            "eligible_time",
            "user",
            "userid",
            "user_name",
            "id_user",
            "uid",
            "jobname",
            "job_name",
            "name",
            "partition",
            "account",
            "groupid",
            "group",
            "id_group",
            "gid",
            "group_name",
            "qos",
            "id_qos",
            "priority",
            "nice",
            "timelimit",
            "time_limit",
            "nnodes",
            "allocnodes",
            "nodes_alloc",
            "numnodes",
            "nodes",
            "reqnodes",
            "nodelist",
            "nodelist(reason)",
            "reason",
            "exitcode",
            "exit_code",
            "restarts",
            "restart_cnt",
            "cluster",
            "dependency",
            "reservation",
            "resv_name",
            "constraints",
            "features",
            "licenses",
            "elapsed",
            "elapsedraw",
            "timelimitraw",
            "suspended",
            "time_suspended",
            "ncpus",
            "reqcpus",
            "reqmem",
            "alloccpus",
            "submitline",
            "submit_line",
            "segmentsize",
            "segment_size",
            "consolidatesegments");

    /** Columns of Slurm that a file may have, and that are not read. */
    private static final List<String> UNUSED = List.of(
            "derivedexitcode",
            "state_reason_prev",
            "comment",
            "admincomment",
            "systemcomment",
            "workdir",
            "reserved",
            "planned",
            "plannedcpu",
            "dbindex",
            "job_db_inx",
            "flags",
            "time",
            "runtime",
            "mod_time",
            "deleted",
            "allocnode",
            "wckey",
            "track_steps");

    final @Nullable String array;
    final @Nullable String task;
    final @Nullable String throttle;
    final @Nullable String het;
    final @Nullable String offset;
    final String id;
    final String state;
    final String submit;
    final String start;
    final String end;
    /** Whether the column of the end has the length of the run in its place. */
    final boolean endsByLength;

    final @Nullable String elapsed;
    final @Nullable String suspended;
    final @Nullable String eligible;
    final @Nullable String user;
    final @Nullable String name;
    final @Nullable String limit;
    final @Nullable String nodes;
    final @Nullable String hosts;
    final @Nullable String exit;
    final @Nullable String restarts;
    final @Nullable String group;
    final @Nullable String qos;
    final @Nullable String reservation;
    final @Nullable String features;
    final @Nullable String licenses;
    final @Nullable String cpus;
    final @Nullable String memory;
    final @Nullable String command;
    final @Nullable String segment;
    final @Nullable String consolidated;
    final List<String> allocated;
    final List<String> requested;
    final List<String> perNode;

    SlurmColumns(TraceColumns columns) {
        id = required(columns, "jobid", "jobidraw", "id_job", "job_id");
        state = required(columns, "state", "jobstate", "st");
        submit = required(columns, "submit", "time_submit", "submittime", "submit_time");
        start = required(columns, "start", "time_start", "starttime", "start_time");
        end = required(columns, "end", "time_end", "endtime", "end_time", "elapsedraw", "elapsed");
        endsByLength = end.startsWith("elapsed");
        elapsed = first(columns, "elapsedraw", "elapsed");
        suspended = first(columns, "suspended", "time_suspended");
        array = first(columns, "arrayjobid", "id_array_job");
        task = first(columns, "arraytaskid", "id_array_task");
        throttle = first(columns, "arraytaskthrottle", "array_max_tasks");
        het = first(columns, "hetjobid", "het_job_id", "pack_job_id");
        offset = first(columns, "hetjoboffset", "het_job_offset", "pack_job_offset");
        eligible = first(columns, "eligible", "time_eligible", "eligibletime", "eligible_time");
        user = first(columns, "user", "userid", "user_name", "uid", "id_user");
        name = first(columns, "jobname", "job_name", "name");
        limit = first(columns, "timelimit", "time_limit", "timelimitraw");
        nodes = first(columns, "nnodes", "allocnodes", "nodes_alloc", "numnodes", "nodes", "reqnodes");
        hosts = first(columns, "nodelist", "nodelist(reason)");
        exit = first(columns, "exitcode", "exit_code");
        restarts = first(columns, "restarts", "restart_cnt");
        group = first(columns, "groupid", "group", "group_name", "gid", "id_group");
        qos = first(columns, "qos", "id_qos");
        reservation = first(columns, "reservation", "resv_name");
        features = first(columns, "constraints", "features");
        licenses = first(columns, "licenses");
        cpus = first(columns, "alloccpus", "ncpus", "reqcpus");
        memory = first(columns, "reqmem");
        command = first(columns, "submitline", "submit_line");
        segment = first(columns, "segmentsize", "segment_size");
        consolidated = first(columns, "consolidatesegments");
        allocated = ALLOCATED.stream().filter(columns::has).toList();
        requested = REQUESTED.stream().filter(columns::has).toList();
        perNode = PER_NODE.stream().filter(columns::has).toList();
    }

    /** Every column that is read, or known and not needed. */
    public static List<String> optional() {
        return Stream.of(KNOWN, UNUSED, List.of("jobidraw", "jobid"), ALLOCATED, REQUESTED, PER_NODE)
                .flatMap(List::stream)
                .toList();
    }

    /** Whether a column that is known is read, where the header has it. */
    static boolean reads(String column) {
        return !UNUSED.contains(column);
    }

    private static String required(TraceColumns columns, String... names) {
        String found = first(columns, names);
        if (found == null) {
            throw new IllegalStateException("the header lacks (%s)".formatted(names[0]));
        }
        return found;
    }

    private static @Nullable String first(TraceColumns columns, String... names) {
        return Stream.of(names).filter(columns::has).findFirst().orElse(null);
    }
}
