package org.trainyard.env.workload.trace.slurm;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Reads jobs as {@code sacct --json} (Slurm 20.11 to 25.05) and {@code squeue --json} or {@code scontrol show job
 * --json} print them, as rows of {@link SlurmRows}. Numbers are plain in old versions and {@code {"set", "infinite",
 * "number"}} in new ones; states are words or lists of words.
 */
public final class SacctJson {
    /** Resources that are read. */
    private static final Set<String> TYPES = Set.of("gres", "cpu", "mem");

    public static final List<String> COLUMNS = List.of(
            "jobid",
            "arrayjobid",
            "arraytaskid",
            "arraytaskthrottle",
            "hetjobid",
            "hetjoboffset",
            "cluster",
            "jobname",
            "user",
            "group",
            "account",
            "partition",
            "qos",
            "priority",
            "nice",
            "state",
            "reason",
            "exitcode",
            "restarts",
            "submit",
            "eligible",
            "start",
            "end",
            "timelimit",
            "alloctres",
            "reqtres",
            "nnodes",
            "nodelist",
            "reservation",
            "constraints",
            "dependency",
            "licenses",
            "suspended",
            "submitline");

    private SacctJson() {}

    /** Whether an object is a job of Slurm. */
    public static boolean isJob(JsonNode node) {
        return node.has("job_id")
                && ((node.path("time").isObject() && node.has("tres"))
                        || (node.has("job_state") && node.has("submit_time")));
    }

    /** Fields of a job, in the order of the columns. */
    public static List<String> row(JsonNode job) {
        return job.path("time").isObject() ? accounted(job) : queued(job);
    }

    private static List<String> accounted(JsonNode job) {
        JsonNode time = job.path("time");
        JsonNode array = job.path("array");
        JsonNode het = job.path("het");
        List<String> row = new ArrayList<>(COLUMNS.size());
        row.add(number(job.path("job_id")));
        row.add(number(array.path("job_id")));
        row.add(number(array.path("task_id")));
        row.add(number(array.path("limits").path("max").path("running").path("tasks")));
        row.add(number(het.path("job_id")));
        row.add(number(het.path("job_offset")));
        row.add(text(job.path("cluster")));
        row.add(text(job.path("name")));
        row.add(text(job.path("user").isMissingNode() ? job.path("association").path("user") : job.path("user")));
        row.add(text(job.path("group")));
        row.add(text(job.path("account")));
        row.add(text(job.path("partition")));
        row.add(text(job.path("qos")));
        row.add(number(job.path("priority")));
        row.add("");
        row.add(state(job.path("state").path("current")));
        row.add(text(job.path("state").path("reason")));
        row.add(exit(job.path("exit_code")));
        row.add(number(job.path("restart_cnt")));
        row.add(number(time.path("submission")));
        row.add(number(time.path("eligible")));
        row.add(number(time.path("start")));
        row.add(number(time.path("end")));
        row.add(number(time.path("limit")));
        row.add(tres(job.path("tres").path("allocated")));
        row.add(tres(job.path("tres").path("requested")));
        row.add(number(job.path("allocation_nodes")));
        row.add(text(job.path("nodes")));
        JsonNode reservation = job.path("reservation").path("name");
        row.add(reservation.isTextual() ? text(reservation) : "");
        row.add(text(job.path("constraints")));
        row.add("");
        row.add(text(job.path("licenses")));
        row.add(number(time.path("suspended")));
        row.add(text(job.path("submit_line")));
        return row;
    }

    private static List<String> queued(JsonNode job) {
        List<String> row = new ArrayList<>(COLUMNS.size());
        row.add(number(job.path("job_id")));
        row.add(number(job.path("array_job_id")));
        row.add(number(job.path("array_task_id")));
        row.add(number(job.path("array_max_tasks")));
        row.add(number(job.path("het_job_id")));
        row.add(number(job.path("het_job_offset")));
        row.add(text(job.path("cluster")));
        row.add(text(job.path("name")));
        row.add(text(job.path("user_name")));
        row.add(text(job.path("group_name")));
        row.add(text(job.path("account")));
        row.add(text(job.path("partition")));
        row.add(text(job.path("qos")));
        row.add(number(job.path("priority")));
        row.add(number(job.path("nice")));
        row.add(state(job.path("job_state")));
        row.add(text(job.path("state_reason")));
        row.add(exit(job.path("exit_code")));
        row.add(number(job.path("restart_cnt")));
        row.add(number(job.path("submit_time")));
        row.add(number(job.path("eligible_time")));
        row.add(number(job.path("start_time")));
        row.add(number(job.path("end_time")));
        row.add(number(job.path("time_limit")));
        row.add(text(job.path("tres_alloc_str")));
        row.add(text(job.path("tres_req_str")));
        row.add(number(job.path("node_count")));
        row.add(text(job.path("nodes")));
        row.add(text(job.path("resv_name")));
        row.add(text(job.path("features")));
        row.add(text(job.path("dependency")));
        row.add(text(job.path("licenses")));
        row.add("");
        row.add("");
        return row;
    }

    private static String text(JsonNode node) {
        return node.isValueNode() && !node.isNull() ? node.asText() : "";
    }

    /** A number; empty when it is null, not set or infinite. */
    private static String number(JsonNode node) {
        if (node.isObject()) {
            boolean isSet =
                    node.path("set").asBoolean(true) && !node.path("infinite").asBoolean(false);
            return isSet ? text(node.path("number")) : "";
        }
        return text(node);
    }

    /** The first of some states; one that goes on (REQUEUED) before others. */
    private static String state(JsonNode node) {
        if (!node.isArray()) {
            return text(node);
        }
        String first = "";
        for (JsonNode one : node) {
            String word = text(one);
            boolean goesOn = word.startsWith("REQUEUE") || word.equals("RESIZING");
            first = first.isEmpty() || goesOn ? word : first;
        }
        return first;
    }

    private static String exit(JsonNode node) {
        if (!node.isObject()) {
            return text(node);
        }
        String code = number(node.path("return_code"));
        JsonNode signal = node.path("signal");
        String number = number(signal.path(signal.has("id") ? "id" : "signal_id"));
        return code.isEmpty() && number.isEmpty()
                ? ""
                : "%s:%s".formatted(code.isEmpty() ? "0" : code, number.isEmpty() ? "0" : number);
    }

    private static String tres(JsonNode list) {
        StringBuilder text = new StringBuilder();
        for (JsonNode one : list) {
            String type = one.path("type").asText();
            if (TYPES.contains(type) && one.path("count").isNumber()) {
                text.append(text.isEmpty() ? "" : ",")
                        .append(type)
                        .append(type.equals("gres") ? "/" + one.path("name").asText() : "")
                        .append('=')
                        .append(one.path("count").asText())
                        .append(type.equals("mem") ? "M" : "");
            }
        }
        return text.toString();
    }
}
