package org.trainyard.env.workload.trace;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.adaptive.AdaptiveTrainingRun;
import org.trainyard.env.workload.goodput.PolluxApplications;
import org.trainyard.env.workload.trace.log.TraceColumns;
import org.trainyard.env.workload.trace.log.TraceRow;

/**
 * The trace formats that can be read, each with its columns and the reading of one row.
 *
 * <p>A file's format is the first one here all of whose required columns are in the header; more columns may be there. So Muri's
 * (milliseconds) comes before Tiresias' (seconds), whose columns it contains. A file with tabs in its first line has no header.
 */
public enum TraceFormat {
    /**
     * Our own: everything a {@link TraceJob} says. Submissions and starts are seconds, or instants in ISO 8601 with a zone, which are made relative to the earliest submission.
     * The optional columns may be missing or empty; those of {@link DemandColumns} say what a job demands beyond whole GPUs, {@code utility} is
     * the label of a {@link org.trainyard.env.workload.utility.JobUtility}, {@code freezing} that of {@link org.trainyard.env.workload.freezing.FreezingTerms}, and those of
     * {@link TermColumns} say what else a job said and what its log knows of its run.
     */
    TRAINYARD(
            "trainyard",
            List.of("job", "submit_s", "gpus", "duration_s"),
            Stream.of(
                            List.of("model", "user", "group", "virtual_cluster", "start_s", "end_s"),
                            DemandColumns.NAMES,
                            List.of("plan", "profile", "utility", "freezing"),
                            TermColumns.TERMS,
                            TermColumns.FACTS)
                    .flatMap(List::stream)
                    .toList()) {
        @Override
        TraceJob parse(TraceRow row) {
            return OwnRow.job(row);
        }
    },

    /** Slurm's accounting, as {@code sacct -P} prints it: columns separated by bars. See {@link SlurmAccounting}. */
    SACCT(
            "sacct",
            List.of("jobid", "state", "submit", "start", "end", "alloctres"),
            List.of("eligible", "reqtres", "user", "jobname", "partition", "account")) {
        @Override
        RowFolder folder() {
            return new SlurmAccounting();
        }

        @Override
        char separator() {
            return '|';
        }

        @Override
        boolean wallClock() {
            return true;
        }
    },

    /**
     * Pods of Kubernetes: what {@code kubectl get pods -o json} prints, or a table with these columns and times in ISO 8601 with a zone. See {@link PodGangs} and
     * {@link PodsJson}.
     */
    KUBERNETES(
            "kubernetes",
            List.of("pod", "gpus", "created", "scheduled", "finished"),
            List.of("namespace", "job", "user", "gpu_type")) {
        @Override
        RowFolder folder() {
            return new PodGangs();
        }

        @Override
        boolean wallClock() {
            return true;
        }
    },

    /**
     * The pods of Alibaba's GPU clusters, 2023 (Q. Weng et al.: Beware of fragmentation: scheduling GPU-sharing workloads with
     * fragmentation gradient descent, ATC 2023). Seconds. A pod is on one server. It holds what it demands from
     * {@code scheduled_time}, or from {@code creation_time} when it never was scheduled, to {@code deletion_time}; at least a second,
     * for times are in whole ones. Phase and quality of service are not read.
     */
    OPENB(
            "openb",
            List.of("name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli", "creation_time", "deletion_time"),
            List.of("gpu_spec", "qos", "pod_phase", "scheduled_time")) {
        @Override
        TraceJob parse(TraceRow row) {
            return PodRow.job(row);
        }
    },

    /** Microsoft's ITP clusters, 2021 (D. Gu et al.: ElasticFlow, ASPLOS 2023). Seconds. */
    ITP("itp", List.of("job_id", "submission_time", "duration", "num_gpu"), List.of()) {
        @Override
        TraceJob parse(TraceRow row) {
            return new TraceJob(
                    row.text("job_id"),
                    row.nanos("submission_time", TraceRow.SECOND),
                    row.gpus("num_gpu"),
                    row.nanosAboveZero("duration", TraceRow.SECOND),
                    null,
                    null,
                    null,
                    null);
        }
    },

