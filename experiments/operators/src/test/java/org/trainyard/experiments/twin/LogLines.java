package org.trainyard.experiments.twin;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Lines of slurmctld, at milliseconds after 2026-03-02 08:00 UTC. */
final class LogLines {
    private static final LocalDateTime EIGHT = LocalDateTime.of(2026, 3, 2, 8, 0);
    static final long ZERO = EIGHT.toInstant(ZoneOffset.UTC).toEpochMilli();

    static String time(long millis) {
        return EIGHT.plusNanos(millis * 1_000_000).format(DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS"));
    }

    private static String second(String second) {
        return time(1000 * Long.parseLong(second)).substring(0, 19);
    }

    /** Lines such as {@code 1005 start 1 n1}; of words that are not known here as they stand. */
    static List<String> lines(String... events) {
        List<String> lines = new ArrayList<>();
        for (String event : events) {
            String[] words = event.split(" ", -1);
            long at = Long.parseLong(words[0]);
            String job = words.length > 2 ? "JobId=" + words[2] : "";
            String last = words[words.length - 1];
            lines.add("[%s] %s"
                    .formatted(
                            time(at),
                            switch (words[1]) {
                                case "main" -> "debug:  sched: Running job scheduler for default depth.";
                                case "full" -> "debug:  sched: Running job scheduler for full queue.";
                                case "backfill" -> "sched/backfill: _attempt_backfill: beginning";
                                case "start" ->
                                    "sched: Allocate %s NodeList=%s #CPUs=8 Partition=p".formatted(job, last);
                                case "filled" ->
                                    "sched/backfill: _start_job: Started %s in p on %s".formatted(job, last);
                                case "end" -> "_job_complete: %s done".formatted(job);
                                case "timeout" -> "Time limit exhausted for " + job;
                                case "killed" -> "job_signal: 9 of running %s successful 0x8004".formatted(job);
                                case "preempted" -> "preempted %s has been requeued to free resources".formatted(job);
                                case "submit" ->
                                    "_slurm_rpc_submit_batch_job: %s InitPrio=%s usec=1".formatted(job, last);
                                case "drain" -> "update_node: node %s state set to DRAINED".formatted(words[2]);
                                case "resume" -> "update_node: node %s state set to IDLE".formatted(words[2]);
                                case "hold" -> "sched: _hold_job_rec: hold on %s by uid 0".formatted(job);
                                case "release" -> "sched: _release_job_rec: release hold on %s by uid 0".formatted(job);
                                case "reserve" ->
                                    "sched: Created reservation=m users=ann nodes=n1 cores=8 licenses=(null) start=%s end=%s MaxStartDelay=0"
                                            .formatted(second(words[2]), second(words[3]));
                                case "cleaned" -> "Requeuing " + job;
                                case "plan" ->
                                    "sched/backfill: _dump_job_sched: %s to start at %s, end at %s on nodes %s in partition p"
                                            .formatted(job, second(words[3]), second("99"), last);
                                default -> String.join(" ", Arrays.copyOfRange(words, 1, words.length));
                            }));
        }
        return lines;
    }

    private LogLines() {}
}
