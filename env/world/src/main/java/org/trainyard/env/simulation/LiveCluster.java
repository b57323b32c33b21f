package org.trainyard.env.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.trainyard.env.Invalid;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.Workload;

/**
 * The state of a real cluster, fed by the events that happen there. It offers schedulers the view that they have of a
 * simulation, by the same rules of state.
 *
 * <p>It differs from a {@link Simulator} in three points:
 *
 * <ol>
 *   <li>Jobs, completions and outages are reported when they happen. The work of a job is unknown until its end.
 *   <li>Progress is integrated from the rates of a performance model, and a {@link #report} corrects it.
 *   <li>A scheduler only proposes decisions; a decision takes effect when the event that carries it out is reported.
 * </ol>
 *
 * <p>Times never decrease. A refused event leaves the state as it was.
 */
public final class LiveCluster {
    /** A job that ends at its first instant has done this part of a second of work. */
    private static final double LEAST_SECONDS = 1e-9;

    private final State state;
    private final Workload jobs = Workload.open();
    private final EventLog log;
    private final Transitions transitions;
    /** The transitions that apply tentative decisions, which are in no log. */
    private final Transitions tentative;

    private final boolean isAudited;
    private List<Decision> proposed = List.of();
    private int confirmed;
    private boolean hasDiverged;
    private long reports;

    /** @param world what is believed of the cluster; its outages are not read: they are reported */
    public LiveCluster(World world) {
        Simulator.Options options = world.options();
        RuntimePredictor predictor = world.predictors().apply(jobs);
        state = new State(world, jobs, new Outages.Reported());
        log = new EventLog(options.events());
        transitions = new Transitions(state, predictor, options, log);
        tentative = new Transitions(state, predictor, options, new EventLog(null));
        isAudited = options.audit();
    }

    /** The view of schedulers: always the same object. */
    public SimView view() {
        return state;
    }

    /** The log of the events reported so far, as a simulator would have written it. */
    public EventLog eventLog() {
        return log;
    }

    /** Number of events and reports of progress so far. */
    public long reports() {
        return reports;
    }

    /**
     * Whether the server (unit {@code 0 .. servers-1}) or GPU (the units that follow) is out of order by its own
     * failure.
     */
    public boolean isDown(int unit) {
        return state.outages.isDown(unit);
    }

    /** Moves the clock. */
    public void moveTo(long nowNanos) {
        Invalid.when(
                nowNanos < state.nowNanos, "time cannot go back to (%d ns): it is (%d ns)", nowNanos, state.nowNanos);
        if (nowNanos > state.nowNanos) {
            state.rates.refresh();
            state.moveTo(nowNanos);
        }
    }

    /**
     * Lets the caller ask and read as if it were this time already and nothing had happened since. Then the clock and
     * all values are set back to the bit, so a question leaves no trace.
     */
    public <T> T asOf(long nowNanos, Supplier<T> question) {
        long before = state.nowNanos;
        if (nowNanos == before) {
            return question.get();
        }
        Savepoint savepoint = new Savepoint(state);
        for (int job = state.running.first(); job != SimView.NONE; job = state.running.next(job)) {
            savepoint.keep(job);
        }
        moveTo(nowNanos);
        try {
            return question.get();
        } finally {
            savepoint.restore();
            state.moveTo(before);
        }
    }

    /** A job is submitted now; its run time is predicted. */
    public void arrive(JobSpec job) {
        int needed = job.demand().minGpus();
        if (needed > state.topology.gpus() || job.submitNanos() != state.nowNanos) {
            throw new IllegalArgumentException("job %s of (%d) GPUs, submitted at (%d ns), on (%d) GPUs at (%d ns)"
                    .formatted(job.name(), needed, job.submitNanos(), state.topology.gpus(), state.nowNanos));
        }
        state.admit(job);
        transitions.arrive(job.id());
        noteOther();
    }

    /** A job is submitted now, with a prediction of its run time at its ideal rate from elsewhere, seconds. */
    public void arrive(JobSpec job, double predictedSeconds) {
        if (!(predictedSeconds > 0) || Double.isInfinite(predictedSeconds)) {
            throw new IllegalArgumentException(
                    "predicted run time (%s s) must be finite and above zero".formatted(predictedSeconds));
        }
        arrive(job);
        state.row(job.id()).predictedSeconds = predictedSeconds;
    }

