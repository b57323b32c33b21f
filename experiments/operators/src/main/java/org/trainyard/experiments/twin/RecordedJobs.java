package org.trainyard.experiments.twin;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.trace.slurm.DelimitedTable;
import org.trainyard.env.workload.trace.slurm.HostList;
import org.trainyard.env.workload.trace.slurm.SlurmText;
import org.trainyard.env.workload.trace.slurm.Tres;

/**
 * The jobs of a recording, from the accounting; what it does not hold (dependencies, limits of arrays, jobs that it
 * lost) from the trace that was submitted, where that is there.
 */
final class RecordedJobs {
    private static final Pattern ID = Pattern.compile("(\\d+)(?:_(\\d+)|_\\[.*)?");
    private static final Pattern ARRAY = Pattern.compile("(\\d+)-(\\d+)(?:%(\\d+))?");

    private final Map<Long, TwinJob> jobs = new TreeMap<>();
    private final List<TwinRun> runs = new ArrayList<>();

    private RecordedJobs() {}

    static RecordedJobs of(List<String> sacct, @Nullable List<String> trace, @Nullable List<String> submitted) {
        RecordedJobs recorded = new RecordedJobs();
        recorded.accounting(DelimitedTable.ofBars(
                "sacct.txt", sacct, "JobID", "User", "Submit", "Start", "End", "State", "Timelimit", "ReqTRES"));
        if (trace != null && submitted != null) {
            recorded.trace(
                    DelimitedTable.ofCommas("trace.csv", trace, "idx", "gpus", "nodes", "limit_min"),
                    DelimitedTable.ofCommas("submitted.csv", submitted, "idx", "jobid"));
        }
        return recorded;
    }

    /** By number. */
    Map<Long, TwinJob> jobs() {
        return jobs;
    }

    /** Jobs, every task of an array counted. */
    int count() {
        return jobs.values().stream().mapToInt(job -> Math.max(1, job.tasks())).sum();
    }

    /** Every run of every job or task, and one without a start for those that never ran. */
    List<TwinRun> runs() {
        return runs;
    }

    private void accounting(DelimitedTable rows) {
        for (int row = 0; row < rows.rows(); row++) {
            Matcher id = ID.matcher(rows.text(row, "JobID"));
            if (!id.matches()) {
                continue;
            }
            long number = Long.parseLong(id.group(1));
            TwinJob job = job(rows, row, number);
            int tasks = id.group(2) == null ? 0 : Integer.parseInt(id.group(2)) + 1;
            TwinJob before = jobs.get(number);
            jobs.put(
                    number,
                    before == null ? arrayOf(job, tasks, 0) : arrayOf(before, Math.max(tasks, before.tasks()), 0));
            String start = rows.text(row, "Start");
            String end = rows.text(row, "End");
            boolean ran = isTime(start) && isTime(end);
            runs.add(new TwinRun(
                    rows.text(row, "JobID"),
                    job.submitSecond(),
                    ran ? SlurmText.millis(rows.place(row, "Start"), start) : -1,
                    ran ? SlurmText.millis(rows.place(row, "End"), end) : -1,
                    ran ? HostList.expand(rows.place(row, "NodeList"), rows.text(row, "NodeList")) : List.of(),
                    rows.text(row, "State").matches("(PREEMPTED|REQUEUED|NODE_FAIL).*")));
        }
    }

    private static boolean isTime(String text) {
        return text.startsWith("2") || text.startsWith("1");
    }

    private static TwinJob job(DelimitedTable rows, int row, long number) {
        int nodes = (int) Math.max(1, rows.number(row, "NNodes", 1));
        String requested = rows.text(row, "ReqTRES");
        Tres tres = Tres.of(rows.place(row, "ReqTRES"), requested);
        String eligible = rows.text(row, "Eligible");
        String reservation = rows.text(row, "Reservation");
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
                0,
                0,
                List.of(),
                reservation.isEmpty() ? null : reservation,
                SlurmText.licenses(rows.place(row, "ReqTRES"), Tres.licenses(requested)),
                Math.floorDiv(SlurmText.millis(rows.place(row, "Submit"), rows.text(row, "Submit")), 1000),
                isTime(eligible) ? Math.floorDiv(SlurmText.millis(rows.place(row, "Eligible"), eligible), 1000) : 0);
    }

    private static TwinJob arrayOf(TwinJob job, int tasks, int atOnce) {
        return new TwinJob(
                job.id(),
                job.user(),
                job.account(),
                job.qos(),
                job.partition(),
                job.nodes(),
                job.gpusPerNode(),
                job.cpusPerNode(),
                job.limitSeconds(),
                tasks,
                atOnce,
                job.after(),
                job.reservation(),
                job.licenses(),
                job.submitSecond(),
                job.eligibleSecond());
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
            jobs.put(
                    number,
                    new TwinJob(
                            number,
                            trace.text(row, "user"),
                            trace.text(row, "account"),
                            trace.text(row, "qos"),
                            trace.text(row, "partition"),
                            nodes,
                            (int) trace.number(row, "gpus", 0) / nodes,
                            known == null ? 1 : known.cpusPerNode(),
                            trace.number(row, "limit_min", 1) * 60,
                            tasks ? Integer.parseInt(array.group(2)) + 1 : 0,
                            tasks && array.group(3) != null ? Integer.parseInt(array.group(3)) : 0,
                            after == null ? List.of() : List.of(after),
                            reservation.isEmpty() ? null : reservation,
                            known == null ? Map.of() : known.licenses(),
                            known == null ? 0 : known.submitSecond(),
                            0));
        }
    }
}
