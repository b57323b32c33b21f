package org.trainyard.env.simulation;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.Workload;

/**
 * Replays a workload on a topology, decision by decision.
 *
 * <p>It is pulled: {@link #advance} runs events to the next instant at which something happened, {@link #apply} makes one decision
 * there; a {@link Decision.Wait} lets time pass. At one instant completions come first, then arrivals, then decisions. A run is a
 * function of its arguments and its decisions, to the nanosecond.
 */
public final class Simulator {
    /**
     * @param restart time on GPUs without progress that a preempted job pays when it resumes
     * @param audit recompute every derived figure after every event and compare; for tests
     * @param events is told of every event, or null
     */
    public record Options(
            RestartCost restart, boolean audit, @Nullable EventSink events) {
        public static final Options DEFAULT = new Options(30_000_000_000L, false);

        /** The same restart cost for every job, nanoseconds. */
        public Options(long restartNanos, boolean audit) {
            this(new RestartCost.Fixed(restartNanos), audit, null);
        }
    }

    private final State state;
    private final Workload workload;
    private final RuntimePredictor predictor;
    private final Options options;
    private final EventLog log;
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
        this.predictor = predictor;
        this.options = options;
        log = new EventLog(options.events());
        for (int job = 0; job < workload.size(); job++) {
            if (workload.job(job).gpus() > topology.gpus()) {
                throw new IllegalArgumentException("job %s needs (%d) GPUs, the cluster has (%d)"
                        .formatted(workload.job(job).name(), workload.job(job).gpus(), topology.gpus()));
            }
        }
        state = new State(topology, workload, made -> new Rates(made, truth));
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
        return state.waiting.size() > 0 && state.running.size() == 0 && state.arrived == workload.size();
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
        if (next == Long.MAX_VALUE) {
            throw new IllegalStateException(
                    "%d jobs are waiting and nothing will ever happen.\nMaybe the scheduler waits although the cluster is idle."
                            .formatted(state.waiting.size()));
        }
        moveTo(next);
        while (state.rates.scheduledFinishNanos() == next) {
            finish(state.rates.popFinished());
        }
        while (state.arrived < workload.size() && workload.job(state.arrived).submitNanos() == next) {
            arrive(state.arrived);
        }
        wakeNanos = Long.MAX_VALUE;
        timeMayPass = false;
        decisionsNow = 0;
        audit();
        return !isDone();
    }

    private void moveTo(long next) {
        double elapsed = (next - state.nowNanos) / 1e9;
        busyGpuSeconds += elapsed * (state.topology.gpus() - state.cluster.free());
        jobSeconds += elapsed * (state.waiting.size() + state.running.size());
        state.nowNanos = next;
    }

    private void finish(int job) {
        Placement placement = state.placement(job);
        state.cluster.release(job, placement);
        state.rates.stop(job, placement);
        state.running.remove(job);
        state.placement[job] = null;
        state.state[job] = JobState.DONE;
        state.endNanos[job] = state.nowNanos;
        state.done++;
        log(EventKind.FINISH, job, 0);
        predictor.finished(workload.job(job), workload.trueIdealSeconds(job));
    }

    private void arrive(int job) {
        state.arrived++;
        state.predictedSeconds[job] = predictor.predictSeconds(workload.job(job));
        enqueue(job);
        log(EventKind.ARRIVE, job, 0);
    }

    private void enqueue(int job) {
        state.state[job] = JobState.WAITING;
        state.queuedSinceNanos[job] = state.nowNanos;
        state.waiting.append(job);
    }

    private void log(EventKind kind, int job, int argument) {
        log.add(state.nowNanos, kind, job, argument);
        state.record(kind, job);
    }

    /**
     * Makes one decision at this instant.
     *
     * @throws IllegalArgumentException when it cannot be made; nothing has changed then
     */
    public void apply(Decision decision) {
        if (timeMayPass) {
            throw new IllegalStateException("the last decision was a Wait: advance first");
        }
        if (decision instanceof Decision.Wait wait) {
            if (wait.untilNanos() <= state.nowNanos) {
                throw new IllegalArgumentException("cannot wait until (%d ns): it is (%d ns) already"
                        .formatted(wait.untilNanos(), state.nowNanos));
            }
            wakeNanos = wait.untilNanos();
            timeMayPass = true;
            return;
        }
        // A job started and preempted for ever at one instant would stop time.
        if (decisionsNow > 1000 + 10 * (state.waiting.size() + state.running.size())) {
            throw new IllegalStateException(
                    "%d decisions at one instant (%d ns).\nMaybe the scheduler preempts what it starts."
                            .formatted(decisionsNow, state.nowNanos));
        }
        if (decision instanceof Decision.Start start) {
            start(start.job(), start.placement());
        } else if (decision instanceof Decision.Preempt preempt) {
            preempt(preempt.job());
        } else if (decision instanceof Decision.Forward forward) {
            require(forward.job(), JobState.WAITING, "forward");
            log(EventKind.FORWARD, forward.job(), forward.domain());
        }
        decisionsNow++;
        decisions++;
        audit();
    }

    private void start(int job, Placement placement) {
        require(job, JobState.WAITING, "start");
        int demand = workload.job(job).gpus();
        if (placement.gpuCount() != demand) {
            throw new IllegalArgumentException(
                    "cannot start job (%d) on (%d) GPUs: it needs (%d)".formatted(job, placement.gpuCount(), demand));
        }
        if (!state.cluster.fits(placement)) {
            throw new IllegalArgumentException(
                    "cannot start job (%d): GPUs %s are not all free".formatted(job, placement));
        }
        state.waiting.remove(job);
        state.running.append(job);
        state.cluster.allocate(job, placement);
        state.placement[job] = placement;
        state.state[job] = JobState.RUNNING;
        if (state.firstStartNanos[job] < 0) {
            state.firstStartNanos[job] = state.nowNanos;
        }
        boolean resumes = state.preemptions[job] > 0;
        long restart = resumes ? options.restart().nanos(workload.job(job), state.rates.unpaidNanos(job)) : 0;
        state.rates.start(job, placement, restart);
        log.addStart(state.nowNanos, job, placement);
        state.record(EventKind.START, job);
    }

    private void preempt(int job) {
        require(job, JobState.RUNNING, "preempt");
        Placement placement = state.placement(job);
        state.rates.stop(job, placement);
        state.cluster.release(job, placement);
        state.running.remove(job);
        state.placement[job] = null;
        state.preemptions[job]++;
        enqueue(job);
        log(EventKind.PREEMPT, job, 0);
    }

    private void require(int job, JobState wanted, String verb) {
        if (job < 0 || job >= state.arrived || state.state[job] != wanted) {
            throw new IllegalArgumentException("cannot %s job (%d): it is %s"
                    .formatted(verb, job, job < 0 || job >= state.arrived ? "unknown" : state.state[job]));
        }
    }

    private void audit() {
        if (options.audit()) {
            Audit.check(state);
        }
    }

    /** Runs to the end with one scheduler. */
    public RunResult run(Scheduler scheduler) {
        while (advance()) {
            Decision decision;
            do {
                decision = scheduler.decide(state);
                apply(decision);
            } while (!(decision instanceof Decision.Wait));
        }
        return result();
    }

    /** The outcome of a run that is over. */
    public RunResult result() {
        JobOutcome[] outcomes = new JobOutcome[workload.size()];
        for (int job = 0; job < outcomes.length; job++) {
            outcomes[job] = outcome(job);
        }
        return new RunResult(
                java.util.List.of(outcomes),
                state.topology.gpus(),
                busyGpuSeconds,
                decisions,
                log.count(),
                log.sha256());
    }
}
