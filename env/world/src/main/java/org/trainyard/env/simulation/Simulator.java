package org.trainyard.env.simulation;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.Invalid;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.Workload;

/**
 * Discrete-event simulator of a workload on a topology, driven decision by decision.
 *
 * <p>The caller pulls: {@link #advance} processes events up to the next decision point, and {@link #apply} makes one
 * decision there, until a {@link Decision.Wait} lets time pass. At one instant completions come first, then jobs killed
 * at their time limits, repairs and outages, arrivals, jobs that were held, and then decisions. A run is a
 * deterministic function of its arguments and its decisions.
 */
public final class Simulator implements DecisionSink {
    /**
     * @param restart cost of resuming a preempted, killed or resized job
     * @param audit whether to recompute all derived counters after every event and compare; for tests
     * @param events receives every event, or null
     * @param quotas limits on the GPUs of virtual clusters
     * @param outages failures of servers and GPUs
     * @param checkpointNanos productive time between two checkpoints of a running job; a job stopped by an outage loses
     *     its progress since the last one; 0 for no loss
     * @param preemption which jobs may be preempted, and what they lose
     */
    public record Options(
            RestartCost restart,
            boolean audit,
            @Nullable EventSink events,
            Quotas quotas,
            Outages outages,
            long checkpointNanos,
            PreemptionRules preemption) {
        public static final Options DEFAULT = new Options(30_000_000_000L, false);

        public Options {
            Invalid.when(checkpointNanos < 0, "time between checkpoints (%d ns) must not be negative", checkpointNanos);
        }

        /** Options without quotas and outages. */
        public Options(RestartCost restart, boolean audit, @Nullable EventSink events) {
            this(restart, audit, events, Quotas.NONE, Outages.NONE, 0, PreemptionRules.FREE);
        }

        /** Options with the same restart cost for every job, nanoseconds. */
        public Options(long restartNanos, boolean audit) {
            this(RestartCost.ofNanos(restartNanos), audit, null);
        }

        /** Returns these options with another sink for events; null for none. */
        public Options withEvents(@Nullable EventSink newEvents) {
            return new Options(restart, audit, newEvents, quotas, outages, checkpointNanos, preemption);
        }

        /** Returns these options with quotas for virtual clusters. */
        public Options with(Quotas newQuotas) {
            return new Options(restart, audit, events, newQuotas, outages, checkpointNanos, preemption);
        }

        public Options with(Outages newOutages, long newCheckpointNanos) {
            return new Options(restart, audit, events, quotas, newOutages, newCheckpointNanos, preemption);
        }

        /** Returns these options with other rules of preemption. */
        public Options with(PreemptionRules rules) {
            return new Options(restart, audit, events, quotas, outages, checkpointNanos, rules);
        }

        /** Returns these options with another cost of restarts. */
        public Options with(RestartCost newRestart) {
            return new Options(newRestart, audit, events, quotas, outages, checkpointNanos, preemption);
        }
    }

    private final State state;
    private final Workload workload;
    private final World world;
    private final boolean isAudited;
    private final EventLog log;
    private final Transitions transitions;
    /** Why jobs were turned away, where their scheduler said it, in the order in which they were. */
    private final Map<Integer, String> reasons = new LinkedHashMap<>();

    /** The jobs that completed or were rejected at this instant. */
    private final IntArrayList ended = new IntArrayList();

    private long wakeNanos = Long.MAX_VALUE;
    private boolean timeMayPass = true;
    private int decisionsNow;
    private long decisions;
    private long refusedPreemptions;
    private double busyGpuSeconds;
    private double jobSeconds;

    Simulator(World world, Workload workload) {
        this.world = world;
        this.workload = workload;
        Topology topology = world.topology();
        Options options = world.options();
        isAudited = options.audit();
        log = new EventLog(options.events());
        for (int job = 0; job < workload.size(); job++) {
            int needed = workload.job(job).demand().minGpus();
            if (needed > topology.gpus()) {
                throw new IllegalArgumentException("job %s needs (%d) GPUs, the cluster has (%d)"
                        .formatted(workload.job(job).name(), needed, topology.gpus()));
            }
        }
        state = new State(world, workload, options.outages());
        transitions = new Transitions(state, world.predictors().apply(workload), options, log);
    }

