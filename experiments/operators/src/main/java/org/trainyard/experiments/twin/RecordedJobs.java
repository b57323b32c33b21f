package org.trainyard.experiments.twin;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.Segments;
import org.trainyard.env.workload.log.SegmentOptions;
import org.trainyard.env.workload.trace.slurm.DelimitedTable;
import org.trainyard.env.workload.trace.slurm.HostList;
import org.trainyard.env.workload.trace.slurm.SlurmGpus;
import org.trainyard.env.workload.trace.slurm.SlurmText;
import org.trainyard.env.workload.trace.slurm.Tres;

/**
 * The jobs of a recording, from the accounting; what it does not hold (dependencies, limits of arrays, jobs that it
 * lost) from the trace that was submitted, where that is there.
 */
final class RecordedJobs {
    private static final Pattern ID = Pattern.compile("(\\d+)(?:_(\\d+)|_\\[([\\d,-]+)(?:%(\\d+))?]|_\\[.*)?");
    /** The nodes of a job that had none. */
    private static final String NOWHERE = "None assigned";

    private static final Pattern ARRAY = Pattern.compile("(\\d+)-(\\d+)(?:%(\\d+))?");

    private static final Pattern HETEROGENEOUS = Pattern.compile("\\d+\\+\\d+");
    private static final long MIB = 1 << 20;

    private final Map<Long, TwinJob> jobs = new TreeMap<>();
    private final List<TwinRun> runs = new ArrayList<>();
    /** Jobs of which something is not replayed, by what it is. */
    private final Map<String, Integer> unmodelled = new TreeMap<>();

    private final ToIntFunction<String> cpusOfNode;

    private RecordedJobs(ToIntFunction<String> cpusOfNode) {
        this.cpusOfNode = cpusOfNode;
    }

    /** @param cpusOfNode the CPUs of a node by its name, to see who had nodes alone */
    static RecordedJobs of(
            List<String> sacct,
            @Nullable List<String> trace,
            @Nullable List<String> submitted,
            ToIntFunction<String> cpusOfNode) {
        RecordedJobs recorded = new RecordedJobs(cpusOfNode);
        recorded.accounting(DelimitedTable.ofBars(
                "sacct.txt", sacct, "JobID", "User", "Submit", "Start", "End", "State", "Timelimit", "ReqTRES"));
        if (trace != null && submitted != null) {
            recorded.trace(
                    DelimitedTable.ofCommas("trace.csv", trace, "idx", "gpus", "nodes", "limit_min"),
                    DelimitedTable.ofCommas("submitted.csv", submitted, "idx", "jobid"));
        }
        return recorded;
    }

    /** Numbers of jobs of which something is not replayed, by what it is. */
    Map<String, Integer> unmodelled() {
        return unmodelled;
    }

    private void miss(String what) {
        unmodelled.merge(what, 1, Integer::sum);
    }

    /** By number. */
    Map<Long, TwinJob> jobs() {
        return jobs;
    }

    /** Jobs, every task of an array counted. */
    int count() {
        return jobs.values().stream()
                .mapToInt(job -> Math.max(1, job.tasks().size()))
                .sum();
    }

    /** Every run of every job or task, and one without a start for those that never ran. */
    List<TwinRun> runs() {
        return runs;
    }

    private void accounting(DelimitedTable rows) {
        for (int row = 0; row < rows.rows(); row++) {
            Matcher id = ID.matcher(rows.text(row, "JobID"));
            if (!id.matches()) {
                if (HETEROGENEOUS.matcher(rows.text(row, "JobID")).matches()) {
                    miss("is a part of a heterogeneous job: is left out");
                }
                continue;
            }
            String state = rows.text(row, "State");
            String start = rows.text(row, "Start");
            String end = rows.text(row, "End");
            boolean ran =
                    isTime(start) && isTime(end) && !rows.text(row, "NodeList").equals(NOWHERE);
            if (!ran && state.startsWith("FAILED")) {
                miss("was refused by Slurm when it was submitted: is left out");
                continue;
            }
            long startMillis = ran ? SlurmText.millis(rows.place(row, "Start"), start) : -1;
            long endMillis = isTime(end) ? SlurmText.millis(rows.place(row, "End"), end) : -1;
            if (ran && endMillis < startMillis - ControllerLog.BACK_MILLIS) {
                throw InputException.at(
                        rows.place(row, "End"),
                        end,
                        "a time not before %s, the start, as where no clock was put back".formatted(start));
            }
            long number = Long.parseLong(id.group(1));
            TwinJob job = job(rows, row, number);
            List<Integer> tasks = tasks(rows.place(row, "JobID"), id);
            int together = id.group(4) == null ? 0 : Integer.parseInt(id.group(4));
            jobs.put(number, jobs.getOrDefault(number, job).array(tasks, together));
            for (String name : names(rows.text(row, "JobID"), number, tasks)) {
                runs.add(new TwinRun(
                        name,
                        job.submitSecond(),
                        startMillis,
                        endMillis,
                        ran ? HostList.expand(rows.place(row, "NodeList"), rows.text(row, "NodeList")) : List.of(),
                        state.matches("(PREEMPTED|REQUEUED|NODE_FAIL).*"),
                        state.startsWith("CANCELLED"),
                        state.startsWith("COMPLETED")));
            }
        }
    }