    /**
     * Microsoft's Philly, 2017 (M. Jeon et al.: Analysis of large-scale multi-tenant GPU clusters, ATC 2019), as derived for
     * ElasticFlow. Submission is a wall clock without a zone; the reader makes it relative to the earliest of the whole file. Rows
     * have no id; a job is called by its line.
     */
    PHILLY("philly", List.of("timestamp", "duration", "num_gpus", "cluster"), List.of()) {
        @Override
        TraceJob parse(TraceRow row) {
            return new TraceJob(
                    "line" + row.line(),
                    row.wallClockNanos("timestamp"),
                    row.gpus("num_gpus"),
                    row.nanosAboveZero("duration", TraceRow.SECOND),
                    null,
                    null,
                    null,
                    row.textOrNull("cluster"));
        }

        @Override
        boolean wallClock() {
            return true;
        }
    },

    /**
     * SenseTime's Helios, 2020 (Q. Hu et al.: Characterization and prediction of deep learning workloads, SC 2021), as sliced with
     * {@code tenant} for the virtual cluster. Submission in MICROSECONDS, duration in seconds.
     */
    HELIOS("helios", List.of("job_id", "submit_time", "num_chips", "duration_s"), List.of("user", "tenant")) {
        @Override
        TraceJob parse(TraceRow row) {
            return new TraceJob(
                    row.text("job_id"),
                    row.nanos("submit_time", TraceRow.MICRO),
                    row.gpus("num_chips"),
                    row.nanosAboveZero("duration_s", TraceRow.SECOND),
                    null,
                    row.textOrNull("user"),
                    null,
                    row.textOrNull("tenant"));
        }
    },

    /**
     * Alibaba's PAI, 2020 (Q. Weng et al.: MLaaS in the wild, NSDI 2022): its task table joined with its group tags, a line for each
     * job. Seconds. PAI logs when a task started, not when it was submitted; the start stands for the submission. {@code plan_gpu} is
     * what each of {@code inst_num} instances gets, in hundredths of a GPU: parts below one stay parts, more is rounded up to whole
     * GPUs. {@code gpu_type} is empty or MISC for any.
     */
    PAI("pai", List.of("job", "inst_num", "plan_gpu", "start", "end"), List.of("group", "user", "gpu_type")) {
        @Override
        TraceJob parse(TraceRow row) {
            String type = row.textOrNull("gpu_type");
            Demand demand = row.instances("inst_num", "plan_gpu");
            return new TraceJob(
                    row.text("job"),
                    row.nanos("start", TraceRow.SECOND),
                    type == null || type.equals("MISC") ? demand : demand.onTypes(List.of(type)),
                    row.nanosBetween("start", "end", TraceRow.SECOND),
                    null,
                    row.textOrNull("user"),
                    row.textOrNull("group"),
                    null);
        }
    },

    /**
     * The traces of Muri (Y. Zhao et al.: Multi-resource interleaving for deep learning training, SIGCOMM 2022). Milliseconds. The
     * duration column is a reference and is not read: a job's duration is iterations x iteration time. Muri's simulator adds 1.5 %
     * to that (factor 1.015); we do not.
     */
    MURI(
            "muri",
            List.of("job_id", "num_gpu", "submit_time", "iterations", "iteration_time"),
            List.of(
                    "model_name",
                    "batch_size",
                    "duration",
                    "interval",
                    "resource_time_0",
                    "resource_time_1",
                    "resource_time_2",
                    "priority")) {
        @Override
        TraceJob parse(TraceRow row) {
            return new TraceJob(
                    row.text("job_id"),
                    row.nanos("submit_time", TraceRow.MILLI),
                    row.gpus("num_gpu"),
                    row.nanosAboveZero("iterations", "iteration_time", TraceRow.MILLI),
                    row.textOrNull("model_name"),
                    null,
                    null,
                    null);
        }
    },

    /** The traces of Tiresias (J. Gu et al.: Tiresias, NSDI 2019). Seconds; iterations, model and interval may be missing. */
    TIRESIAS(
            "tiresias",
            List.of("job_id", "num_gpu", "submit_time", "duration"),
            List.of("iterations", "model_name", "interval")) {
        @Override
        TraceJob parse(TraceRow row) {
            return new TraceJob(
                    row.text("job_id"),
                    row.nanos("submit_time", TraceRow.SECOND),
                    row.gpus("num_gpu"),
                    row.nanosAboveZero("duration", TraceRow.SECOND),
                    row.textOrNull("model_name"),
                    null,
                    null,
                    null);
        }
    },

