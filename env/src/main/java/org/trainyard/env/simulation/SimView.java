package org.trainyard.env.simulation;

import org.trainyard.env.performance.Occupancy;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/**
 * What a scheduler may see: live, read-only, no copies. It never tells true work or future arrivals.
 *
 * <p>Jobs are dense ids in order of submission; only {@code 0 .. arrived() - 1} may be asked about. Lists of jobs are walked with
 * {@code first…()} and {@code next…(job)} until {@link #NONE}.
 */
public interface SimView extends Occupancy {
    /** The end of a list of jobs. */
    int NONE = -1;

    long nowNanos();

    Topology topology();

    /** Who holds what now. */
    Cluster cluster();

    @Override
    default int jobsOn(int server) {
        return cluster().jobsOn(server);
    }

    @Override
    default int jobOn(int server, int i) {
        return cluster().jobOn(server, i);
    }

    /** How many jobs have been submitted so far. */
    int arrived();

    @Override
    JobSpec job(int job);

    JobState state(int job);

    int waitingCount();

    /** The job that has been in the queue longest since it last entered, or {@link #NONE}. */
    int firstWaiting();

    int nextWaiting(int job);

    int runningCount();

    /** The running job that started (or resumed) first, or {@link #NONE}. */
    int firstRunning();

    int nextRunning(int job);

    /** Where a running job is. */
    @Override
    Placement placement(int job);

    /** Iterations per second now; 0 for a job that does not run. */
    double rate(int job);

    /** Rate alone on the same placement divided by the rate now, at least 1; 1 for a job that does not run. */
    double slowdown(int job);

    /** When the job last entered the queue: its submission, or its last preemption. */
    long queuedSinceNanos(int job);

    /** When the job first got its GPUs, or -1. */
    long firstStartNanos(int job);

    /** Time on GPUs so far, restart costs included. */
    long runNanos(int job);

    int preemptions(int job);

    /** How often an outage has stopped the job. */
    int kills(int job);

    /** The job's virtual cluster, as a dense index among those with a quota, or {@link #NONE} when none limits it. */
    int tenant(int job);

    /** Whether the quota of the job's virtual cluster lets it hold so many GPUs more than it holds now. */
    boolean isWithinQuota(int job, int gpus);

    /** Work done so far, in seconds at the job's ideal rate. */
    double progressSeconds(int job);

    /** Predicted run time at the ideal rate, seconds, as guessed at submission. */
    double predictedSeconds(int job);

    /** The same as work: iterations at the ideal rate. */
    default double predictedIterations(int job) {
        return predictedSeconds(job) * job(job).idealIterationsPerSecond();
    }

    /**
     * Predicted run time still to come at the ideal rate, seconds; a hundredth of the prediction once the job has outrun it, for a
     * running job is never known to be over.
     */
    default double predictedRemainingSeconds(int job) {
        double predicted = predictedSeconds(job);
        return Math.max(predicted - progressSeconds(job), 0.01 * predicted);
    }

    /** How many things have happened so far; a scheduler that keeps its own queues reads the journal from where it left off. */
    int journalSize();

    @Override
    default long version() {
        return journalSize();
    }

    EventKind journalKind(int entry);

    /** The job of the entry, or {@link #NONE} for one that {@link EventKind#isOfJob is not of a job}. */
    int journalJob(int entry);
}