    /** The tasks that the number of a row names. */
    private static List<Integer> tasks(String place, Matcher id) {
        if (id.group(2) != null) {
            return List.of(Integer.parseInt(id.group(2)));
        }
        return id.group(3) == null
                ? List.of()
                : HostList.expand(place, "[" + id.group(3) + "]").stream()
                        .map(Integer::parseInt)
                        .toList();
    }

    private static List<String> names(String row, long number, List<Integer> tasks) {
        return tasks.isEmpty()
                ? List.of(row)
                : tasks.stream().map(task -> number + "_" + task).toList();
    }

    private static boolean isTime(String text) {
        return text.startsWith("2") || text.startsWith("1");
    }

    private TwinJob job(DelimitedTable rows, int row, long number) {
        int nodes = (int) Math.max(1, rows.number(row, "NNodes", 1));
        String requested = rows.text(row, "ReqTRES");
        Tres tres = Tres.of(rows.place(row, "ReqTRES"), requested);
        String eligible = rows.text(row, "Eligible");
        String reservation = rows.text(row, "Reservation");
        int cpus = Math.max(nodes, tres.count("cpu"));
        if (tres.gpus() % nodes != 0) {
            miss("has GPUs that are not spread evenly over its nodes: has fewer here");
        }
        return new TwinJob(
                number,
                rows.text(row, "User"),
                rows.text(row, "Account"),
                rows.text(row, "QOS"),
                rows.text(row, "Partition"),
                nodes,
                tres.gpus() / nodes,
                Math.max(1, tres.count("cpu") / nodes),
                rows.text(row, "Timelimit").equals("Partition_Limit") ? -1 : rows.seconds(row, "Timelimit"),
                new TreeSet<>(),
                0,
                List.of(),
                reservation.isEmpty() ? null : reservation,
                SlurmText.licenses(rows.place(row, "ReqTRES"), Tres.licenses(requested)),
                new TwinJob.Terms(
                        tres.counts().getOrDefault("mem", 0L) / MIB / nodes,
                        SlurmGpus.ofNode(rows.place(row, "ReqTRES"), requested).labels(),
                        features(rows.text(row, "Constraints")),
                        hasNodesAlone(rows, row, cpus + nodes),
                        0,
                        segments(rows, row)),
                Math.floorDiv(SlurmText.millis(rows.place(row, "Submit"), rows.text(row, "Submit")), 1000),
                isTime(eligible) ? Math.floorDiv(SlurmText.millis(rows.place(row, "Eligible"), eligible), 1000) : 0);
    }

    private @Nullable Segments segments(DelimitedTable rows, int row) {
        String command = rows.text(row, "SubmitLine");
        if (command.contains("--spread-segments")) {
            miss("has the option --spread-segments of sbatch: is replayed without");
        }
        return SegmentOptions.of(command, (int) rows.number(row, "SegmentSize", 0));
    }

    private String features(String asked) {
        if (asked.matches(".*[\\[*(].*")) {
            miss("asks for counts of features: any node suits it here");
            return "";
        }
        return asked;
    }

