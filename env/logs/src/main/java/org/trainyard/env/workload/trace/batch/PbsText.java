package org.trainyard.env.workload.trace.batch;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.HostShare;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TraceLimits;
import org.trainyard.env.workload.log.TraceFieldException;
import org.trainyard.env.workload.log.TraceRow;
import org.trainyard.env.workload.trace.log.Lengths;
import org.trainyard.env.workload.trace.log.LogEntry;
import org.trainyard.env.workload.trace.log.LogJobs;

/**
 * Reads the accounting log of PBS (Pro, OpenPBS, Torque): a record a line, {@code 03/04/2024
 * 09:00:00;E;17.server;user=ann ...}. A record E is a run of a job, R one that is run again. GPUs stand in
 * {@code Resource_List.ngpus}, or else in the selected chunks or nodes.
 */
public final class PbsText {
    private static final Pattern RECORD =
            Pattern.compile("\\d\\d/\\d\\d/\\d{4} \\d\\d:\\d\\d:\\d\\d;([A-Z]);([^;]*);(.*)");
    private static final Pattern PAIR = Pattern.compile("(?:^|\\s)([A-Za-z_][A-Za-z0-9_.]*)=(\"[^\"]*\"|\\S*)");
    private static final Pattern CHUNK_GPUS = Pattern.compile("(?:ngpus|gpus)=(\\d{1,7})");
    private static final Pattern TASK = Pattern.compile("(\\d+)\\[(\\d+)].*");
    private static final Pattern DIGITS = Pattern.compile("\\d{1,7}");

    private static final Pattern MEMORY = Pattern.compile("(\\d{1,12})([kmgtp]?)[bw]?");
    private static final String WITHOUT = "without GPUs";
    private static final String UNNAMED =
            ": no record names ngpus, as where PBS gives whole servers; a table of the records with --columns"
                    + " \"job=id,gpus=nodect*8,submit=ctime,start=start,end=end\" counts 8 GPUs on each";

    private final LogJobs jobs;
    private final boolean loads;
    private long without;
    private long kept;
    /** Whether some record names GPUs. */
    private boolean named;
    /** Jobs that were queued or begun and have not ended, by id: the letter of their last record. */
    private final Map<String, String> open = new LinkedHashMap<>();

    /** @param loads whether jobs without GPUs are kept that say their CPUs or memory */
    public PbsText(LogJobs jobs, boolean loads) {
        this.jobs = jobs;
        this.loads = loads;
    }

    public static boolean isRecord(String line) {
        return RECORD.matcher(line).matches();
    }

    /** Takes one line. */
    public void add(TraceRow row) {
        String line = row.text("record");
        Matcher record = RECORD.matcher(line);
        if (!record.matches()) {
            throw new TraceFieldException("record", line, "a record of PBS: date;letter;job;key=value ...");
        }
        String letter = record.group(1);
        String id = record.group(2);
        switch (letter) {
            case "E", "R" -> {
                open.remove(id);
                run(id, letter, values(record.group(3)));
            }
            case "Q", "S", "B" -> open.put(id, letter);
            case "D", "A" -> {
                if ("Q".equals(open.remove(id))) {
                    jobs.leaveOut("that never ran");
                }
            }
            default -> jobs.note("%,d records are of no job's begin or end (licences, reservations); not used.");
        }
    }

    /** Counts the jobs that had not ended, and those without GPUs; to be called once, after the last line. */
    public void finish() {
        for (; without > 0; without--) {
            jobs.leaveOut(named ? WITHOUT : WITHOUT + UNNAMED);
        }
        for (; !named && kept > 0; kept--) {
            jobs.note("%,d jobs hold CPUs and memory alone" + UNNAMED);
        }
        open.values().forEach(letter -> jobs.leaveOut(letter.equals("S") ? "that still ran" : "that never ran"));
    }

    private static Map<String, String> values(String text) {
        Map<String, String> values = new HashMap<>();
        Matcher pair = PAIR.matcher(text);
        while (pair.find()) {
            String value = pair.group(2);
            values.putIfAbsent(pair.group(1), value.startsWith("\"") ? value.substring(1, value.length() - 1) : value);
        }
        return values;
    }

