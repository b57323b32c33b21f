package org.trainyard.env.simulation;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.Workload;

/**
 * Replays a workload on a topology, decision by decision.
 *
 * <p>It is pulled: {@link #advance} runs events to the next instant at which something happened, {@link #apply} makes one decision
 * there; a {@link Decision.Wait} lets time pass. At one instant completions come first, then repairs and outages, then arrivals, then decisions. A run is a
 * function of its arguments and its decisions, to the nanosecond.
 */
public final class Simulator {
    /**
     * @param restart time on GPUs without progress that a preempted, killed or resized job pays when it goes on
     * @param audit recompute every derived figure after every event and compare; for tests
     * @param events is told of every event, or null
     * @param quotas how many GPUs virtual clusters may hold
     * @param outages when servers and GPUs fail
     * @param checkpointNanos productive time between two checkpoints of a running job, which is all it loses when an outage stops it;
     *     0 when it loses nothing
     */
    public record Options(
            RestartCost restart,
            boolean audit,
            @Nullable EventSink events,
            Quotas quotas,
            Outages outages,
            long checkpointNanos) {
        public static final Options DEFAULT = new Options(30_000_000_000L, false);

        public Options {
            if (checkpointNanos < 0) {
                throw new IllegalArgumentException(
                        "time between checkpoints (%d ns) must not be negative".formatted(checkpointNanos));
            }
        }

        /** No quotas, and nothing ever fails. */
        public Options(RestartCost restart, boolean audit, @Nullable EventSink events) {
            this(restart, audit, events, Quotas.NONE, Outages.NONE, 0);
        }

        /** The same restart cost for every job, nanoseconds. */
        public Options(long restartNanos, boolean audit) {
            this(new RestartCost.Fixed(restartNanos), audit, null);
        }

        /** These options with another one to tell of events. */
        public Options withEvents(@Nullable EventSink newEvents) {
            return new Options(restart, audit, newEvents, quotas, outages, checkpointNanos);
        }

        /** These options with limits for virtual clusters. */
        public Options with(Quotas newQuotas) {
            return new Options(restart, audit, events, newQuotas, outages, checkpointNanos);
        }

        /** These options with outages, and a checkpoint so often. */
        public Options with(Outages newOutages, long newCheckpointNanos) {
            return new Options(restart, audit, events, quotas, newOutages, newCheckpointNanos);
        }
    }

    private final State state;
    private final Workload workload;
    private final PerformanceModel truth;
    private final Options options;
    private final EventLog log;
    private final Transitions transitions;
    private long wakeNanos = Long.MAX_VALUE;
    private boolean timeMayPass = true;
    private int decisionsNow;
    private long decisions;
    private double busyGpuSeconds;
    private double jobSeconds;

    /**
     * @param truth how fast jobs really run; used by this simulator alone
     * @param predictor guesses run times for the schedulers; used by this simulator alone
     */
    public Simulator(
            Topology topology, Workload workload, PerformanceModel truth, RuntimePredictor predictor, Options options) {
        this.workload = workload;
        this.truth = truth;
        this.options = options;
        log = new EventLog(options.events());
        for (int job = 0; job < workload.size(); job++) {
            int needed = workload.job(job).demand().minGpus();
            if (needed > topology.gpus()) {
                throw new IllegalArgumentException("job %s needs (%d) GPUs, the cluster has (%d)"
                        .formatted(workload.job(job).name(), needed, topology.gpus()));
            }
        }
        state = new State(topology, workload, truth, options.quotas(), options.outages());
        transitions = new Transitions(state, predictor, options, log);
    }

    public SimView view() {
        return state;
    }

    public EventLog eventLog() {
        return log;
    }

    /** Decisions so far, waits not counted. */
    public long decisions() {
        return decisions;
    }

    /** GPU-seconds held by jobs so far. */
    public double busyGpuSeconds() {
        return busyGpuSeconds;
    }

    /** The integral of the number of jobs submitted and not done over time, so far; at the end, the sum of all JCTs. Seconds. */
    public double jobSeconds() {
        return jobSeconds;
    }

    public boolean isDone() {
        return state.done == workload.size();
    }

    /** Whether a decision is due: time has stopped at an instant and nobody has waited yet. */
    public boolean isAsking() {
        return !timeMayPass;
    }

    /** Whether jobs wait, none runs and none is to come: nothing will ever happen unless a job is started. */
    public boolean isStuck() {
        return state.waiting.size() > 0
                && state.running.size() == 0
                && state.arrived == workload.size()
                && !state.outages.isRepairToCome();
    }

    /** Everything about a job that is over. */
    public JobOutcome outcome(int job) {
        if (state.state[job] != JobState.DONE) {
            throw new IllegalStateException("job (%d) is not done: it is %s".formatted(job, state.state[job]));
        }
        return new JobOutcome(
                workload.job(job),
                state.firstStartNanos[job],
                state.endNanos[job],
                state.runNanos(job),
                state.preemptions[job],
                state.kills[job],
                state.rates.meanSlowdown(job));
    }

