package org.trainyard.env.workload.trace.log;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.log.TraceColumns;

/** Tables that come with traces and logs and have no jobs in them, or not all of what a job is, by their columns. */
public final class NoTrace {
    private static final Map<List<String>, String> KNOWN =
            new TreeMap<>((a, b) -> a.toString().compareTo(b.toString()));

    static {
        KNOWN.put(
                List.of("job_name", "inst_id", "status", "start_time"),
                "pai_task_table, for pai_job_table does not say what jobs ask for; beside it this table is read too");
        KNOWN.put(
                List.of("job_name", "inst_name", "worker_name", "machine"),
                "pai_task_table, for pai_instance_table does not say what jobs ask for");
        KNOWN.put(
                List.of("worker_name", "gpu_wrk_util"), "pai_task_table: this is PAI's table of sensors, not of jobs");
        KNOWN.put(List.of("machine", "gpu_type", "cap_gpu"), "a trace of jobs: this is PAI's list of machines");
        KNOWN.put(
                List.of("sn", "cpu_milli", "gpu", "model"),
                "a list of pods: this is Alibaba's list of machines, for --cluster");
        KNOWN.put(
                List.of("node_name", "gpu_model", "gpu_capacity_num"),
                "job_info_df.csv: this is the list of nodes of the spot trace");
        KNOWN.put(List.of("date", "total"), "cluster_log.csv: this is Helios' number of GPUs by day");
        KNOWN.put(
                List.of("num_switch", "num_node_p_switch", "num_gpu_p_node"),
                "a trace of jobs: this is a specification of a cluster");
        KNOWN.put(
                List.of("machineid", "number of gpus"),
                "the job log of Philly (cluster_job_log): this is its list of machines");
    }

    private NoTrace() {}

    /** What to give in place of a table with these columns, or null when it is none of them. */
    public static @Nullable String name(TraceColumns columns) {
        for (var entry : KNOWN.entrySet()) {
            if (entry.getKey().stream().allMatch(columns::has)) {
                return entry.getValue();
            }
        }
        return null;
    }
}
