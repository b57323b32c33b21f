package org.trainyard.experiments.forecast;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.Outage;
import org.trainyard.env.simulation.Outages;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.simulation.PastScheduler;
import org.trainyard.experiments.traces.LoggedDurations;
import org.trainyard.experiments.waitreasons.WaitReasons;

/**
 * One future: from the state of a moment, with given run times and jobs to come, until the jobs asked about have
 * started.
 *
 * <p>Simplified: (1) reasons to wait beside resources and the scheduler (dependencies, begin times, limits of arrays)
 * are over for waiting jobs; (2) where the log names no servers, running jobs hold the fewest.
 */
final class StartDraw {
    /** Simulated time in which a job must have started. */
    private static final double MOST_SECONDS = 400 * 86_400.0;
    /** Simulated time for which jobs wait beside idle GPUs for a scheduler that looks now and then. */
    private static final double MOST_STILL_SECONDS = 3600;

    /**
     * Outcome of a draw for the first of the jobs asked about, and the events until the last has started.
     *
     * @param seconds from the moment to its start; infinite when it never starts
     * @param ahead ids of jobs that waited at the moment and started before it
     * @param comers jobs that came after the moment and started before it
     * @param endings ids of jobs that ran at the moment and ended before it started, in order of their ends
     * @param reasons why it did not start at the moment; none when it did
     */
    record Outcome(double seconds, List<String> ahead, int comers, List<String> endings, List<String> reasons) {}

    private final ClusterMoment moment;
    private final Simulator simulator;
    private final Scheduler scheduler;
    private final Scheduler inner;
    private final SimView view;
    private final int target;
    /** Jobs asked about, by their numbers; those before {@link #next} have started. */
    private final int[] targets;

    private int next;
    /** When the scheduler wants to be asked again. */
    private long wakesNanos;
    /** Since when no event is to come. */
    private long stillNanos = Long.MAX_VALUE;

    private final Map<String, Integer> ids = new LinkedHashMap<>();
    private final PriorityQueue<Cancelled> cancelled =
            new PriorityQueue<>(Comparator.comparingLong(Cancelled::nanos).thenComparingInt(Cancelled::job));
    private @Nullable List<String> reasons;

    /**
     * @param running how long running jobs run in all, nanoseconds
     * @param queued jobs that wait, jobs to come and the jobs asked about, as they will run
     * @param asked ids of the jobs asked about
     */
    StartDraw(
            ClusterMoment moment,
            World world,
            long[] running,
            List<TraceJob> queued,
            List<String> asked,
            Scheduler scheduler) {
        this.moment = moment;
        List<TraceJob> jobs = new ArrayList<>();
        Map<String, PastScheduler.Start> starts = new HashMap<>();
        for (int i = 0; i < running.length; i++) {
            ClusterMoment.Running one = moment.running().get(i);
            TraceJob job = lasting(one.job(), running[i]);
            jobs.add(job);
            starts.put(
                    job.id(),
                    new PastScheduler.Start(
                            one.startNanos() - job.submitNanos(),
                            one.servers(),
                            !one.servers().isEmpty()));
        }
        jobs.addAll(queued);
        Workload workload = world.workload(jobs);
        for (int job = 0; job < workload.size(); job++) {
            ids.put(workload.job(job).name(), job);
        }
        targets = asked.stream().mapToInt(this::number).toArray();
        target = targets[0];
        simulator = world.simulator(workload);
        view = simulator.view();
        inner = scheduler;
        Scheduler resumed = new Resumed(starts, moment.nowNanos(), scheduler, cancelled);
        this.scheduler = now -> {
            Decision decision = resumed.decide(now);
            if (decision instanceof Decision.Wait wait) {
                wakesNanos = wait.untilNanos();
            }
            return decision;
        };
    }

    /** The world of a moment: servers and GPUs that are down stay so. */
    static World world(Topology topology, ClusterMoment moment) {
        return World.rated(topology, options(moment), 1);
    }

    private static Simulator.Options options(ClusterMoment moment) {
        return moment.down().isEmpty()
                ? Simulator.Options.DEFAULT
                : Simulator.Options.DEFAULT.with(
                        new Outages.Recorded(moment.down().stream()
                                .map(unit -> new Outages.Recorded.Entry(unit, new Outage(0, Long.MAX_VALUE)))
                                .toList()),
                        0);
    }

    /** A job that runs so long and is killed at no limit; a limit that is too short is as long as the run. */
    static TraceJob lasting(TraceJob job, long nanos) {
        return LoggedDurations.of(job.on(free(job.terms())), nanos);
    }

    /** The terms of a job that nothing holds back but resources and the scheduler. */
    static SubmissionTerms free(SubmissionTerms terms) {
        return terms.but().delayNanos(0).dependency(null).array(null).build();
    }

    /** A job leaves the queue at an instant, unless it has started. */
    private record Cancelled(int job, long nanos) {}