    /**
     * The workloads of Pollux (A. Qiao et al.: Pollux: co-adaptive cluster scheduling for goodput-optimized deep learning, OSDI 2021).
     * Seconds. A job trains one of {@link PolluxApplications}, on 1 GPU to as many as its largest batch feeds, 64 at most; {@code ncf} on those it was submitted for. Its duration is that
     * on the GPUs it was submitted for, four to a server, with its batch adapted; the submitted batch is not read.
     */
    POLLUX("pollux", List.of("name", "time", "application", "num_replicas", "batch_size"), List.of()) {
        @Override
        TraceJob parse(TraceRow row) {
            return PolluxRow.job(row);
        }
    },

    /**
     * The traces of Shockwave (P. Zheng et al., NSDI 2023), of Gavel's make: columns separated by tabs, and no header. Seconds; a job
     * is called by its line. A job whose batch size adapts runs shorter than the duration column says, which is for its first batch
     * size: its duration is that of its {@link AdaptiveTrainingRun}, where there are rates for it.
     */
    SHOCKWAVE(
            "shockwave",
            List.of(
                    "job_type",
                    "command",
                    "working_dir",
                    "steps_arg",
                    "needs_data",
                    "total_steps",
                    "scale_factor",
                    "mode",
                    "priority",
                    "slo",
                    "duration",
                    "arrival"),
            List.of()) {
        @Override
        TraceJob parse(TraceRow row) {
            return ShockwaveRow.job(row);
        }

        @Override
        boolean headless() {
            return true;
        }

        @Override
        @Nullable String remark(List<TraceJob> jobs) {
            return ShockwaveRow.remark(jobs);
        }
    };

    private final String label;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> required;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> optional;

    TraceFormat(String label, List<String> required, List<String> optional) {
        this.label = label;
        this.required = required;
        this.optional = optional;
    }

    /** One row as a job, for formats without {@link #folder}. Submission is relative to the trace's zero, or since 1970 when {@link #wallClock}. */
    TraceJob parse(TraceRow row) {
        throw new IllegalStateException("rows of %s are folded".formatted(label));
    }

    /** For formats whose jobs have several rows: what makes jobs of them; null for one job a row. */
    @Nullable RowFolder folder() {
        return null;
    }

    /** What separates the fields of a line. */
    char separator() {
        return headless() ? '\t' : ',';
    }

    /** Whether submissions are dates. */
    boolean wallClock() {
        return false;
    }

    /** Whether its files have no header, and tabs between the fields. */
    boolean headless() {
        return false;
    }

    /** What a reader should know of how these jobs were read, as a sentence, or null. */
    @Nullable String remark(List<TraceJob> jobs) {
        return null;
    }

    /** The name people use for it. */
    public String label() {
        return label;
    }

    /** The columns a file of this format must have. */
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
                .filter(format ->
                        !format.headless() && format.missingFrom(columns).isEmpty())
                .findFirst()
                .orElse(null);
    }

    /** The required columns the header lacks. */
    List<String> missingFrom(TraceColumns columns) {
        return required.stream().filter(column -> !columns.has(column)).toList();
    }

    /** The format of which a header has the largest part, at least half, of the required columns; null when there is none. */
    static @Nullable TraceFormat nearest(TraceColumns columns) {
        return Arrays.stream(values())
                .filter(format -> !format.headless() && format.share(columns) >= 0.5)
                .max(Comparator.comparingDouble(format -> format.share(columns)))
                .orElse(null);
    }

    private double share(TraceColumns columns) {
        return 1 - (double) missingFrom(columns).size() / required.size();
    }

    /** Every format with its required columns, for messages. */
    static String known() {
        return String.join(
                "; ",
                Arrays.stream(values())
                        .map(format -> "%s (%s%s)"
                                .formatted(
                                        format.label,
                                        String.join(",", format.required),
                                        format.headless() ? "; by tabs, without a header" : ""))
                        .toList());
    }
}
