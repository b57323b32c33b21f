package org.trainyard.agents.heuristic.slurm.configuration;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.trace.slurm.SlurmText;

/**
 * {@code SchedulerParameters} of slurm.conf, with Slurm 22.05's defaults; 0 for a limit that is not set.
 *
 * @param backfillInterval seconds that the backfill loop sleeps between cycles
 * @param backfillWindowSeconds how far ahead it plans
 * @param resolution of planned times, s
 * @param maxJobTest jobs that a backfill cycle tests
 * @param maxJobStart jobs that a backfill cycle starts
 * @param maxJobUser jobs of a user that it tests
 * @param maxJobPart jobs of a partition that it tests
 * @param maxJobArray tasks of an array that it plans
 * @param reservedPerPartition jobs of a partition that it plans; 1 is EASY backfill
 * @param minPriorityReserve priority below which a job gets no plan
 * @param minAgeReserve seconds of waiting before which a job gets no plan
 * @param windowLinear seconds by which the window over ends of running jobs grows; 0 doubles it
 * @param queueDepth jobs that the main loop looks at but once every {@code sched_interval}
 * @param schedInterval seconds between two runs of the main loop over the whole queue
 * @param batchSchedDelay seconds that the main loop waits after its last run
 * @param maxStartsPerRun jobs that one run of the main loop starts
 * @param partitionDepth jobs of a partition that the main loop looks at
 * @param limitStop whether a job that a limit of its association stops blocks its partition
 * @param preemptReorder how often the candidates of a preemption are sorted again
 * @param preemptStrictOrder whether that sorting moves only the last one to the front
 * @param busyNodes whether plans take nodes in use before idle ones
 * @param preemptYoungestFirst whether candidates are sorted by start, the youngest first
 */
public record SchedulerParameters(
        long backfillInterval,
        long backfillWindowSeconds,
        long resolution,
        int maxJobTest,
        int maxJobStart,
        int maxJobUser,
        int maxJobPart,
        int maxJobArray,
        int reservedPerPartition,
        long minPriorityReserve,
        long minAgeReserve,
        long windowLinear,
        int queueDepth,
        long schedInterval,
        long batchSchedDelay,
        int maxStartsPerRun,
        int partitionDepth,
        boolean limitStop,
        boolean busyNodes,
        int preemptReorder,
        boolean preemptStrictOrder,
        boolean preemptYoungestFirst) {
    /** Known, and without effect here: locks, speed, features that are not modelled. */
    private static final Set<String> SILENT = Set.of(
            "bf_continue",
            "bf_yield_interval",
            "bf_yield_sleep",
            "bf_max_time",
            "bf_node_space_size",
            "max_rpc_cnt",
            "max_sched_time",
            "sched_min_interval",
            "kill_invalid_depend",
            "nohold_on_prolog_fail",
            "batch_sched_delay",
            "defer");

    /** Reads the parameters; unknown ones become notes of the configuration. */
    static SchedulerParameters of(SlurmConf conf) {
        Map<String, String> given = new LinkedHashMap<>();
        for (String part : conf.text("SchedulerParameters", "").split(",", -1)) {
            if (!part.isBlank()) {
                String[] pair = part.strip().split("=", 2);
                given.put(pair[0].toLowerCase(Locale.ROOT), pair.length > 1 ? pair[1] : "1");
            }
        }
        Reader read = new Reader(conf.source(), given);
        SchedulerParameters parameters = new SchedulerParameters(
                read.number("bf_interval", 30),
                read.number("bf_window", 1440) * 60,
                Math.max(1, read.number("bf_resolution", 60)),
                read.count("bf_max_job_test", 500),
                read.count("bf_max_job_start", 0),
                read.count("bf_max_job_user", 0),
                read.count("bf_max_job_part", 0),
                read.count("bf_max_job_array_resv", 20),
                read.count("bf_job_part_count_reserve", 0),
                read.number("bf_min_prio_reserve", 0),
                read.number("bf_min_age_reserve", 0),
                read.number("bf_window_linear", 0),
                read.count("default_queue_depth", 100),
                read.number("sched_interval", 60),
                read.number("batch_sched_delay", 3),
                read.count("sched_max_job_start", 0),
                read.count("partition_job_depth", 0),
                read.flag("assoc_limit_stop"),
                read.flag("bf_busy_nodes"),
                read.count("preempt_reorder_count", 1),
                read.flag("preempt_strict_order"),
                read.flag("preempt_youngest_first"));
        for (String key : given.keySet()) {
            if (!read.known.contains(key) && !SILENT.contains(key)) {
                conf.note("SchedulerParameters %s: has no effect here".formatted(key));
            }
        }
        return parameters;
    }

    private static final class Reader {
        private final String source;
        private final Map<String, String> given;
        private final Set<String> known = new HashSet<>();

        Reader(String source, Map<String, String> given) {
            this.source = source;
            this.given = given;
        }

        long number(String key, long otherwise) {
            known.add(key);
            String text = given.get(key);
            long value = text == null
                    ? otherwise
                    : SlurmText.number("%s, SchedulerParameters %s".formatted(source, key), text);
            if (value < 0) {
                throw InputException.at("%s, SchedulerParameters %s".formatted(source, key), value, "0 or more");
            }
            return value;
        }

        int count(String key, int otherwise) {
            return (int) Math.min(Integer.MAX_VALUE, number(key, otherwise));
        }

        boolean flag(String key) {
            known.add(key);
            return given.containsKey(key);
        }
    }
}
