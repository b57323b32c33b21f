package org.trainyard.experiments.advice;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.metrics.Distribution;
import org.trainyard.experiments.metrics.JobMetric;
import org.trainyard.experiments.metrics.RankingMetric;

/** The jobs of a log under one scheduler, or as they were. For machines, times in seconds. */
@JsonAutoDetect(fieldVisibility = JsonAutoDetect.Visibility.NONE)
@JsonPropertyOrder({"wait_s", "jct_s", "gpus_held"})
public final class LogOutcome {
    /** The name of the past. */
    public static final String PAST = "as it was";

    private final String name;
    private final double[] waitSeconds;
    private final double[] jctSeconds;
    private final double[] slowdowns;
    private final double gpusHeld;
    private final long preemptions;

    private LogOutcome(
            String name,
            double[] waitSeconds,
            double[] jctSeconds,
            double[] slowdowns,
            double gpusHeld,
            long preemptions) {
        this.name = name;
        this.waitSeconds = waitSeconds;
        this.jctSeconds = jctSeconds;
        this.slowdowns = slowdowns;
        this.gpusHeld = gpusHeld;
        this.preemptions = preemptions;
    }

    /**
     * A run of a simulator, of whose jobs those with GPUs count where some have any.
     *
     * @param delaySeconds that pass between each decision and the start
     */
    static LogOutcome of(String name, RunResult run, double delaySeconds) {
        List<JobOutcome> withGpus =
                run.jobs().stream().filter(job -> job.job().gpus() > 0).toList();
        List<JobOutcome> jobs = withGpus.isEmpty() ? run.jobs() : withGpus;
        double[] waits = JobMetric.WAIT.values(jobs);
        double[] jcts = JobMetric.JCT.values(jobs);
        double[] slowdowns = JobMetric.SLOWDOWN.values(jobs);
        for (int job = 0; job < waits.length && delaySeconds > 0; job++) {
            slowdowns[job] *= 1 + delaySeconds / jcts[job];
            waits[job] += delaySeconds;
            jcts[job] += delaySeconds;
        }
        return new LogOutcome(
                name,
                waits,
                jcts,
                slowdowns,
                run.gpuUtilisation(),
                jobs.stream().mapToLong(JobOutcome::preemptions).sum());
    }

    /**
     * Several replays of the same jobs as one, those of each job side by side; the share of GPUs held is their mean.
     */
    static LogOutcome pooled(String name, List<LogOutcome> replays) {
        int count = replays.size();
        double[][] values = new double[3][count * replays.get(0).jobs()];
        for (int at = 0; at < values[0].length; at++) {
            LogOutcome replay = replays.get(at % count);
            values[0][at] = replay.waitSeconds[at / count];
            values[1][at] = replay.jctSeconds[at / count];
            values[2][at] = replay.slowdowns[at / count];
        }
        return new LogOutcome(
                name,
                values[0],
                values[1],
                values[2],
                replays.stream().mapToDouble(LogOutcome::gpusHeld).average().orElse(0),
                replays.stream().mapToLong(LogOutcome::preemptions).sum() / count);
    }

    /** Writes it, for {@link #read}. */
    void write(DataOutputStream out) throws IOException {
        out.writeUTF(name);
        out.writeInt(waitSeconds.length);
        for (int job = 0; job < waitSeconds.length; job++) {
            out.writeDouble(waitSeconds[job]);
            out.writeDouble(jctSeconds[job]);
            out.writeDouble(slowdowns[job]);
        }
        out.writeDouble(gpusHeld);
        out.writeLong(preemptions);
    }

    static LogOutcome read(DataInputStream in) throws IOException {
        String name = in.readUTF();
        double[] waits = new double[in.readInt()];
        double[] jcts = new double[waits.length];
        double[] slowdowns = new double[waits.length];
        for (int job = 0; job < waits.length; job++) {
            waits[job] = in.readDouble();
            jcts[job] = in.readDouble();
            slowdowns[job] = in.readDouble();
        }
        return new LogOutcome(name, waits, jcts, slowdowns, in.readDouble(), in.readLong());
    }

    /** The outcome of these jobs alone, by their places in the order of submission. */
    public LogOutcome over(int[] jobs) {
        return over(jobs, Double.NaN);
    }

    /** The outcome of these jobs alone, with the GPUs that the others held beside them. */
    LogOutcome beside(int[] jobs) {
        return over(jobs, gpusHeld);
    }