    /** A waiting job has started. */
    public void start(int job, Placement placement) {
        transitions.start(job, placement);
        note(new Decision.Start(job, placement));
    }

    /** A running job was preempted: it keeps its progress and waits again. */
    public void preempt(int job) {
        transitions.preempt(job);
        note(new Decision.Preempt(job));
    }

    /** A running job has moved to another placement, of any size it can use. */
    public void resize(int job, Placement placement) {
        transitions.resize(job, placement);
        note(new Decision.Resize(job, placement));
    }

    /** A waiting job was handed to another domain. */
    public void forward(int job, int domain) {
        transitions.forward(job, domain);
        note(new Decision.Forward(job, domain));
    }

    /**
     * A running job has stopped by a fault of its own: it loses its progress since the last checkpoint and waits again.
     */
    public void requeue(int job) {
        transitions.requeue(job);
        noteOther();
    }

    /** A waiting job was cancelled, by its user or as the scheduler proposed. A run-time predictor is not told. */
    public void cancel(int job) {
        Decision rejection = new Decision.Reject(job);
        if (isNext(rejection)) {
            transitions.reject(job);
        } else {
            transitions.cancel(job);
        }
        note(rejection);
    }

    /** A running job has ended; the work it has done is the integral of its rates. */
    public void finish(int job) {
        end(job, Double.NaN);
    }

    /** A running job has ended and reports the iterations it has done. */
    public void finish(int job, double iterations) {
        checkWork(iterations);
        end(job, iterations);
    }

    private void end(int job, double iterations) {
        transitions.require(job, JobState.RUNNING, "end");
        double done = Double.isNaN(iterations) ? state.rates.doneIterations(job) : iterations;
        double least = LEAST_SECONDS * jobs.job(job).idealIterationsPerSecond();
        done = Math.max(done, least);
        state.rates.report(job, done);
        jobs.reveal(job, done);
        transitions.finish(job);
        noteOther();
    }

    /** A running job reports the iterations it has done in all. */
    public void report(int job, double iterations) {
        checkWork(iterations);
        transitions.require(job, JobState.RUNNING, "report progress of");
        state.rates.report(job, iterations);
        state.correctPast();
        reports++;
    }

    private static void checkWork(double iterations) {
        if (!(iterations >= 0) || Double.isInfinite(iterations)) {
            throw new IllegalArgumentException(
                    "work (%s iterations) must be finite and not negative".formatted(iterations));
        }
    }

    /**
     * A server or GPU has failed (see {@link #isDown}): its jobs stop, lose their progress since the last checkpoint,
     * and wait again.
     */
    public void breakDown(int unit) {
        requireUnit(unit, false);
        state.outages.report(unit, true);
        transitions.breakDown(unit);
        noteOther();
    }

    /** A server or GPU was repaired. */
    public void repair(int unit) {
        requireUnit(unit, true);
        state.outages.report(unit, false);
        transitions.repair(unit);
        noteOther();
    }

    private void requireUnit(int unit, boolean isDown) {
        int units = state.topology.servers() + state.topology.gpus();
        if (unit < 0 || unit >= units || state.outages.isDown(unit) != isDown) {
            throw new IllegalArgumentException("unit (%d) of (%d) must exist and be %s"
                    .formatted(unit, units, isDown ? "out of order" : "in order"));
        }
    }

    private void note(Decision event) {
        if (isNext(event)) {
            confirmed++;
            reports++;
            audit();
        } else {
            noteOther();
        }
    }

    private boolean isNext(Decision event) {
        return confirmed < proposed.size() && proposed.get(confirmed).equals(event);
    }

    private void noteOther() {
        hasDiverged |= confirmed < proposed.size();
        reports++;
        audit();
    }

    private void audit() {
        if (isAudited) {
            Audit.check(state);
        }
    }

    /**
     * Whether the last proposals were carried out: the events that followed them began with them, in their order, on
     * the same GPUs.
     */
    public boolean isAsProposed() {
        return confirmed == proposed.size() && !hasDiverged;
    }

