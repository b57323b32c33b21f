package org.trainyard.experiments.metrics;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.workload.Demand;

/**
 * How evenly a scheduler treats users and jobs.
 *
 * <p>Jain's index of the mean slowdowns {@code x} of n users is {@code (sum x)^2 / (n sum x^2)}: 1 when all are equal,
 * 1/n when one has everything (R. Jain, D. Chiu, W. Hawe: A quantitative measure of fairness and discrimination for
 * resource allocation in shared computer systems, DEC-TR-301, 1984).
 *
 * <p>Finish-time fairness of a job is {@code rho}, its JCT over the time it would take on a 1/n share of the cluster of
 * its own (K. Mahajan et al.: Themis: Fair and efficient GPU cluster scheduling, NSDI 2020); above 1 the job would have
 * been better off alone. As in Themis, n is the mean number of jobs that wait or run while the job does. Our reading:
 * (1) alone, a job takes its undisturbed run time, longer in proportion when its share has fewer GPUs than it asks for,
 * and no shorter when the share has more; (2) n and the run time are those of the run, known afterwards, and no
 * estimates of the scheduler; (3) jobs are the parties, not users.
 *
 * @param jainUsers Jain's index of the users' mean slowdowns; null with fewer than two users
 * @param jainVirtualClusters the same for virtual clusters
 * @param finishTime rho over all jobs
 * @param unfairShare share of the jobs with rho above 1
 */
public record Fairness(
        @Nullable Double jainUsers, @Nullable Double jainVirtualClusters, Distribution finishTime, double unfairShare) {
    /** The fairness of the episodes of one scheduler. O(n log n). */
    public static Fairness of(List<RunResult> episodes) {
        List<JobOutcome> jobs = JobFigures.jobs(episodes);
        double[] rho = new double[jobs.size()];
        int at = 0;
        int unfair = 0;
        for (RunResult episode : episodes) {
            for (double one : finishTimes(episode)) {
                rho[at++] = one;
                unfair += one > 1 ? 1 : 0;
            }
        }
        return new Fairness(
                jain(jobs, Grouping.USER),
                jain(jobs, Grouping.VIRTUAL_CLUSTER),
                Distribution.of(rho),
                unfair / (double) rho.length);
    }

    private static @Nullable Double jain(List<JobOutcome> jobs, Grouping parties) {
        Map<String, List<JobOutcome>> byParty = parties.byName(jobs);
        return byParty.size() < 2
                ? null
                : jain(byParty.values().stream()
                        .mapToDouble(of -> Statistics.mean(JobMetric.SLOWDOWN.values(of)))
                        .toArray());
    }

    /** Jain's index of some values above zero. */
    static double jain(double[] figures) {
        double sum = 0;
        double squares = 0;
        for (double figure : figures) {
            sum += figure;
            squares += figure * figure;
        }
        return sum * sum / (figures.length * squares);
    }

    /** By job, {@code rho}. */
    static double[] finishTimes(RunResult episode) {
        Presence presence = new Presence(episode.jobs());
        double[] rho = new double[episode.jobs().size()];
        for (int i = 0; i < rho.length; i++) {
            JobOutcome job = episode.jobs().get(i);
            Demand demand = job.job().demand();
            double gpus = demand.gpus() * (demand.gpuMilli() / (double) Demand.WHOLE);
            double share = episode.gpus() / presence.mean(job.job().submitNanos(), job.endNanos());
            rho[i] = job.jctSlowdown() / Math.max(1, gpus / share);
        }
        return rho;
    }

    /** The number of jobs that wait or run, by time. */
    private static final class Presence {
        private final long[] submits;
        private final long[] ends;
        private final double[] submitSums;
        private final double[] endSums;

        Presence(List<JobOutcome> jobs) {
            submits = new long[jobs.size()];
            ends = new long[jobs.size()];
            for (int i = 0; i < submits.length; i++) {
                submits[i] = jobs.get(i).job().submitNanos();
                ends[i] = jobs.get(i).endNanos();
            }
            Arrays.sort(submits);
            Arrays.sort(ends);
            submitSums = sums(submits);
            endSums = sums(ends);
        }

        private static double[] sums(long[] nanos) {
            double[] sums = new double[nanos.length + 1];
            for (int i = 0; i < nanos.length; i++) {
                sums[i + 1] = sums[i] + nanos[i] / 1e9;
            }
            return sums;
        }

        /** The mean from one time to a later one. */
        double mean(long fromNanos, long untilNanos) {
            return (jobSeconds(untilNanos) - jobSeconds(fromNanos)) / (Math.max(1, untilNanos - fromNanos) / 1e9);
        }

        /** The integral up to a time. */
        private double jobSeconds(long nanos) {
            return since(nanos, submits, submitSums) - since(nanos, ends, endSums);
        }

        /** The sum over all instants before this one of the time that has passed since. */
        private static double since(long nanos, long[] instants, double[] sums) {
            int at = Arrays.binarySearch(instants, nanos);
            int before = at < 0 ? -at - 1 : at;
            return before * (nanos / 1e9) - sums[before];
        }
    }
}