    /**
     * Cancels a job that waits, at an instant after the moment unless it has started; {@link Long#MAX_VALUE} for never.
     */
    void cancel(String id, long nanos) {
        if (nanos < Long.MAX_VALUE) {
            cancelled.add(new Cancelled(number(id), nanos));
        }
    }

    /** Plays until the jobs have started. */
    Outcome play() {
        simulator.runWhile(scheduler, this::isWaiting);
        return new Outcome(seconds(target), ahead(), comers(), endings(), reasons == null ? List.of() : reasons);
    }

    /** Plays the future; returns the times from the moment to the start of each job asked about, seconds. */
    double[] playAll() {
        simulator.runWhile(scheduler, this::isWaiting);
        return Arrays.stream(targets).mapToDouble(this::seconds).toArray();
    }

    private double seconds(int job) {
        return isBegun(job)
                ? Math.max(0, (view.firstStartNanos(job) - moment.nowNanos()) / 1e9)
                : Double.POSITIVE_INFINITY;
    }

    private boolean isBegun(int job) {
        return job != SimView.NONE && view.arrived() > job && view.firstStartNanos(job) >= 0;
    }

    /** Whether one of the jobs waits on and may yet start. */
    private boolean isWaiting() {
        while (next < targets.length && (targets[next] == SimView.NONE || isBegun(targets[next]))) {
            next++;
        }
        if (next == targets.length) {
            return false;
        }
        if (reasons == null
                && target != SimView.NONE
                && view.nowNanos() >= moment.nowNanos()
                && view.arrived() > target) {
            reasons = WaitReasons.of(view, inner, target).reasons();
        }
        return view.nowNanos() - moment.nowNanos() <= MOST_SECONDS * 1e9 && !isStuck();
    }

    /** Whether no job will start. */
    private boolean isStuck() {
        if (view.nowNanos() == 0 || !simulator.isStuck()) {
            stillNanos = Long.MAX_VALUE;
            return false;
        }
        stillNanos = Math.min(stillNanos, view.nowNanos());
        return wakesNanos == Decision.WAIT.untilNanos() || view.nowNanos() - stillNanos > MOST_STILL_SECONDS * 1e9;
    }

    /** Whether a job that competes with the one asked about has begun. */
    private boolean hasStarted(int job) {
        return job != target && isBegun(job) && WaitReasons.compete(view, job, target);
    }

    private int number(String id) {
        return ids.getOrDefault(id, SimView.NONE);
    }

    private List<String> ahead() {
        return moment.waiting().stream()
                .map(TraceJob::id)
                .filter(id -> hasStarted(number(id)))
                .toList();
    }

    private int comers() {
        int started = 0;
        for (Map.Entry<String, Integer> job : ids.entrySet()) {
            boolean isNew = job.getValue() < view.arrived()
                    && job.getValue() != target
                    && view.job(job.getValue()).submitNanos() > moment.nowNanos();
            started += isNew && hasStarted(job.getValue()) ? 1 : 0;
        }
        return started;
    }

    private List<String> endings() {
        return moment.running().stream()
                .map(one -> one.job().id())
                .filter(id -> hasStarted(number(id)) && view.state(number(id)) == JobState.DONE)
                .toList();
    }

    /** Restores the state of a moment and lets another scheduler decide from then on, until jobs are cancelled. */
    private record Resumed(PastScheduler past, long nowNanos, Scheduler then, Queue<Cancelled> cancelled)
            implements Scheduler {
        Resumed(Map<String, PastScheduler.Start> starts, long nowNanos, Scheduler then, Queue<Cancelled> cancelled) {
            this(
                    new PastScheduler(job ->
                            starts.getOrDefault(job, new PastScheduler.Start(Long.MAX_VALUE / 2, List.of(), false))),
                    nowNanos,
                    then,
                    cancelled);
        }

        @Override
        public Decision decide(SimView now) {
            if (now.nowNanos() >= nowNanos) {
                return decideAfter(now);
            }
            Decision decision = past.decide(now);
            boolean isLate = decision instanceof Decision.Wait wait && wait.untilNanos() > nowNanos;
            return isLate ? Decision.waitUntil(nowNanos) : decision;
        }

        private Decision decideAfter(SimView now) {
            while (!cancelled.isEmpty() && cancelled.element().nanos <= now.nowNanos()) {
                int job = cancelled.remove().job;
                if (now.state(job) == JobState.WAITING && now.firstStartNanos(job) < 0) {
                    return new Decision.Reject(job);
                }
            }
            Decision decision = then.decide(now);
            boolean isLate = !cancelled.isEmpty()
                    && decision instanceof Decision.Wait wait
                    && wait.untilNanos() > cancelled.element().nanos;
            return isLate ? Decision.waitUntil(cancelled.element().nanos) : decision;
        }
    }
}
