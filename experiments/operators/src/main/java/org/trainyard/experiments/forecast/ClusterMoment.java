package org.trainyard.experiments.forecast;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.trainyard.env.simulation.MaintenanceWindow;
import org.trainyard.env.simulation.Outage;
import org.trainyard.env.simulation.Outages;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.trace.log.RunGaps;
import org.trainyard.experiments.simulation.LoggedServers;

/**
 * State of a cluster at an instant: running and waiting jobs, and the history until then.
 *
 * <p>Simplified for logs: a job that was preempted runs from its first start to its end.
 *
 * @param nowNanos the instant
 * @param running jobs that hold GPUs; their durations are not known yet, and no forecast reads them
 * @param waiting jobs that were submitted and have not started, in order of submission; likewise
 * @param ended jobs whose runs are over, in order of submission
 * @param submitted all jobs submitted so far, in order of submission
 * @param down servers and GPUs that are out of order, by the numbers of {@link Outages}
 */
public record ClusterMoment(
        long nowNanos,
        List<Running> running,
        List<TraceJob> waiting,
        List<TraceJob> ended,
        List<TraceJob> submitted,
        List<Integer> down) {
    /**
     * A job that holds GPUs.
     *
     * @param startNanos when it got them
     * @param servers of the GPUs, ascending; none when not known
     */
    public record Running(TraceJob job, long startNanos, List<Integer> servers) {
        public Running {
            servers = List.copyOf(servers);
        }
    }

    /**
     * The maintenance that has not ended: a running job whose limit is later than the begin of a window was not kept
     * from it, so the window begins where that limit ends.
     */
    List<MaintenanceWindow> heeding(List<MaintenanceWindow> windows) {
        List<MaintenanceWindow> heeded = new ArrayList<>();
        for (MaintenanceWindow window : windows) {
            long from = window.span().fromNanos();
            long until = window.span().untilNanos();
            for (Running one : running) {
                long limit = one.job().terms().limitNanos();
                long end = one.startNanos() + limit;
                from = limit > 0 && one.startNanos() < until ? Math.max(from, Math.min(end, until)) : from;
            }
            if (from < until && until > nowNanos) {
                heeded.add(new MaintenanceWindow(new Outage(from, until), window.servers()));
            }
        }
        return heeded;
    }

    public ClusterMoment {
        running = List.copyOf(running);
        waiting = List.copyOf(waiting);
        ended = List.copyOf(ended);
        submitted = List.copyOf(submitted);
        down = List.copyOf(down);
    }

    /**
     * State of a live cluster now.
     *
     * @param jobs of its log, in order of submission; running jobs have an assumed end, and waiting jobs start now
     * @param openSeconds by id, run time so far of jobs without an end
     * @param blocked ids of held or dependent jobs; they are left out
     */
    public static ClusterMoment live(
            List<TraceJob> jobs, LoggedServers servers, Map<String, Double> openSeconds, Set<String> blocked) {
        long now = 0;
        for (TraceJob job : jobs) {
            LoggedRun past = Objects.requireNonNull(job.past());
            Double elapsed = openSeconds.get(job.id());
            // Of a job that was requeued, the log has the first start.
            now = Math.max(now, elapsed == null ? past.startNanos() : past.startNanos() + Math.round(elapsed * 1e9));
        }
        // Just before now, for at now those that wait start in the log.
        ClusterMoment moment = of(jobs, servers, Math.max(0, now - 1));
        return new ClusterMoment(
                moment.nowNanos,
                moment.running,
                moment.waiting.stream()
                        .filter(job -> !blocked.contains(job.id()))
                        .toList(),
                moment.ended,
                moment.submitted,
                List.of());
    }

    /** This moment without the given servers and GPUs that are out of order, by the numbers of {@link Outages}. */
    public ClusterMoment without(List<Integer> units) {
        return new ClusterMoment(nowNanos, running, waiting, ended, submitted, units);
    }

    /**
     * State of a cluster at an instant, by its log until then.
     *
     * @param jobs of the log that were submitted until then, in order of submission; those without a past count as
     *     submitted alone, those between two of their runs wait
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
            RunGaps gaps = job.of(RunGaps.class);
            long run = gaps == null ? 0 : gaps.runAt(nowNanos - past.startNanos());
            if (past.startNanos() > nowNanos || (run < 0 && past.endNanos() > nowNanos)) {
                waiting.add(job);
            } else if (past.endNanos() > nowNanos) {
                running.add(new Running(job, past.startNanos() + run, servers.of(past)));
            } else {
                ended.add(job);
            }
        }
        return new ClusterMoment(nowNanos, running, waiting, ended, jobs, List.of());
    }

    /** Jobs that have run by now, for as long as they have; of those that have ended, those whose log says when. */
    List<TraceJob> ran() {
        List<TraceJob> ran = new ArrayList<>(ended);
        for (Running one : running) {
            long nanos = nowNanos - one.startNanos();
            if (nanos > 0) {
                LoggedRun until = new LoggedRun(one.startNanos(), nowNanos);
                ran.add(one.job().lasting(nanos).ran(until));
            }
        }
        return ran;
    }

    /** GPUs of a cluster that no job holds and that are in order. */
    public int gpusFree(Topology topology) {
        int out = down.stream()
                .mapToInt(unit -> unit < topology.servers() ? topology.gpusOn(unit) : 1)
                .sum();
        return topology.gpus() - gpusHeld() - out;
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