    /** Whether a job held all CPUs of its nodes, and more than it asked for. */
    private boolean hasNodesAlone(DelimitedTable rows, int row, int asked) {
        int held = Tres.of(rows.place(row, "AllocTRES"), rows.text(row, "AllocTRES"))
                .count("cpu");
        String nodes = rows.text(row, "NodeList");
        return held > asked
                && held
                        == HostList.expand(rows.place(row, "NodeList"), nodes).stream()
                                .mapToInt(cpusOfNode)
                                .sum();
    }

    private void trace(DelimitedTable trace, DelimitedTable submitted) {
        Map<String, Long> numbers = new HashMap<>();
        for (int row = 0; row < submitted.rows(); row++) {
            if (submitted.text(row, "jobid").matches("\\d{1,15}")) {
                numbers.put(submitted.text(row, "idx"), submitted.number(row, "jobid", 0));
            }
        }
        for (int row = 0; row < trace.rows(); row++) {
            Long number = numbers.get(trace.text(row, "idx"));
            if (number == null) {
                continue;
            }
            Matcher array = ARRAY.matcher(trace.text(row, "array"));
            boolean tasks = array.matches();
            TwinJob known = jobs.get(number);
            int nodes = (int) trace.number(row, "nodes", 1);
            Long after = numbers.get(trace.text(row, "after"));
            String reservation = trace.text(row, "reservation");
            Options options = options(trace.text(row, "extra"), known);
            jobs.put(
                    number,
                    new TwinJob(
                            number,
                            trace.text(row, "user"),
                            trace.text(row, "account"),
                            trace.text(row, "qos"),
                            options.partition == null ? trace.text(row, "partition") : options.partition,
                            nodes,
                            (int) trace.number(row, "gpus", 0) / nodes,
                            known == null ? 1 : known.cpusPerNode(),
                            trace.number(row, "limit_min", 1) * 60,
                            IntStream.rangeClosed(
                                            tasks ? Integer.parseInt(array.group(1)) : 1,
                                            tasks ? Integer.parseInt(array.group(2)) : 0)
                                    .boxed()
                                    .collect(Collectors.toCollection(TreeSet::new)),
                            tasks && array.group(3) != null ? Integer.parseInt(array.group(3)) : 0,
                            after == null ? List.of() : List.of(after),
                            reservation.isEmpty() ? null : reservation,
                            known == null ? Map.of() : known.licenses(),
                            options.terms(),
                            known == null ? 0 : known.submitSecond(),
                            options.eligibleSecond));
        }
    }

    /** Options of sbatch of a row of a trace. */
    private static final class Options {
        private TwinJob.Terms known = new TwinJob.Terms(0, Set.of(), "", false, 0, null);
        private @Nullable String partition;
        private String features = "";
        private boolean exclusive;
        private int nice;
        private @Nullable Segments segments;
        private long eligibleSecond;

        TwinJob.Terms terms() {
            return new TwinJob.Terms(
                    known.memoryMib(),
                    known.gpuTypes(),
                    features.isEmpty() ? known.features() : features,
                    exclusive || known.exclusive(),
                    nice,
                    segments == null ? known.segments() : segments);
        }
    }

    /** Options of a submission; CPUs, memory, licences and types of GPUs are read from the accounting. */
    private Options options(String extra, @Nullable TwinJob known) {
        Options options = new Options();
        if (known != null) {
            options.known = known.terms();
        }
        options.segments = SegmentOptions.of(extra, 0);
        for (String option : extra.strip().split("\\s+", -1)) {
            if (option.startsWith("-p")) {
                options.partition = option.substring(2).replace('+', ',');
            } else if (option.equals("--exclusive")) {
                options.exclusive = true;
            } else if (option.startsWith("--nice=")) {
                options.nice = (int) SlurmText.number("trace.csv, extra", option.substring("--nice=".length()));
            } else if (option.startsWith("-C")) {
                options.features = features(option.substring(2));
            } else if (option.startsWith("--begin=") || option.matches("(--dependency|dep)=.*")) {
                options.eligibleSecond = known == null ? 0 : known.eligibleSecond();
                if (!option.startsWith("--begin=")) {
                    miss("waits for others otherwise than by afterok: may start when it might");
                }
            } else if (!option.matches(
                    "|-[cJ].*|--(mem|mem-per-cpu|gres|licenses|segment)=.*|--consolidate-segments")) {
                miss("has the option %s of sbatch: is replayed without".formatted(option.replaceFirst("=.*", "")));
            }
        }
        return options;
    }
}
