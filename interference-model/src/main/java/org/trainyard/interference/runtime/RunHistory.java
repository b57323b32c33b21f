package org.trainyard.interference.runtime;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.JobSpec;

/**
 * The finished jobs so far, by group, user and GPU demand.
 *
 * <p>An estimate starts with all jobs and narrows to the same demand (in powers of two), user and group. Each level is
 * shrunk towards the level before, which counts as two more jobs: one smoothed estimate for known and new groups,
 * without thresholds.
 */
public final class RunHistory {
    /** The prediction before the first completion, seconds: half an hour; chosen by us. */
    public static final double PRIOR_SECONDS = 1800;

    private static final double PRIOR_LOG = Math.log(PRIOR_SECONDS);
    private static final RunStatistics NONE = new RunStatistics(false);

    /** Demands of 0 GPUs, of 1, of 2 and 3, of 4 to 7, and so on. */
    private static final int DEMANDS = Integer.SIZE;

    private final boolean keepsMedians;
    private final RunStatistics all;
    private final RunStatistics[] byDemand = new RunStatistics[DEMANDS];
    // Looked up by key and iterated in the order of keys only, so hash order has no effect.
    private final Map<String, RunStatistics> byUser = new HashMap<>();
    private final Map<String, RunStatistics> byGroup = new HashMap<>();

    /** A history with all statistics. */
    public RunHistory() {
        this(true);
    }

    private RunHistory(boolean keepsMedians) {
        this.keepsMedians = keepsMedians;
        all = new RunStatistics(keepsMedians);
        for (int demand = 0; demand < DEMANDS; demand++) {
            byDemand[demand] = new RunStatistics(keepsMedians);
        }
    }

    /** A history without medians, for estimates alone: its memory does not grow with the jobs of a group. */
    public static RunHistory withoutMedians() {
        return new RunHistory(false);
    }

    private RunHistory(DataInputStream in) throws IOException {
        keepsMedians = true;
        all = RunStatistics.read(in);
        for (int demand = 0; demand < DEMANDS; demand++) {
            byDemand[demand] = RunStatistics.read(in);
        }
        readInto(byUser, in);
        readInto(byGroup, in);
    }

    public void add(JobSpec job, double seconds) {
        double logSeconds = Math.log(seconds);
        all.add(logSeconds);
        byDemand[demand(job)].add(logSeconds);
        add(byUser, job.user(), logSeconds);
        add(byGroup, job.group(), logSeconds);
    }

    private void add(Map<String, RunStatistics> runs, @Nullable String key, double logSeconds) {
        if (key != null) {
            runs.computeIfAbsent(key, unseen -> new RunStatistics(keepsMedians)).add(logSeconds);
        }
    }

    public RunStatistics all() {
        return all;
    }

    /** The runs of the job's user; without any when there are none or the user is not known. */
    public RunStatistics user(JobSpec job) {
        return job.user() == null ? NONE : byUser.getOrDefault(job.user(), NONE);
    }

    /** The runs of the job's group, likewise. */
    public RunStatistics group(JobSpec job) {
        return job.group() == null ? NONE : byGroup.getOrDefault(job.group(), NONE);
    }

    /** Logarithm of the seconds a job of that demand is expected to run, whoever submits it. */
    public double demandEstimate(JobSpec job) {
        return byDemand[demand(job)].estimate(all.estimate(PRIOR_LOG));
    }

    /**
     * Logarithm of the seconds a job of that demand and user is expected to run; without runs of the user, the estimate
     * by demand.
     */
    public double userEstimate(JobSpec job) {
        double estimate = demandEstimate(job);
        RunStatistics user = user(job);
        return user.count() == 0 ? estimate : user.estimate(estimate);
    }

    /** Logarithm of the seconds a job of that demand, user and group is expected to run: the smoothed estimate. */
    public double estimate(JobSpec job) {
        double estimate = userEstimate(job);
        RunStatistics group = group(job);
        return group.count() == 0 ? estimate : group.estimate(estimate);
    }

    private static int demand(JobSpec job) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(job.gpus());
    }

    public void write(DataOutputStream out) throws IOException {
        all.write(out);
        for (RunStatistics demand : byDemand) {
            demand.write(out);
        }
        write(byUser, out);
        write(byGroup, out);
    }

    private static void write(Map<String, RunStatistics> runs, DataOutputStream out) throws IOException {
        out.writeInt(runs.size());
        for (Map.Entry<String, RunStatistics> entry : new TreeMap<>(runs).entrySet()) {
            byte[] key = entry.getKey().getBytes(StandardCharsets.UTF_8);
            out.writeInt(key.length);
            out.write(key);
            entry.getValue().write(out);
        }
    }

    public static RunHistory read(DataInputStream in) throws IOException {
        return new RunHistory(in);
    }

    private static void readInto(Map<String, RunStatistics> runs, DataInputStream in) throws IOException {
        int size = in.readInt();
        for (int i = 0; i < size; i++) {
            byte[] key = in.readNBytes(in.readInt());
            runs.put(new String(key, StandardCharsets.UTF_8), RunStatistics.read(in));
        }
    }
}