    /** A simulation in the state of another one of the same jobs, whose predictor receives all earlier events again. */
    Simulator(World world, Workload workload, Simulator other) {
        this(world, workload);
        wakeNanos = other.wakeNanos;
        timeMayPass = other.timeMayPass;
        decisionsNow = other.decisionsNow;
        decisions = other.decisions;
        refusedPreemptions = other.refusedPreemptions;
        busyGpuSeconds = other.busyGpuSeconds;
        jobSeconds = other.jobSeconds;
        reasons.putAll(other.reasons);
        state.copy(other.state);
        log.copy(other.log);
        transitions.remind();
        audit();
    }

    public SimView view() {
        return state;
    }

    public EventLog eventLog() {
        return log;
    }

    /** Number of decisions so far, not counting waits. */
    public long decisions() {
        return decisions;
    }

    /**
     * Number of decisions so far to preempt jobs that the {@link PreemptionRules} protect, which were not carried out:
     * each ended its scheduler's turn.
     */
    public long refusedPreemptions() {
        return refusedPreemptions;
    }

    /** GPU-seconds held by jobs so far. */
    public double busyGpuSeconds() {
        return busyGpuSeconds;
    }

    /** The integral over time of the number of waiting and running jobs, seconds; at the end, the sum of all JCTs. */
    public double jobSeconds() {
        return jobSeconds;
    }

    /**
     * The run time that a waiting or running job still needs at its ideal rate, seconds: true work, for the cost of a
     * simulated future, never for schedulers.
     */
    public double idealSecondsLeft(int job) {
        return workload.trueIdealSeconds(job) - view().progressSeconds(job);
    }

    public boolean isDone() {
        return state.done == workload.size();
    }

    /** Number of jobs that are done: completed or rejected. */
    public int jobsDone() {
        return state.done;
    }

    /** Whether a decision is due: time stands at a decision point and the scheduler has not waited yet. */
    public boolean isAsking() {
        return !timeMayPass;
    }

    /** Whether jobs wait while none runs and none will be submitted: no event will come unless a job is started. */
    public boolean isStuck() {
        return state.waiting.size() > 0
                && state.running.size() == 0
                && !state.held.isTimed()
                && state.requeues.isEmpty()
                && state.arrived == workload.size()
                && !isServiceToCome();
    }

    /** Whether a failed unit will be repaired, or a planned maintenance end. */
    private boolean isServiceToCome() {
        return state.outages.isRepairToCome() || state.maintenance.isToCome();
    }

    /** The outcome of a completed job. */
    public JobOutcome outcome(int job) {
        JobRow row = state.row(job);
        if (row.state != JobState.DONE) {
            throw new IllegalStateException("job (%d) is not done: it is %s".formatted(job, row.state));
        }
        if (state.isRejected(job)) {
            throw new IllegalStateException("job (%d) was rejected".formatted(job));
        }
        return new JobOutcome(
                workload.job(job),
                row.firstStartNanos,
                row.endNanos,
                state.rates.timeOnGpus(job),
                row.preemptions,
                row.kills,
                state.rates.meanSlowdown(job),
                row.lastServers,
                row.lastRacks,
                state.rates.utility(job),
                state.rates.accuracyPenalty(job),
                row.eligibleNanos - workload.job(job).submitNanos(),
                row.timedOut);
    }

