package org.trainyard.env.workload.trace;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.log.LogFormat;
import org.trainyard.env.workload.log.LogFormats;
import org.trainyard.env.workload.log.Meaning;
import org.trainyard.env.workload.log.RowFormat;
import org.trainyard.env.workload.log.TableHeader;
import org.trainyard.env.workload.log.TraceColumns;
import org.trainyard.env.workload.trace.log.Table;

/** Advice on a header of no format: the true reason why none has it. */
final class HeaderAdvice {
    private static final Pattern SACCT_WITHOUT_P = Pattern.compile("(?i)\\s*job ?id(raw)?\\s{2,}.*");
    private static final Pattern SQUEUE_WITHOUT_BARS = Pattern.compile("(?i)\\s*jobid\\s+partition\\s+name\\s.*");
    private static final Pattern KUBECTL_WITHOUT_JSON = Pattern.compile("(?i)(namespace\\s+)?name\\s+ready\\s.*");
    private static final Pattern YAML = Pattern.compile("(?i)(apiVersion|kind|items): .*|---.*");
    private static final Pattern SLURM_CONF = Pattern.compile(
            "(?i)\\s*(ClusterName|ControlMachine|SlurmctldHost|AuthType|SlurmUser|NodeName|PartitionName|GresTypes|Include|"
                    + "(Scheduler|Select|Priority|Preempt|Accounting|Mpi|Proctrack|JobComp|Slurm)\\w*)\\s*=.*");
    private static final Pattern RESERVATIONS = Pattern.compile("(?i)\\s*ReservationName=.*");
    private static final Pattern DATED = Pattern.compile(".*\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d.*");
    /** Text that a command prints about itself in place of its output. */
    private static final Pattern TOLD = Pattern.compile("(?i)[\\w./-]+: (error|warning|fatal|info)\\b.*");

    private static final String LOG = "the log, such as sacct -a -P prints; this is %s";

    private final TableHeader header;
    private final TraceColumns columns;

    HeaderAdvice(TableHeader header) {
        this.header = header;
        columns = header.columns();
    }

    /**
     * The format of a table that is in no text.
     *
     * @param forced that the user says it is, or null
     * @throws InputException when there is none
     */
    static RowFormat format(TableHeader header, @Nullable LogFormat forced) {
        header.check();
        RowFormat format = forced instanceof RowFormat rows ? rows : LogFormats.of(header.columns());
        if (format == null) {
            throw new HeaderAdvice(header).refused();
        }
        format.require(header);
        return format;
    }

    /** The refusal of the header. */
    InputException refused() {
        header.check();
        return header.refused(expected());
    }

    /**
     * The format of which the header has the largest part, at least half, of the required columns; null when there is
     * none.
     */
    private @Nullable RowFormat nearest() {
        return LogFormats.tables()
                .filter(format -> share(format) >= 0.5)
                .max(Comparator.comparingDouble(this::share))
                .orElse(null);
    }

    private double share(RowFormat format) {
        return 1
                - (double) format.missingFrom(columns).size()
                        / format.required().size();
    }

    /**
     * Advice on a header of no format: the right options of the command that most likely wrote it, the nearest format,
     * or what its columns seem to mean.
     */
    private String expected() {
        String line = header.first().line();
        if (SACCT_WITHOUT_P.matcher(line).matches()) {
            return "what sacct -P prints, with bars between the columns (%s)"
                    .formatted(plain(ClusterLogs.SACCT.required()));
        } else if (SQUEUE_WITHOUT_BARS.matcher(line).matches()) {
            return "jobs that ended: what sacct -P prints (columns %s), for squeue shows those that wait and run"
                    .formatted(plain(ClusterLogs.SACCT.required()));
        } else if (KUBECTL_WITHOUT_JSON.matcher(line).matches()
                || YAML.matcher(line).matches()) {
            return "what kubectl get pods -o json prints";
        } else if (RESERVATIONS.matcher(line).matches()) {
            return LOG.formatted(
                    "what scontrol show reservation prints, for --maintenance or beside the log as reservations.txt");
        } else if (SLURM_CONF.matcher(line).matches()) {
            return LOG.formatted("a slurm.conf, to stand beside the log");
        } else if (header.isRow() && DATED.matcher(line).matches()) {
            return "a header: this seems to be sacct -n (--noheader); run it without, or put the names of the columns"
                    + " in the first line";
        }
        if (TOLD.matcher(line).matches()) {
            return "what the command prints: this begins with what it says of itself; delete the lines above the header,"
                    + " or keep its standard error apart";
        } else if (line.startsWith("+--")) {
            return "what mysql -B prints: columns between tabs, without a frame";
        } else if (columns.has("apiversion") && columns.has("kind")) {
            return "pods, as kubectl get pods -o json prints; these are other objects of Kubernetes";
        } else if (columns.has("jobid") && columns.has("state")) {
            return missing(ClusterLogs.SACCT);
        }
        String foreign = ForeignLog.table(line, columns);
        if (foreign != null) {
            return foreign;
        }
        String other = NoTrace.name(columns);
        if (other != null) {
            return other;
        }
        RowFormat nearest = nearest();
        if (nearest != null) {
            return nearest.missingFrom(columns).isEmpty() ? unread(nearest) : missing(nearest);
        }
        if (says("dura") && !says("submi") && !says("start") && !says("begin") && !says("time") && !says("creat")) {
            return "also a column of when jobs were submitted or started: no column of this table says it, and without it"
                    + " a replay has no arrivals";
        }
        String guess = Table.guess(columns);
        return guess != null
                ? "a known format, or what its columns mean, perhaps --columns \"%s\"".formatted(guess)
                : "a known format (%s; `trainyard list traces` shows their columns), or --columns and --separator to say what these are"
                        .formatted(String.join(", ", LogFormats.labels()));
    }