    private void run(String id, String letter, Map<String, String> values) {
        int gpus = gpus(values);
        HostShare host = host(values);
        named |= gpus > 0;
        if (gpus == 0 && (!loads || host.equals(HostShare.NONE))) {
            without++;
            return;
        }
        if (!values.containsKey("start") || !values.containsKey("end")) {
            jobs.leaveOut("that never ran");
            return;
        }
        long created = time(values, values.containsKey("ctime") ? "ctime" : "qtime");
        long eligible = values.containsKey("etime") ? time(values, "etime") : created;
        long start = time(values, "start");
        long end = time(values, "end");
        if (end < start || start < created) {
            String wrong = end < start ? "end" : "start";
            throw new TraceFieldException(
                    wrong, String.valueOf(values.get(wrong)), "a time not before those of its submission and start");
        }
        String name = values.get("jobname");
        Matcher task = TASK.matcher(id);
        SubmissionTerms.Builder terms = new SubmissionTerms.Builder()
                .account(values.getOrDefault("account", values.get("project")))
                .unixGroup(values.get("group"))
                .partition(values.get("queue"))
                .features(values.get("Resource_List.place"))
                .dependency(values.get("depend"));
        String limit = values.get("Resource_List.walltime");
        if (limit != null && limit.indexOf(':') > 0) {
            terms.limitNanos(Lengths.nanos("Resource_List.walltime", limit));
        }
        String nodes = values.get("Resource_List.nodect");
        if (nodes != null && DIGITS.matcher(nodes).matches()) {
            terms.nodes(Integer.parseInt(nodes));
        }
        if (task.matches() && DIGITS.matcher(String.valueOf(task.group(2))).matches()) {
            terms.array(new SubmissionTerms.ArrayTask(String.valueOf(task.group(1)), Long.parseLong(task.group(2)), 0));
        }
        kept += gpus == 0 ? 1 : 0;
        LogEntry entry = new LogEntry(id)
                .submitted(created)
                .ran(start, end)
                .eligible(eligible)
                .gpus(gpus, 1000)
                .host(host)
                .by(jobs.shared(values.get("user")), name, jobs.shared(name))
                .in(jobs.shared(values.get("queue")))
                .on(hosts(values.get("exec_host")))
                .ended(letter.equals("R") ? "REQUEUED" : null, values.get("Exit_status"), null)
                .resumable(letter.equals("R"))
                .terms(terms.build());
        jobs.take(entry);
    }

    private long time(Map<String, String> values, String key) {
        return jobs.clock().nanos(key, values.getOrDefault(key, ""), 0);
    }

    /** The servers of {@code n1/0*8+n2/0*8}. */
    private static @Nullable String hosts(@Nullable String text) {
        return text == null ? null : text.replaceAll("/[^+]*", "").replace('+', ',');
    }

    /** CPUs and memory of the whole job, in KiB, MiB and so on, which PBS calls kb, mb. */
    private static HostShare host(Map<String, String> values) {
        String cpus = values.getOrDefault("Resource_List.ncpus", "0");
        Matcher memory = MEMORY.matcher(values.getOrDefault("Resource_List.mem", ""));
        double mib = memory.matches()
                ? Double.parseDouble(memory.group(1))
                        * Math.pow(1024, (memory.group(2).isEmpty() ? 0 : "kmgtp".indexOf(memory.group(2)) + 1) - 2)
                : 0;
        return new HostShare(DIGITS.matcher(cpus).matches() ? 1000 * Long.parseLong(cpus) : 0, (long) Math.ceil(mib));
    }

    private static int gpus(Map<String, String> values) {
        String all = values.get("Resource_List.ngpus");
        long gpus = 0;
        if (all != null && DIGITS.matcher(all).matches()) {
            gpus = Long.parseLong(all);
        } else if (values.containsKey("exec_vnode")) {
            Matcher chunk = CHUNK_GPUS.matcher(values.get("exec_vnode"));
            while (chunk.find()) {
                gpus += Long.parseLong(chunk.group(1));
            }
        } else if (values.containsKey("exec_gpus")) {
            gpus = values.get("exec_gpus").split("\\+", -1).length;
        } else {
            gpus = chunks(values.getOrDefault("Resource_List.select", values.getOrDefault("Resource_List.nodes", "")));
        }
        if (gpus > TraceLimits.GPUS) {
            throw new TraceFieldException(
                    "Resource_List.ngpus", Long.toString(gpus), "at most %d GPUs".formatted(TraceLimits.GPUS));
        }
        return (int) gpus;
    }

    /** GPUs of {@code 2:ncpus=8:ngpus=4+1:ncpus=1} or {@code 2:ppn=8:gpus=4}. */
    private static long chunks(String select) {
        long gpus = 0;
        for (String chunk : select.split("\\+", -1)) {
            String count = chunk.split(":", 2)[0];
            Matcher each = CHUNK_GPUS.matcher(chunk);
            if (each.find()) {
                gpus += Long.parseLong(each.group(1)) * (DIGITS.matcher(count).matches() ? Long.parseLong(count) : 1);
            }
        }
        return gpus;
    }
}
