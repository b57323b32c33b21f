package org.trainyard.experiments.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.Trace;

/**
 * The past that a log tells, as a scheduler of this log alone: its jobs start when and where they did, and run as long.
 * It is in no registry, because it must be told the log.
 *
 * <p>Simplified: (1) a job that was preempted runs in one piece from its first start; (2) how many GPUs a job had on
 * each of its servers, and which, no log says.
 */
public final class LoggedPast {
    /** Name of the scheduler on the command line. */
    public static final String NAME = "recorded";

    private final Trace trace;
    private final Map<String, PastScheduler.Start> starts = new HashMap<>();
    private final List<String> remarks = new ArrayList<>();
    private @Nullable PastScheduler last;

    /**
     * The past of a log.
     *
     * @throws InputException when no job of it says when it started
     */
    public LoggedPast(Trace log, Topology topology) {
        LoggedServers servers = new LoggedServers(topology, log.jobs());
        int untimed = 0;
        int unnamed = 0;
        int preempted = 0;
        for (TraceJob job : log.jobs()) {
            LoggedRun run = job.past();
            boolean isNamed = !LoggedServers.names(run).isEmpty();
            long wait = run == null ? 0 : run.startNanos() - job.submitNanos();
            starts.put(job.id(), new PastScheduler.Start(wait, servers.of(run), isNamed));
            untimed += run == null ? 1 : 0;
            unnamed += isNamed ? 0 : 1;
            preempted += run != null && run.endNanos() - run.startNanos() > job.durationNanos() ? 1 : 0;
        }
        if (untimed == log.jobs().size()) {
            throw InputException.at(
                    "--trace", log.name(), "a log that says when jobs started, for --scheduler " + NAME);
        }
        remark(untimed, "%,d jobs have no start in the log: a job starts as soon as it fits");
        remark(unnamed, "the log does not say where %,d jobs ran: a job runs where it fits best");
        remark(preempted, "%,d jobs were preempted in the log: a job runs in one piece from its first start");
        trace = log.with(log.jobs().stream().map(LoggedPast::unbound).toList());
    }

    private void remark(int jobs, String text) {
        if (jobs > 0) {
            remarks.add(Counted.say(text, jobs));
        }
    }

    /** The job without limit, begin time, dependency or array: the log says when it began and ended. */
    private static TraceJob unbound(TraceJob job) {
        return job.on(job.terms()
                .but()
                .limitNanos(0)
                .delayNanos(0)
                .dependency(null)
                .array(null)
                .build());
    }

    /** The log, to be run. */
    public Trace trace() {
        return trace;
    }

    public SchedulerRegistry.Entry entry() {
        return new SchedulerRegistry.Origin("", SchedulerRegistry.Kind.OURS)
                .row(NAME, "as the log says")
                .by((topology, belief, seed) -> last = new PastScheduler(this::start));
    }

    private PastScheduler.Start start(String job) {
        return Objects.requireNonNull(starts.get(job));
    }

    /** Gaps of the log and, after the run, deviations from it; no full stops. */
    public List<String> remarks() {
        List<String> all = new ArrayList<>(remarks);
        if (last != null) {
            all.addAll(last.remarks());
        }
        return all;
    }
}
