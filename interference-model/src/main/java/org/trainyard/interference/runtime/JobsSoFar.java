package org.trainyard.interference.runtime;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.JobSpec;

/**
 * Statistics of the other jobs when a job is submitted, for the forest: runs of the finished ones, and how many of the
 * same group and user are not over, since when.
 *
 * <p>Runs of a group are compared by their iterations, as in A-SRPT. Those of users, demands and all jobs train
 * different models, so they are compared in seconds at their ideal rates, which is ours. O(log jobs) per call.
 */
final class JobsSoFar {
    /** A recent mean moves by this part towards each finished job; chosen by us, as are the two below. */
    private static final double STEP = 0.05;

    /** Jobs that the estimate for the user counts as in that for a group with finished runs. */
    private static final double WEIGHT = 0.25;

    /** Expected run time of a job of an unfinished group, in ages of its oldest run. */
    private static final double AGES = 3;

    private static final String NOBODY = "";

    private final RunHistory seconds;
    private final RunHistory iterations;
    // Looked up by key, or in the order of keys.
    private final TreeMap<String, Double> recent = new TreeMap<>();
    private final Map<String, NavigableMap<Integer, Long>> openOfGroup = new HashMap<>();
    private final Map<String, NavigableMap<Integer, Long>> openOfUser = new HashMap<>();
    private int open;

    JobsSoFar() {
        seconds = new RunHistory();
        iterations = new RunHistory();
    }

    /**
     * Reads what {@link #write} wrote: of logs, whose jobs have a rate of one and iterations equal to their seconds.
     */
    JobsSoFar(DataInputStream in) throws IOException {
        seconds = RunHistory.read(in);
        iterations = seconds;
        for (int left = in.readInt(); left > 0; left--) {
            byte[] tenant = in.readNBytes(in.readInt());
            recent.put(new String(tenant, StandardCharsets.UTF_8), in.readDouble());
        }
    }

    void write(DataOutputStream out) throws IOException {
        seconds.write(out);
        out.writeInt(recent.size());
        for (Map.Entry<String, Double> entry : recent.entrySet()) {
            byte[] tenant = entry.getKey().getBytes(StandardCharsets.UTF_8);
            out.writeInt(tenant.length);
            out.write(tenant);
            out.writeDouble(entry.getValue());
        }
    }

    void arrive(JobSpec job) {
        open++;
        open(openOfGroup, job.group(), job);
        open(openOfUser, job.user(), job);
    }

    private static void open(Map<String, NavigableMap<Integer, Long>> jobs, @Nullable String key, JobSpec job) {
        if (key != null) {
            jobs.computeIfAbsent(key, unseen -> new TreeMap<>()).put(job.id(), job.submitNanos());
        }
    }

    /** A job that arrived has finished, after so many seconds at its ideal rate. */
    void finish(JobSpec job, double itsSeconds) {
        open--;
        openOf(openOfGroup, job.group()).remove(job.id());
        openOf(openOfUser, job.user()).remove(job.id());
        seconds.add(job, itsSeconds);
        iterations.add(job, itsSeconds * job.idealIterationsPerSecond());
        double log = Math.log(itsSeconds);
        double all = recent(null);
        recent.put(NOBODY, all + STEP * (log - all));
        if (job.virtualCluster() != null) {
            double its = recent(job.virtualCluster());
            recent.put(job.virtualCluster(), its + STEP * (log - its));
        }
    }

    private static NavigableMap<Integer, Long> openOf(
            Map<String, NavigableMap<Integer, Long>> jobs, @Nullable String key) {
        NavigableMap<Integer, Long> its = key == null ? null : jobs.get(key);
        return its == null ? new TreeMap<>() : its;
    }

    /** Whether a run of the job's group has finished. */
    boolean knowsGroup(JobSpec job) {
        return iterations.group(job).count() > 0;
    }

    /**
     * Logarithm of the iterations expected of a job, before any forest: those of the finished runs of its group; for a
     * group of which no run has finished the seconds of its user, demand and all jobs, but at least three times the age
     * of its oldest run; in iterations at the rate of the job.
     */
    double expected(JobSpec job) {
        double wide = seconds.userEstimate(job) + logRate(job);
        RunStatistics group = iterations.group(job);
        if (group.count() > 0) {
            return (WEIGHT * wide + group.count() * group.meanLog()) / (WEIGHT + group.count());
        }
        double age = groupAge(job);
        return age > 0 ? Math.max(wide, Math.log(AGES * age) + logRate(job)) : wide;
    }

    static double logRate(JobSpec job) {
        return Math.log(job.idealIterationsPerSecond());
    }

    RunStatistics group(JobSpec job) {
        return iterations.group(job);
    }

    RunStatistics user(JobSpec job) {
        return seconds.user(job);
    }

    /** Logarithm of the seconds expected of a job of that demand, whoever submits it. */
    double demandEstimate(JobSpec job) {
        return seconds.demandEstimate(job);
    }

    /**
     * Mean logarithm of the seconds of the jobs of a tenant that finished last, or of all jobs for null or a new one.
     */
    double recent(@Nullable String tenant) {
        Double its = tenant == null ? null : recent.get(tenant);
        return its == null ? recent.getOrDefault(NOBODY, Math.log(RunHistory.PRIOR_SECONDS)) : its;
    }

    /** Jobs that have arrived and are not over. */
    int open() {
        return open;
    }

    int openOfGroup(JobSpec job) {
        return openOf(openOfGroup, job.group()).size();
    }

    int openOfUser(JobSpec job) {
        return openOf(openOfUser, job.user()).size();
    }

    /** Seconds since the first unfinished run of the job's group was submitted; -1 when there is none. */
    double groupAge(JobSpec job) {
        Map.Entry<Integer, Long> oldest = openOf(openOfGroup, job.group()).firstEntry();
        return since(oldest, job);
    }

    /** Seconds since the user's newest unfinished job was submitted; -1 when there is none. */
    double userAge(JobSpec job) {
        return since(openOf(openOfUser, job.user()).lastEntry(), job);
    }

    private static double since(Map.@Nullable Entry<Integer, Long> other, JobSpec job) {
        return other == null ? -1 : Math.max(0, (job.submitNanos() - other.getValue()) / 1e9);
    }
}
