package org.trainyard.env.simulation;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.Occupancy;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/**
 * The read-only view of a simulation for schedulers: live, without copies. It reveals neither true work nor future
 * arrivals.
 *
 * <p>Jobs are dense ids in order of submission; arguments must be in {@code 0 .. arrived() - 1}. Lists of jobs are
 * iterated with {@code first…()} and {@code next…(job)} until {@link #NONE}.
 */
public interface SimView extends Occupancy {
    /** The end of a list of jobs. */
    int NONE = -1;

    long nowNanos();

    Topology topology();

    /** The current allocation of GPUs and host resources. */
    Cluster cluster();

    @Override
    default int jobsOn(int server) {
        return cluster().jobsOn(server);
    }

    @Override
    default int jobOn(int server, int i) {
        return cluster().jobOn(server, i);
    }

    /** Number of jobs submitted so far. */
    int arrived();

    /** The job; its model is that with the {@link #frozenLayers frozen layers} it has now. */
    @Override
    JobSpec job(int job);

    JobState state(int job);

    int waitingCount();

    /** The first waiting job in order of entry into the queue, or {@link #NONE}. */
    int firstWaiting();

    int nextWaiting(int job);

    int runningCount();

    /** The first running job in order of its last start, or {@link #NONE}. */
    int firstRunning();

    int nextRunning(int job);

    /** The placement of a running job. */
    @Override
    Placement placement(int job);

    /** Current rate, iterations per second; 0 for a job that does not run. */
    double rate(int job);

    /**
     * Current slowdown: rate alone on the same placement divided by the rate now, at least 1; 1 for a job that does not
     * run.
     */
    double slowdown(int job);

    /** The rate of a running job alone on its placement: its rate times its slowdown, without asking for either. */
    double rateAlone(int job);

    /**
     * Time at which the job last entered the queue: when it was submitted or became eligible, or its last preemption or
     * kill.
     */
    long queuedSinceNanos(int job);

    /** Time of the job's first start, or -1. */
    long firstStartNanos(int job);

    /** Time at which the job last started; its value before the first start is open. */
    long startedNanos(int job);

    /** Time from which the job was allowed to start: its submission, but for a job that was held. */
    long eligibleNanos(int job);

    /**
     * The instant at which a running job is killed because it outlives the time limit that it said; the greatest long
     * for a job without one.
     */
    default long limitEndNanos(int job) {
        long limit = job(job).terms().limitNanos();
        long start = startedNanos(job);
        return limit == 0 || start > Long.MAX_VALUE - limit ? Long.MAX_VALUE : start + limit;
    }

    /** Time on GPUs so far, restart costs included. */
    long runNanos(int job);

    int preemptions(int job);

    /** Rules on which jobs may be preempted, and on their losses. */
    default PreemptionRules preemptionRules() {
        return PreemptionRules.FREE;
    }

    /** Whether the rules allow a running job to be preempted now; a decision that they do not allow is refused. */
    default boolean mayPreempt(int job) {
        return preemptionRules().fromNanos(preemptions(job), startedNanos(job)) <= nowNanos();
    }

    /** Whether the rules allow a running job to be preempted and started elsewhere now. */
    default boolean mayMigrate(int job) {
        return preemptionRules().allowsMigration() && mayPreempt(job);
    }

    /** Cost of a restart of the job, seconds. */
    default double restartSeconds(int job) {
        return 0;
    }

    /**
     * Productive time that a running job would lose if it were preempted now, seconds; 0 for a job that does not run.
     */
    default double unsavedSeconds(int job) {
        return 0;
    }

    /** Number of times an outage has stopped the job. */
    int kills(int job);

    /** Dense index of the jobs that quotas and other limits treat alike, or {@link #NONE} for a job without any. */
    int tenant(int job);

    /**
     * Whether the quota of the job's virtual cluster allows so many GPUs more than its jobs hold now, and other limits
     * ({@link HeldLimits}) and the maintenance of all servers that it runs.
     */
    boolean isWithinQuota(int job, int gpus);

    /** The planned maintenance. */
    default List<MaintenanceWindow> maintenance() {
        return List.of();
    }

    /**
     * Whether the time limit of a job that waits crosses a maintenance of all servers, so that it is not within quota.
     */
    default boolean isHeldByMaintenance(int job) {
        return false;
    }

    /** Whether a job that starts may keep one of another {@link #tenant} from starting. */
    default boolean hasLimits() {
        return false;
    }

    /** Work done so far, in seconds at the job's ideal rate. */
    double progressSeconds(int job);

    /** Predicted run time at the ideal rate, seconds; made once, at submission. */
    double predictedSeconds(int job);

    /**
     * Predicted remaining time at the ideal rate, seconds: at least a hundredth of the prediction, also when the job
     * has outrun it.
     */
    default double predictedRemainingSeconds(int job) {
        return predictedRemainingSeconds(job, progressSeconds(job));
    }

    /**
     * Predicted remaining time at the ideal rate, seconds, once the job has done {@code progressSeconds} of work at
     * that rate: at least a hundredth of the prediction.
     */
    default double predictedRemainingSeconds(int job, double progressSeconds) {
        double predicted = predictedSeconds(job);
        return Math.max(predicted - progressSeconds, 0.01 * predicted);
    }

    /**
     * Facts of the job's run in the trace, by their type, such as its speeds as it adapts its batch; null when the
     * trace has none. For schedulers of papers that assume them; a run-time predictor never gets them.
     */
    <T> @Nullable T run(int job, Class<T> type);

    /** The job as it was submitted: with all layers active. */
    JobSpec submitted(int job);

    /** Front layers of the job that are frozen. */
    int frozenLayers(int job);

    /** Whether the job may have fewer layers frozen: its learning rate has dropped since their number changed. */
    boolean canThaw(int job);

    /**
     * The part of its training that a job reports to have done, 0..1, when its layers can be frozen; NaN for other
     * jobs, which report none. For rules that freeze by epochs or by measured gradients.
     */
    double trainedShare(int job);

    /**
     * Number of entries of the journal of events; schedulers with queues of their own read it incrementally, see
     * {@link JournalCursor}.
     */
    int journalSize();

    /**
     * The first entry of the journal that is not forgotten: 0, but in a streamed run the arrival of the oldest job that
     * is not. A scheduler that has read less far makes its queues anew.
     */
    default int journalStart() {
        return 0;
    }

    /**
     * How often the past was corrected: entries of the journal were taken back, or a job of a live cluster reported its
     * work.
     */
    int corrections();

    @Override
    default long version() {
        return (long) corrections() << Integer.SIZE | journalSize();
    }

    EventKind journalKind(int entry);

    /** The job of the entry, or {@link #NONE} when {@link EventKind#isOfJob events of its kind have none}. */
    int journalJob(int entry);
}
