package org.trainyard.env.workload.trace.batch;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.HostShare;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TraceLimits;
import org.trainyard.env.workload.log.TraceFieldException;
import org.trainyard.env.workload.trace.log.LogEntry;
import org.trainyard.env.workload.trace.log.LogJobs;

/**
 * Reads the ClassAds of HTCondor, as {@code condor_history -json} or {@code -long} prints them. A job waits from
 * {@code QDate} to its first start, and runs for its wall clock time ({@code RemoteWallClockTime}), which counts all of
 * its starts.
 */
public final class CondorAds {
    private static final int IDLE = 1;
    private static final int RUNNING = 2;
    private static final int COMPLETED = 4;
    private static final int REMOVED = 3;
    private static final Pattern LINE = Pattern.compile("([A-Za-z][A-Za-z0-9_]*) = (.*)");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,12}(\\.\\d+)?");

    private final LogJobs jobs;
    private final boolean loads;

    /** @param loads whether jobs without GPUs are kept that say their CPUs or memory */
    public CondorAds(LogJobs jobs, boolean loads) {
        this.jobs = jobs;
        this.loads = loads;
    }

    /** Whether these are the keys of a job. */
    public static boolean isJob(Map<String, String> ad) {
        return ad.containsKey("ClusterId")
                && (ad.containsKey("QDate") || ad.containsKey("JobStatus") || ad.containsKey("ProcId"));
    }

    /** Puts a line {@code Key = value} of the long form into an ad; false when it is none. */
    public static boolean put(String line, Map<String, String> ad) {
        Matcher pair = LINE.matcher(line.strip());
        if (!pair.matches()) {
            return false;
        }
        String value = pair.group(2).strip();
        boolean isQuoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
        ad.put(pair.group(1), isQuoted ? value.substring(1, value.length() - 1) : value);
        return true;
    }

    /** Takes one ad. */
    public void add(Map<String, String> ad) {
        String cluster = ad.getOrDefault("ClusterId", "");
        if (!NUMBER.matcher(cluster).matches()) {
            throw new TraceFieldException("ClusterId", cluster, "the number of a job");
        }
        String gpuText = ad.getOrDefault("RequestGpus", ad.getOrDefault("RequestGPUs", "0"))
                .strip();
        if (gpuText.isEmpty() || gpuText.equals("undefined") || gpuText.equals("null")) {
            gpuText = "0";
        }
        if (!NUMBER.matcher(gpuText).matches() || Double.parseDouble(gpuText) > TraceLimits.GPUS) {
            throw new TraceFieldException("RequestGpus", gpuText, "a whole number of GPUs");
        }
        int gpus = (int) Double.parseDouble(gpuText);
        long status = number(ad, "JobStatus", COMPLETED);
        String first = List.of("JobStartDate", "JobCurrentStartDate").stream()
                .filter(key -> number(ad, key, 0) > 0)
                .findFirst()
                .orElse(null);
        HostShare host = new HostShare(
                1000L * Math.min(1 << 20, number(ad, "RequestCpus", 0)),
                Math.min(1L << 40, number(ad, "RequestMemory", 0)));
        LogEntry entry = entry(ad, cluster, gpus).host(host);
        if (gpus == 0 && (!loads || host.equals(HostShare.NONE))) {
            jobs.leaveOut("without GPUs");
        } else if (first == null && status == IDLE) {
            jobs.queued(entry.submitted(time(ad, "QDate")));
        } else if (first == null) {
            jobs.leaveOut("that never ran");
        } else {
            entry.submitted(time(ad, "QDate"));
            long start = time(ad, first);
            String last = end(ad, status);
            if (last == null) {
                jobs.stillRan(
                        "that still ran (state %s)".formatted(status == RUNNING ? "running" : "status " + status),
                        entry.ran(start, -1));
            } else {
                finish(ad, entry, start, last);
            }
        }
    }

    private static @Nullable String end(Map<String, String> ad, long status) {
        if (number(ad, "CompletionDate", 0) > 0) {
            return "CompletionDate";
        }
        return (status == REMOVED || status == COMPLETED) && number(ad, "EnteredCurrentStatus", 0) > 0
                ? "EnteredCurrentStatus"
                : null;
    }

    private void finish(Map<String, String> ad, LogEntry entry, long start, String last) {
        long end = time(ad, last);
        long submit = time(ad, "QDate");
        if (start < submit || end < start) {
            throw new TraceFieldException(last, String.valueOf(ad.get(last)), "a time not before QDate and the start");
        }
        long wall = Math.round(decimal(ad, "RemoteWallClockTime") * 1e9);
        entry.ran(start, end);
        if (wall > 0 && wall < end - start) {
            entry.lasted(wall);
        }
        jobs.take(entry);
    }

    private LogEntry entry(Map<String, String> ad, String cluster, int gpus) {
        String process = ad.getOrDefault("ProcId", "0");
        String batch = ad.get("JobBatchName");
        LogEntry entry = new LogEntry(cluster + "." + process)
                .gpus(gpus, 1000)
                .by(
                        jobs.shared(ad.getOrDefault("Owner", ad.get("User"))),
                        null,
                        jobs.shared(batch == null ? ad.get("Cmd") : batch))
                .in(jobs.shared(ad.get("AccountingGroup")))
                .on(jobs.shared(ad.get("LastRemoteHost")))
                .ended(null, ad.get("ExitCode"), ad.get("RemoveReason"))
                .terms(new SubmissionTerms.Builder()
                        .account(jobs.shared(ad.get("AccountingGroup")))
                        .features(jobs.shared(ad.get("RequireGpus")))
                        .build());
        long starts = number(ad, "NumJobStarts", 1);
        return entry.restarted((int) Math.max(0, Math.min(1_000_000, starts) - 1));
    }

    private long time(Map<String, String> ad, String key) {
        return jobs.clock().nanos(key, ad.getOrDefault(key, ""), 0);
    }

    private static long number(Map<String, String> ad, String key, long otherwise) {
        String text = ad.get(key);
        return text != null && NUMBER.matcher(text).matches() ? (long) Double.parseDouble(text) : otherwise;
    }

    private static double decimal(Map<String, String> ad, String key) {
        String text = ad.get(key);
        return text != null && NUMBER.matcher(text).matches() ? Double.parseDouble(text) : 0;
    }
}
