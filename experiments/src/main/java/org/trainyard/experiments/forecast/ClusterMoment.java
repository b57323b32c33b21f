package org.trainyard.experiments.forecast;

import java.util.ArrayList;
import java.util.List;
import org.trainyard.env.workload.trace.LoggedRun;
import org.trainyard.env.workload.trace.TraceJob;
import org.trainyard.experiments.simulation.LoggedServers;

/**
 * A cluster at an instant: who runs, who waits, and what was seen before.
 *
 * <p>Simplified for logs: a job that was preempted runs from its first start to its end.
 *
 * @param nowNanos the instant
 * @param running jobs that hold GPUs; their durations are not known yet, and no forecast reads them
 * @param waiting jobs that were submitted and have not started, in order of submission; likewise
 * @param ended jobs whose runs are over, in order of submission
 * @param submitted all jobs submitted so far, in order of submission
 */
public record ClusterMoment(
        long nowNanos, List<Running> running, List<TraceJob> waiting, List<TraceJob> ended, List<TraceJob> submitted) {
    /**
     * A job that holds GPUs.
     *
     * @param startNanos when it got them
     * @param servers where, ascending; none when nobody knows
     */
    public record Running(TraceJob job, long startNanos, List<Integer> servers) {
        public Running {
            servers = List.copyOf(servers);
        }
    }

    public ClusterMoment {
        running = List.copyOf(running);
        waiting = List.copyOf(waiting);
        ended = List.copyOf(ended);
        submitted = List.copyOf(submitted);
    }

    /**
     * What the log of a cluster knew at an instant.
     *
     * @param jobs of the log that were submitted until then, in order of submission; those without a past count as
     *     submitted alone
     */
    public static ClusterMoment of(List<TraceJob> jobs, LoggedServers servers, long nowNanos) {
        List<Running> running = new ArrayList<>();
        List<TraceJob> waiting = new ArrayList<>();
        List<TraceJob> ended = new ArrayList<>();
        for (TraceJob job : jobs) {
            LoggedRun past = job.past();
            if (past == null) {
                continue;
            }
            if (past.startNanos() > nowNanos) {
                waiting.add(job);
            } else if (past.endNanos() > nowNanos) {
                running.add(new Running(job, past.startNanos(), servers.of(past)));
            } else {
                ended.add(job);
            }
        }
        return new ClusterMoment(nowNanos, running, waiting, ended, jobs);
    }

    /** GPUs that running jobs hold. */
    public int gpusHeld() {
        return running.stream().mapToInt(one -> one.job().gpus()).sum();
    }

    /** GPUs that waiting jobs ask for. */
    public int gpusWanted() {
        return waiting.stream().mapToInt(TraceJob::gpus).sum();
    }
}