    private boolean says(String part) {
        return columns.names().stream()
                .anyMatch(name -> name.toLowerCase(Locale.ROOT).contains(part));
    }

    private String unread(RowFormat nearest) {
        List<String> unread = nearest.unread(columns);
        return "another format than %s, which would not read %s: it multiplies or restricts what jobs ask for; say what it means with --columns%s"
                .formatted(nearest.label(), String.join(", ", unread), guessed());
    }

    private String guessed() {
        String guess = Table.guess(columns);
        return guess == null ? "" : ", perhaps \"%s\"".formatted(guess);
    }

    private String missing(RowFormat nearest) {
        List<String> missing = nearest.missingFrom(columns);
        List<String> others =
                columns.names().stream().filter(name -> !nearest.knows(name)).toList();
        String near = missing.stream()
                .map(name -> near(name, others))
                .filter(pair -> !pair.isEmpty())
                .collect(Collectors.joining(", "));
        return "also %s: it is nearest to %s%s; `trainyard list traces` shows all formats, and --columns says what columns mean%s"
                .formatted(
                        String.join(",", missing),
                        nearest.label(),
                        near.isEmpty() ? "" : " (nearest columns here: %s)".formatted(near),
                        guessed());
    }

    /** The column among others that a missing one may be, as {@code gpus: gpu_num}; empty when there is none. */
    private static String near(String missing, List<String> others) {
        Meaning meaning = Meaning.ofColumn(missing);
        return others.stream()
                .filter(other -> (meaning != null && meaning == Meaning.ofColumn(other))
                        || other.replaceAll("[^a-z]", "").contains(missing.replaceAll("[^a-z]", "")))
                .findFirst()
                .map(other -> missing + ": " + other)
                .orElse("");
    }

    private static String plain(List<String> required) {
        return required.stream().map(names -> names.split("\\|", -1)[0]).collect(Collectors.joining(","));
    }

    /**
     * Tables that come with traces and logs and have no jobs in them, or not all of what a job is, by their columns.
     */
    private static final class NoTrace {
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
                    List.of("worker_name", "gpu_wrk_util"),
                    "pai_task_table: this is PAI's table of sensors, not of jobs");
            KNOWN.put(
                    List.of("machine", "gpu_type", "cap_gpu"),
                    "a trace of jobs: this is PAI's list of machines, for --cluster");
            KNOWN.put(
                    List.of("sn", "cpu_milli", "gpu", "model"),
                    "a list of pods: this is Alibaba's list of machines, for --cluster");
            KNOWN.put(
                    List.of("node_name", "gpu_model", "gpu_capacity_num"),
                    "job_info_df.csv: this is the list of nodes of the spot trace, for --cluster");
            KNOWN.put(List.of("date", "total"), "cluster_log.csv: this is Helios' number of GPUs by day");
            KNOWN.put(
                    List.of("num_switch", "num_node_p_switch", "num_gpu_p_node"),
                    "a trace of jobs: this is a specification of a cluster");
            KNOWN.put(
                    List.of("name", "priority", "usagefactor"),
                    LOG.formatted("what sacctmgr -P show qos prints, to stand beside the log as qos.txt"));
            KNOWN.put(
                    List.of("cluster", "account", "user", "share"),
                    LOG.formatted("what sacctmgr -P show assoc prints, to stand beside the log as assoc.txt"));
            KNOWN.put(
                    List.of("machineid", "number of gpus"),
                    "the job log of Philly (cluster_job_log): this is its list of machines, for --cluster");
        }

        private NoTrace() {}

        /** The table to give in place of one with these columns, or null when it is none of them. */
        static @Nullable String name(TraceColumns columns) {
            for (var entry : KNOWN.entrySet()) {
                if (entry.getKey().stream().allMatch(columns::has)) {
                    return entry.getValue();
                }
            }
            return null;
        }
    }
}