    private LogOutcome over(int[] jobs, double held) {
        return jobs.length == waitSeconds.length
                ? this
                : new LogOutcome(
                        name, at(waitSeconds, jobs), at(jctSeconds, jobs), at(slowdowns, jobs), held, preemptions);
    }

    private static double[] at(double[] values, int[] places) {
        return Arrays.stream(places).mapToDouble(place -> values[place]).toArray();
    }

    public int jobs() {
        return waitSeconds.length;
    }

    /**
     * The past of jobs that all have one.
     *
     * @param isWhole whether they are all jobs of the log
     */
    public static LogOutcome past(List<TraceJob> jobs, int gpus, boolean isWhole) {
        double held = 0;
        long first = Long.MAX_VALUE;
        long last = 0;
        double[] waits = new double[jobs.size()];
        double[] jcts = new double[jobs.size()];
        double[] slowdowns = new double[jobs.size()];
        for (int i = 0; i < jobs.size(); i++) {
            TraceJob job = jobs.get(i);
            LoggedRun past = Objects.requireNonNull(job.past());
            jcts[i] = (past.endNanos() - job.submitNanos()) / 1e9;
            waits[i] = jcts[i] - job.durationNanos() / 1e9;
            slowdowns[i] = jcts[i] * 1e9 / Math.max(1, job.durationNanos());
            held += job.durationNanos() / 1e9 * job.gpus();
            first = Math.min(first, job.submitNanos());
            last = Math.max(last, past.endNanos());
        }
        return new LogOutcome(
                PAST, waits, jcts, slowdowns, isWhole ? held / ((last - first) / 1e9 * gpus) : Double.NaN, 0);
    }

    /** Name of the scheduler. */
    public String name() {
        return name;
    }

    /** By job, in order of submission; not to be changed. */
    public double[] values(JobMetric metric) {
        return switch (metric) {
            case WAIT -> waitSeconds;
            case WIDE_WAIT -> throw new IllegalArgumentException("a log's outcome keeps no widths");
            case JCT -> jctSeconds;
            case SLOWDOWN -> slowdowns;
        };
    }

    /** A metric of its jobs; of times, seconds. */
    public double value(RankingMetric metric) {
        return metric.of(values(metric.ofJob()).clone());
    }

    /** The share of the cluster's GPUs held, over the makespan; NaN for some of its jobs. */
    @JsonProperty
    public double gpusHeld() {
        return gpusHeld;
    }

    /** Whether every job waited and ended as under the other, with as many preemptions. */
    boolean equalsIn(LogOutcome other) {
        return preemptions == other.preemptions
                && Arrays.equals(waitSeconds, other.waitSeconds)
                && Arrays.equals(jctSeconds, other.jctSeconds);
    }

    /** The longest wait, seconds. */
    public double longestWait() {
        return Arrays.stream(waitSeconds).max().orElse(0);
    }

    /** Waits with the longest. */
    private record Waits(@JsonUnwrapped Distribution waits, double max) {}

    @JsonProperty("wait_s")
    private Waits waitsWithLongest() {
        return new Waits(waits(), longestWait());
    }

    /** Preemptions of all jobs. */
    public long preemptions() {
        return preemptions;
    }

    public Distribution waits() {
        return Distribution.of(waitSeconds);
    }

    @JsonProperty("jct_s")
    public Distribution jcts() {
        return Distribution.of(jctSeconds);
    }

    /**
     * How far the waits of the same jobs are from others, job by job: the mean of {@code |ln((w + 60 s) / (v + 60
     * s))|}; 0.1 is a typical difference of 10 %, and seconds do not count.
     */
    double distance(LogOutcome other) {
        double sum = 0;
        for (int job = 0; job < waitSeconds.length; job++) {
            sum += Math.abs(Math.log((waitSeconds[job] + 60) / (other.waitSeconds[job] + 60)));
        }
        return sum / waitSeconds.length;
    }

    /**
     * The part of the jobs whose waits differ from those of another outcome of the same jobs by no more than so much.
     */
    double within(LogOutcome other, double seconds) {
        int near = 0;
        for (int job = 0; job < waitSeconds.length; job++) {
            near += Math.abs(waitSeconds[job] - other.waitSeconds[job]) <= seconds ? 1 : 0;
        }
        return near / (double) waitSeconds.length;
    }
}