    /**
     * Lets time pass to the next decision point: an event, or the limit of the last wait.
     *
     * @return false when all jobs are done
     */
    public boolean advance() {
        if (!timeMayPass) {
            throw new IllegalStateException("time passes only after a Wait");
        }
        if (isDone()) {
            return false;
        }
        long arrival =
                state.arrived < workload.size() ? workload.job(state.arrived).submitNanos() : Long.MAX_VALUE;
        long finish = state.rates.nextFinishNanos();
        long limit = Math.min(state.limits.nextNanos(), Math.min(state.held.nextNanos(), state.requeues.nextNanos()));
        long next = Math.min(Math.min(arrival, finish), Math.min(limit, wakeNanos));
        if (next == Long.MAX_VALUE && !(state.running.size() == 0 && isServiceToCome())) {
            throw new IllegalStateException(Counted.say(
                    "%d jobs are waiting and nothing will ever happen.\nMaybe the scheduler waits although the cluster is idle.",
                    state.waiting.size()));
        }
        next = Math.min(next, state.outages.nextNanos());
        moveTo(next);
        ended.clear();
        while (state.rates.scheduledFinishNanos() == next) {
            int job = state.rates.popFinished();
            transitions.finish(job);
            end(job);
        }
        while (state.limits.nextNanos() == next) {
            int job = state.limits.nextJob();
            transitions.timeOut(job);
            end(job);
        }
        while (state.outages.nextNanos() == next) {
            passOutage();
        }
        while (state.arrived < workload.size() && workload.job(state.arrived).submitNanos() == next) {
            submit(state.arrived);
            state.draw();
        }
        releaseHeld();
        while (state.requeues.nextNanos() <= next) {
            transitions.requeuePreempted(state.requeues.pop());
        }
        wakeNanos = Long.MAX_VALUE;
        timeMayPass = false;
        decisionsNow = 0;
        audit();
        return !isDone();
    }

    private void end(int job) {
        ended.add(job);
        state.held.ended(job);
    }

    private void submit(int job) {
        if (state.held.submit(job)) {
            transitions.hold(job);
        } else {
            transitions.arrive(job);
        }
    }

    /** Lets held jobs go that may start now, and turns away those that never may. */
    private void releaseHeld() {
        for (int job = state.held.take(); job != SimView.NONE; job = state.held.take()) {
            boolean isHopeless = state.held.isHopeless(job);
            state.held.release(job);
            transitions.release(job);
            if (isHopeless) {
                transitions.reject(job);
                end(job);
            }
        }
    }

    private void moveTo(long next) {
        double elapsed = (next - state.nowNanos) / 1e9;
        busyGpuSeconds += elapsed * (state.cluster.heldMilli() / (double) Demand.WHOLE);
        jobSeconds += elapsed * (state.waiting.size() + state.running.size() + state.requeues.size());
        state.moveTo(next);
    }

    private void passOutage() {
        int unit = state.outages.nextUnit();
        boolean wasDown = state.outages.isDown(unit);
        state.outages.pass();
        if (wasDown) {
            transitions.repair(unit);
        } else {
            transitions.breakDown(unit);
        }
    }

    /**
     * Makes one decision at this instant.
     *
     * @throws IllegalArgumentException when the decision is impossible; the state is then unchanged
     */
    public void apply(Decision decision) {
        if (decision instanceof Decision.Start start) {
            start(start.job(), start.placement());
        } else if (decision instanceof Decision.Preempt preempt) {
            preempt(preempt.job());
        } else if (decision instanceof Decision.Resize resize) {
            beforeDecision();
            transitions.resize(resize.job(), resize.placement());
            afterDecision();
        } else if (decision instanceof Decision.Freeze freeze) {
            beforeDecision();
            transitions.freeze(freeze.job(), freeze.layers());
            afterDecision();
        } else if (decision instanceof Decision.Provision provision) {
            beforeDecision();
            transitions.provision(provision.job(), provision.cpuMilli(), provision.memoryMib());
            afterDecision();
        } else if (decision instanceof Decision.Forward forward) {
            forward(forward.job(), forward.domain());
        } else if (decision instanceof Decision.Reject reject) {
            beforeDecision();
            transitions.reject(reject.job());
            if (!reject.reason().isEmpty()) {
                reasons.put(reject.job(), reject.reason());
            }
            end(reject.job());
            afterDecision();
        } else if (decision instanceof Decision.Wait wait) {
            letTimePass(wait.untilNanos());
        }
    }

    /** Applies a {@link Decision.Start} without making that object. */
    @Override
    public void start(int job, Placement placement) {
        beforeDecision();
        transitions.start(job, placement);
        state.held.started(job);
        afterDecision();
    }

    /** Applies a {@link Decision.Preempt} without making that object. */
    @Override
    public void preempt(int job) {
        beforeDecision();
        state.requirePreemptible(job);
        transitions.preempt(job);
        afterDecision();
    }

