package org.trainyard.env.workload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Invalid;

/**
 * The jobs of one episode in order of submission, with their true work, which only the simulator reads.
 *
 * <p>Equal submission times keep the order given. The workload of a live cluster is {@link #open open}: jobs are
 * appended as they are submitted, and the work of a job is infinite, because unknown, until the job has ended. A
 * {@link #streamed streamed} one draws each job shortly before its submission and forgets it after its end; its
 * {@link #slots slots} in arrays by job are used again.
 */
public final class Workload {
    private JobSpec[] jobs;

    private double[] iterations;
    /** By job, the known facts of its run. */
    private Attachments[] runs;

    private final Iterator<StreamedJob> undrawn;
    private int size;
    private final JobSlots slots;
    private long lastSubmitNanos = Long.MIN_VALUE;
    private final boolean isOpen;
    private final int warmJobs;

    /** Jobs without known facts of their runs. */
    public Workload(List<JobSpec> jobs, double[] iterations) {
        this(jobs, iterations, nothing(jobs.size()), 0);
    }

    private static Attachments[] nothing(int jobs) {
        Attachments[] runs = new Attachments[jobs];
        Arrays.fill(runs, Attachments.NONE);
        return runs;
    }

    /**
     * @param jobs sorted by submission, {@code jobs.get(i).id() == i}
     * @param iterations true work of each, finite and above zero
     * @param runs facts of the run of each that no predictor is told
     * @param warmJobs number of jobs, the first, that are there only for the congestion they make: no result counts
     *     them
     */
    public Workload(List<JobSpec> jobs, double[] iterations, Attachments[] runs, int warmJobs) {
        if (warmJobs < 0 || (warmJobs > 0 && warmJobs >= jobs.size())) {
            throw new IllegalArgumentException("(%d) of (%d) jobs are not counted".formatted(warmJobs, jobs.size()));
        }
        this.warmJobs = warmJobs;
        if (jobs.size() != iterations.length || jobs.size() != runs.length) {
            throw new IllegalArgumentException("%d jobs but %d amounts of work and %d runs"
                    .formatted(jobs.size(), iterations.length, runs.length));
        }
        this.jobs = jobs.toArray(JobSpec[]::new);
        this.iterations = iterations.clone();
        this.runs = runs.clone();
        size = this.jobs.length;
        undrawn = Collections.emptyIterator();
        slots = JobSlots.ofNumbers();
        isOpen = false;
        for (int i = 0; i < size; i++) {
            JobSpec job = jobs.get(i);
            Invalid.when(job.id() != i, "job at (%d) has id (%d)", i, job.id());
            Invalid.when(job.submitNanos() < lastSubmitNanos, "job (%d) is submitted before the one ahead of it", i);
            lastSubmitNanos = job.submitNanos();
            if (!(this.iterations[i] > 0) || Double.isInfinite(this.iterations[i])) {
                throw new IllegalArgumentException(
                        "work (%s iterations) of job (%d) must be finite and above zero".formatted(iterations[i], i));
            }
        }
    }

    private Workload(boolean isOpen, JobSlots slots, Iterator<StreamedJob> undrawn) {
        jobs = new JobSpec[0];
        iterations = new double[0];
        runs = new Attachments[0];
        this.slots = slots;
        this.isOpen = isOpen;
        this.undrawn = undrawn;
        warmJobs = 0;
    }

    /** The workload of a live cluster: empty at first. */
    public static Workload open() {
        return new Workload(true, JobSlots.ofNumbers(), Collections.emptyIterator());
    }

    /** A workload whose jobs are drawn one by one. Its size is the number of jobs drawn so far. */
    public static Workload streamed(Iterator<StreamedJob> jobs) {
        Workload workload = new Workload(false, JobSlots.reused(), jobs);
        workload.draw();
        return workload;
    }

    /** Draws the next job of a streamed workload, if there is one. */
    public boolean draw() {
        if (!undrawn.hasNext()) {
            return false;
        }
        StreamedJob next = undrawn.next();
        add(next.job(), next.iterations());
        return true;
    }

    /** Forgets a job of a streamed workload. */
    public void forget(int job) {
        slots.forget(job);
    }

    /** Where jobs are in arrays by job: at their numbers but for a streamed workload. */
    public JobSlots slots() {
        return slots;
    }