    /**
     * Lets time pass to the next instant at which a job is submitted or done, or to which the last wait was limited.
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
        long next = Math.min(Math.min(arrival, finish), wakeNanos);
        if (next == Long.MAX_VALUE && !(state.running.size() == 0 && state.outages.isRepairToCome())) {
            throw new IllegalStateException(
                    "%d jobs are waiting and nothing will ever happen.\nMaybe the scheduler waits although the cluster is idle."
                            .formatted(state.waiting.size()));
        }
        next = Math.min(next, state.outages.nextNanos());
        moveTo(next);
        while (state.rates.scheduledFinishNanos() == next) {
            transitions.finish(state.rates.popFinished());
        }
        while (state.outages.nextNanos() == next) {
            passOutage();
        }
        while (state.arrived < workload.size() && workload.job(state.arrived).submitNanos() == next) {
            transitions.arrive(state.arrived);
        }
        wakeNanos = Long.MAX_VALUE;
        timeMayPass = false;
        decisionsNow = 0;
        audit();
        return !isDone();
    }

    private void moveTo(long next) {
        double elapsed = (next - state.nowNanos) / 1e9;
        busyGpuSeconds += elapsed * (state.cluster.heldMilli() / (double) Demand.WHOLE);
        jobSeconds += elapsed * (state.waiting.size() + state.running.size());
        state.nowNanos = next;
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
     * @throws IllegalArgumentException when it cannot be made; nothing has changed then
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
        } else if (decision instanceof Decision.Forward forward) {
            forward(forward.job(), forward.domain());
        } else if (decision instanceof Decision.Wait wait) {
            letTimePass(wait.untilNanos());
        }
    }

    /** Makes the decision {@link Decision.Start} without one being made. */
    public void start(int job, Placement placement) {
        beforeDecision();
        transitions.start(job, placement);
        afterDecision();
    }

    /** Makes the decision {@link Decision.Preempt} without one being made. */
    public void preempt(int job) {
        beforeDecision();
        transitions.preempt(job);
        afterDecision();
    }

    /** Makes the decision {@link Decision.Forward} without one being made. */
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
        // A job started and preempted for ever at one instant would stop time.
        if (decisionsNow > 1000 + 10 * (state.waiting.size() + state.running.size())) {
            throw new IllegalStateException(
                    "%d decisions at one instant (%d ns).\nMaybe the scheduler preempts what it starts."
                            .formatted(decisionsNow, state.nowNanos));
        }
    }

    private void afterDecision() {
        decisionsNow++;
        decisions++;
        audit();
    }

    private void audit() {
        if (options.audit()) {
            Audit.check(state);
        }
    }

    /** This simulation as it stands, to be taken up again with {@link #restore}. */
    public Snapshot snapshot() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeLong(wakeNanos);
            out.writeBoolean(timeMayPass);
            out.writeInt(decisionsNow);
            out.writeLong(decisions);
            out.writeDouble(busyGpuSeconds);
            out.writeDouble(jobSeconds);
            state.save(out);
            log.save(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Snapshot(Snapshot.worldOf(state.topology, workload), bytes.toByteArray());
    }

    /**
     * Takes up a simulation where it was put down; it goes on as the one it was taken from would have, to the byte. Everything else must
     * be as it was then.
     *
     * @param predictor a fresh one of the kind that was in use: it is told again all that has been
     * @throws org.trainyard.env.InputException when the snapshot is of other jobs or another cluster
     */
    public static Simulator restore(
            Snapshot snapshot,
            Topology topology,
            Workload workload,
            PerformanceModel truth,
            RuntimePredictor predictor,
            Options options) {
        snapshot.checkIsOf(topology, workload);
        Simulator simulator = new Simulator(topology, workload, truth, predictor, options);
        try (DataInputStream in = snapshot.content()) {
            simulator.wakeNanos = in.readLong();
            simulator.timeMayPass = in.readBoolean();
            simulator.decisionsNow = in.readInt();
            simulator.decisions = in.readLong();
            simulator.busyGpuSeconds = in.readDouble();
            simulator.jobSeconds = in.readDouble();
            simulator.state.load(in);
            simulator.log.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        simulator.transitions.remind();
        simulator.audit();
        return simulator;
    }

    /**
     * A second simulation that stands where this one does; from here each goes its own way. Events of the fork are told to nobody.
     *
     * @param freshPredictor of the kind that this one uses
     */
    public Simulator fork(RuntimePredictor freshPredictor) {
        return restore(snapshot(), state.topology, workload, truth.copy(), freshPredictor, options.withEvents(null));
    }

    /** Runs to the end with one scheduler. */
    public RunResult run(Scheduler scheduler) {
        while (advance()) {
            decide(scheduler);
        }
        return result();
    }

    /** Lets a scheduler decide until it waits. */
    public void decide(Scheduler scheduler) {
        Decision decision;
        do {
            decision = scheduler.decide(state);
            apply(decision);
        } while (!(decision instanceof Decision.Wait));
    }

    /** The outcome of a run that is over. */
    public RunResult result() {
        JobOutcome[] outcomes = new JobOutcome[workload.size()];
        for (int job = 0; job < outcomes.length; job++) {
            outcomes[job] = outcome(job);
        }
        return new RunResult(
                List.of(outcomes), state.topology.gpus(), busyGpuSeconds, decisions, log.count(), log.sha256());
    }
}