    /** The last proposals that were not carried out yet; none when something else has happened since. */
    List<Decision> outstanding() {
        return hasDiverged ? List.of() : proposed.subList(confirmed, proposed.size());
    }

    /**
     * Asks a scheduler until it waits. Its decisions are applied tentatively, so that each is made in view of those
     * before it, and then taken back: the cluster stays as it was.
     *
     * @return the decisions in their order, the last a {@link Decision.Wait}
     * @throws IllegalArgumentException when a decision is impossible
     */
    public List<Decision> propose(Scheduler scheduler) {
        return propose(scheduler, made -> false);
    }

    /**
     * Asks a scheduler until it waits or is stopped early, in which case the last decision is to wait for one
     * nanosecond. Its decisions are applied tentatively and then taken back.
     *
     * @param stop is told of the decisions so far after each of them that can stand as the last, which a preemption
     *     cannot: the job for which it makes room would miss
     */
    List<Decision> propose(Scheduler scheduler, Predicate<List<Decision>> stop) {
        List<Decision> decisions = new ArrayList<>();
        int most = 1000 + 10 * (state.waiting.size() + state.running.size());
        tentatively(savepoint -> {
            Decision decision;
            do {
                decision = scheduler.decide(state);
                if (state.refuses(decision)) {
                    decision = state.afterRefusal(decision);
                }
                apply(decision, savepoint);
                decisions.add(decision);
                boolean canEnd = !(decision instanceof Decision.Preempt || decision instanceof Decision.Wait);
                if (canEnd && stop.test(decisions)) {
                    decision = Decision.waitUntil(state.nowNanos + 1);
                    decisions.add(decision);
                }
                if (decisions.size() > most) {
                    throw EndlessDecisions.at(state.nowNanos, most);
                }
            } while (!(decision instanceof Decision.Wait));
        });
        proposed = List.copyOf(decisions.subList(0, decisions.size() - 1));
        confirmed = 0;
        hasDiverged = false;
        return List.copyOf(decisions);
    }

    /**
     * Applies decisions tentatively, lets the caller read the view as it would be after them, and takes them back.
     *
     * @throws IllegalArgumentException when a decision is impossible
     */
    public void suppose(List<Decision> decisions, Runnable reading) {
        tentatively(savepoint -> {
            decisions.forEach(decision -> apply(decision, savepoint));
            reading.run();
        });
    }

    private interface Attempt {
        void make(Savepoint savepoint);
    }

    private void tentatively(Attempt attempt) {
        Savepoint savepoint = new Savepoint(state);
        try {
            attempt.make(savepoint);
        } finally {
            savepoint.restore();
            audit();
        }
    }

    private void apply(Decision decision, Savepoint savepoint) {
        if (decision instanceof Decision.Start start) {
            savepoint.keep(start.job());
            tentative.start(start.job(), start.placement());
        } else if (decision instanceof Decision.Preempt preempt) {
            savepoint.keep(preempt.job());
            tentative.preempt(preempt.job());
        } else if (decision instanceof Decision.Resize resize) {
            savepoint.keep(resize.job());
            tentative.resize(resize.job(), resize.placement());
        } else if (decision instanceof Decision.Freeze freeze) {
            // Jobs of a live cluster allow no frozen layers, which the transition says.
            tentative.freeze(freeze.job(), freeze.layers());
        } else if (decision instanceof Decision.Provision provision) {
            // No job of a live cluster can be provisioned, which the transition says.
            tentative.provision(provision.job(), provision.cpuMilli(), provision.memoryMib());
        } else if (decision instanceof Decision.Forward forward) {
            savepoint.keep(forward.job());
            tentative.forward(forward.job(), forward.domain());
        } else if (decision instanceof Decision.Reject reject) {
            savepoint.keep(reject.job());
            tentative.reject(reject.job());
        } else if (decision instanceof Decision.Wait wait && wait.untilNanos() <= state.nowNanos) {
            throw new IllegalArgumentException(
                    "cannot wait until (%d ns): it is (%d ns) already".formatted(wait.untilNanos(), state.nowNanos));
        }
    }
}
