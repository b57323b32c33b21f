package org.trainyard.experiments.sweep;

import java.util.List;

/**
 * A column of the results of a sweep: a metric of a scheduler in a run.
 *
 * @param pointer where {@code summary.json} has it, from the scheduler on
 */
record SweepColumn(String name, String pointer) {
    /** All, in the order of {@code results.csv}. */
    static final List<SweepColumn> NAMES = List.of(
            new SweepColumn("scheduler", "/name"),
            new SweepColumn("jobs", "/jobs"),
            new SweepColumn("mean_jct_s", "/jct_s/mean"),
            new SweepColumn("median_jct_s", "/jct_s/median"),
            new SweepColumn("p95_jct_s", "/jct_s/p95"),
            new SweepColumn("p99_jct_s", "/jct_s/p99"),
            new SweepColumn("wait_s", "/wait_s/mean"),
            new SweepColumn("slowdown", "/slowdown_mean"),
            new SweepColumn("jct_slowdown", "/jct_slowdown/mean"),
            new SweepColumn("makespan_s", "/makespan_s"),
            new SweepColumn("gpu_utilisation", "/gpu_utilisation"),
            new SweepColumn("preemptions", "/preemptions"),
            new SweepColumn("event_log_sha256", "/event_log_sha256"));
}