    /**
     * Appends the next job of a live cluster, of unknown work.
     *
     * @throws IllegalArgumentException when its id is not the next or it is submitted before the last
     */
    public void append(JobSpec job) {
        requireOpen();
        add(job, Double.POSITIVE_INFINITY);
    }

    private void add(JobSpec job, double work) {
        if (job.id() != size || job.submitNanos() < lastSubmitNanos) {
            throw new IllegalArgumentException("job (%d), submitted at (%d ns), is not the next after (%d) jobs"
                    .formatted(job.id(), job.submitNanos(), size));
        }
        slots.enter();
        if (slots.room() > jobs.length) {
            int room = Math.max(64, 2 * jobs.length);
            jobs = Arrays.copyOf(jobs, room);
            iterations = Arrays.copyOf(iterations, room);
            runs = Arrays.copyOf(runs, room);
        }
        runs[slots.of(size)] = Attachments.NONE;
        jobs[slots.of(size)] = job;
        iterations[slots.of(size)] = work;
        size++;
        lastSubmitNanos = job.submitNanos();
    }

    /** Sets the work of a job of a live cluster, iterations: the job has ended. */
    public void reveal(int job, double work) {
        requireOpen();
        if (!(work > 0) || Double.isInfinite(work)) {
            throw new IllegalArgumentException(
                    "work (%s iterations) of job (%d) must be finite and above zero".formatted(work, job));
        }
        iterations[job] = work;
    }

    private void requireOpen() {
        if (!isOpen) {
            throw new IllegalStateException("the jobs of an episode and their work are fixed");
        }
    }

    /**
     * Returns this episode for schedulers that never share a GPU: jobs that need a part of each GPU hold whole ones.
     * Returns this object when there are no such jobs.
     */
    public Workload onWholeGpus() {
        List<JobSpec> alone = new ArrayList<>(size);
        boolean anyPart = false;
        for (int i = 0; i < size; i++) {
            JobSpec job = job(i);
            boolean isPart = job.demand().gpuMilli() < Demand.WHOLE;
            anyPart |= isPart;
            alone.add(isPart ? job.demanding(job.demand().withGpuMilli(Demand.WHOLE)) : job);
        }
        return anyPart
                ? new Workload(alone, Arrays.copyOf(iterations, size), Arrays.copyOf(runs, size), warmJobs)
                : this;
    }

    /** Number of jobs, the first, that make the congestion at the start of the episode; no result counts them. */
    public int warmJobs() {
        return warmJobs;
    }

    public int size() {
        return size;
    }

    public JobSpec job(int job) {
        if (slots.isForgotten(job)) {
            throw forgotten(job);
        }
        return jobs[slots.of(job)];
    }

    private static IllegalStateException forgotten(int job) {
        return new IllegalStateException("job (%d) has ended and is forgotten".formatted(job));
    }

    /** The job's true work, iterations: for the simulator and its checks, never for schedulers. */
    public double trueIterations(int job) {
        return iterations[slots.of(job)];
    }

    /**
     * The job's true run time alone on its best placement, seconds; like {@link #trueIterations} never for schedulers.
     */
    public double trueIdealSeconds(int job) {
        return iterations[slots.of(job)] / job(job).idealIterationsPerSecond();
    }

    /**
     * Known facts of the job's run, by their type, or null; for schedulers of papers that assume them, never for
     * predictors.
     */
    public <T> @Nullable T run(int job, Class<T> type) {
        return runs[slots.of(job)].of(type);
    }

    /** GPU-seconds of all jobs: the ideal run time of each times the GPUs that it asks for. O(jobs). */
    public double gpuSeconds() {
        double sum = 0;
        for (int job = 0; job < size(); job++) {
            sum += trueIdealSeconds(job) * job(job).demand().gpuAmount();
        }
        return sum;
    }

    /** The longest of the ideal run times, seconds. O(jobs). */
    public double longestSeconds() {
        double longest = 0;
        for (int job = 0; job < size(); job++) {
            longest = Math.max(longest, trueIdealSeconds(job));
        }
        return longest;
    }

    /** The counted jobs that run as long as their limits allow, and a second less at most, as a log rounds. O(jobs). */
    public int endedAtLimit() {
        int ended = 0;
        for (int job = warmJobs(); job < size(); job++) {
            long limit = job(job).terms().limitNanos();
            ended += limit > 0 && trueIdealSeconds(job) >= limit / 1e9 - 1 ? 1 : 0;
        }
        return ended;
    }
}