    /** Applies a {@link Decision.Forward} without making that object. */
    @Override
    public void forward(int job, int domain) {
        beforeDecision();
        transitions.forward(job, domain);
        afterDecision();
    }

    private void letTimePass(long untilNanos) {
        if (timeMayPass) {
            throw new IllegalStateException("the last decision was a Wait: advance first");
        }
        if (untilNanos <= state.nowNanos) {
            throw new IllegalArgumentException(
                    "cannot wait until (%d ns): it is (%d ns) already".formatted(untilNanos, state.nowNanos));
        }
        wakeNanos = untilNanos;
        timeMayPass = true;
    }

    private void beforeDecision() {
        if (timeMayPass) {
            throw new IllegalStateException("the last decision was a Wait: advance first");
        }
        // A scheduler that starts and preempts a job for ever at one instant would stop time.
        if (decisionsNow > 1000 + 10 * (state.waiting.size() + state.running.size())) {
            throw EndlessDecisions.at(state.nowNanos, decisionsNow);
        }
    }

    private void afterDecision() {
        decisionsNow++;
        decisions++;
        audit();
    }

    private void audit() {
        if (isAudited) {
            Audit.check(state);
        }
    }

    /** The complete state of this simulation, for {@link World#restore}. */
    public Snapshot snapshot() {
        return new Snapshot(fork(), workload);
    }

    /**
     * An independent copy of this simulation in its current state, with a new predictor and without a sink for events.
     */
    public Simulator fork() {
        return new Simulator(world.with(world.options().withEvents(null)), workload, this);
    }

    /** Runs to completion with one scheduler. */
    public RunResult run(Scheduler scheduler) {
        runWhile(scheduler, () -> true);
        return result();
    }

    /**
     * Runs with one scheduler until all jobs are done or a listener has seen enough.
     *
     * @param goesOn called after the decisions of every instant; says whether the run goes on
     * @return whether all jobs are done
     */
    public boolean runWhile(Scheduler scheduler, BooleanSupplier goesOn) {
        boolean isGoingOn = true;
        while (isGoingOn && advance()) {
            decide(scheduler);
            isGoingOn = goesOn.getAsBoolean();
        }
        return isDone();
    }

    /**
     * Runs a {@link Workload#streamed streamed} workload to its end and forgets each job at the end of the instant of
     * its completion: a scheduler may read it until then.
     *
     * @param outcomes of jobs, in the order of their completion
     */
    public void run(Scheduler scheduler, Consumer<JobOutcome> outcomes) {
        boolean isMoreToCome = true;
        while (isMoreToCome) {
            isMoreToCome = advance();
            if (isMoreToCome) {
                decide(scheduler);
            }
            for (int i = 0; i < ended.size(); i++) {
                if (!state.isRejected(ended.getInt(i))) {
                    outcomes.accept(outcome(ended.getInt(i)));
                }
                state.forget(ended.getInt(i));
                reasons.remove(ended.getInt(i));
            }
            ended.clear();
        }
    }

    /** Applies a scheduler's decisions until it waits. */
    public void decide(Scheduler scheduler) {
        Decision decision;
        do {
            decision = scheduler.decide(state);
            if (state.refuses(decision)) {
                refusedPreemptions++;
                decision = state.afterRefusal(decision);
            }
            apply(decision);
        } while (!(decision instanceof Decision.Wait));
    }

    /** The outcome of a completed run: of all jobs but the warm ones. */
    public RunResult result() {
        List<JobOutcome> outcomes = new ArrayList<>();
        List<RunResult.RejectedJob> rejected = new ArrayList<>();
        for (int job = workload.warmJobs(); job < workload.size(); job++) {
            if (state.isRejected(job)) {
                rejected.add(new RunResult.RejectedJob(
                        workload.job(job), workload.trueIdealSeconds(job), reasons.getOrDefault(job, "")));
            } else {
                outcomes.add(outcome(job));
            }
        }
        return new RunResult(
                outcomes, rejected, state.topology.gpus(), busyGpuSeconds, decisions, log.count(), log.sha256());
    }
}
