package org.trainyard.interference.runtime;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;

/**
 * The forest's features of a job: what is known at its submission, statistics of the finished jobs of its group and
 * user, and how many of these are not over.
 *
 * <p>Names become hashes in 0..1. Run times are natural logarithms of seconds at the ideal rate of the job; those of
 * its group follow from their iterations. Where a group or a user has no finished run, its mean, median and last run
 * are the estimate of the next wider set of jobs, so no feature is missing. Digits of a job's name are dropped, because
 * most logs number the runs. The kinds of feature (user, group, name, GPUs, resources, model, hour, earlier runs) are
 * those of the A-SRPT specification; their exact form, recent means and unfinished jobs are our choice.
 */
public final class SubmissionFeatures {
    /** Names of the features, in the order of a row. */
    public static final List<String> NAMES = List.of(
            "gpus_log2",
            "most_gpus_log2",
            "gpu_milli",
            "cpu_log",
            "memory_log",
            "one_server",
            "gpu_type",
            "user",
            "group",
            "name",
            "model",
            "virtual_cluster",
            "hour",
            "weekday",
            "group_runs",
            "group_mean",
            "group_median",
            "group_last",
            "user_runs",
            "user_mean",
            "user_median",
            "user_last",
            "expected",
            "rate",
            "recent",
            "tenant_recent",
            "open",
            "group_open",
            "group_age",
            "user_open",
            "user_age");

    /** Features in a row. */
    public static final int COUNT = NAMES.size();

    private static final long HOUR_NANOS = 3_600_000_000_000L;
    private static final Pattern DIGITS = Pattern.compile("[0-9]+");
    /** Feature of an unknown name: below every hash. */
    private static final float UNKNOWN = -1;

    private SubmissionFeatures() {}

    /** A job's row, given the others when it is submitted. */
    static float[] row(JobSpec job, JobsSoFar others) {
        float[] row = new float[COUNT];
        submission(job, row);
        past(job, others, row);
        return row;
    }

    private static void submission(JobSpec job, float[] row) {
        Demand demand = job.demand();
        row[0] = log2(demand.gpus());
        row[1] = log2(demand.maxGpus());
        row[2] = demand.gpuMilli();
        row[3] = (float) Math.log1p((double) demand.cpuMilli());
        row[4] = (float) Math.log1p((double) demand.memoryMib());
        row[5] = demand.oneServer() ? 1 : 0;
        row[6] = demand.gpuTypes().isEmpty() ? UNKNOWN : hash(String.join(",", demand.gpuTypes()));
        row[7] = hash(job.user());
        row[8] = hash(job.group());
        row[9] = hash(DIGITS.matcher(job.name()).replaceAll("#"));
        row[10] = hash(job.model().name());
        row[11] = hash(job.virtualCluster());
        row[12] = (float) (job.submitNanos() % (24 * HOUR_NANOS)) / HOUR_NANOS;
        row[13] = job.submitNanos() / (24 * HOUR_NANOS) % 7;
    }

    private static void past(JobSpec job, JobsSoFar others, float[] row) {
        double rate = JobsSoFar.logRate(job);
        double expected = others.expected(job) - rate;
        circle(others.group(job), rate, expected, row, 14);
        circle(others.user(job), 0, others.demandEstimate(job), row, 18);
        row[22] = (float) expected;
        row[23] = (float) rate;
        row[24] = (float) others.recent(null);
        row[25] = (float) others.recent(job.virtualCluster());
        row[26] = (float) Math.log1p(others.open());
        row[27] = (float) Math.log1p(others.openOfGroup(job));
        row[28] = logAge(others.groupAge(job));
        row[29] = (float) Math.log1p(others.openOfUser(job));
        row[30] = logAge(others.userAge(job));
    }

    private static void circle(RunStatistics runs, double minus, double wider, float[] row, int at) {
        boolean known = runs.count() > 0;
        row[at] = (float) Math.log1p(runs.count());
        row[at + 1] = (float) (known ? runs.meanLog() - minus : wider);
        row[at + 2] = (float) (known ? runs.medianLog() - minus : wider);
        row[at + 3] = (float) (known ? runs.lastLog() - minus : wider);
    }

    private static float logAge(double seconds) {
        return seconds < 0 ? UNKNOWN : (float) Math.log1p(seconds);
    }

    private static float log2(int gpus) {
        return gpus == 0 ? -1 : (float) (Math.log(gpus) / Math.log(2));
    }

    /** Hash of a name in 0..1, the same on every machine. */
    private static float hash(@Nullable String name) {
        if (name == null) {
            return UNKNOWN;
        }
        // The finaliser of MurmurHash3: strings that differ by one letter must not get adjacent hashes.
        int bits = name.hashCode();
        bits = (bits ^ bits >>> 16) * 0x85ebca6b;
        bits = (bits ^ bits >>> 13) * 0xc2b2ae35;
        bits ^= bits >>> 16;
        return (bits >>> 8) * 0x1p-24f;
    }
}
