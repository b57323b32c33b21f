package org.trainyard.env.simulation;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.function.IntConsumer;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSlots;
import org.trainyard.env.workload.Workload;

/**
 * The work done, the rate and the scheduled completion of every running job.
 *
 * <p>A start or a stop makes its servers dirty. Before time moves, the jobs on dirty servers, and other jobs that the
 * performance model reports as affected, are re-rated once; where slowdowns are local to a server, only those of dirty
 * servers are computed anew. Work is settled lazily: stored values are those of the job's last change of rate.
 */
final class Rates {
    private final State state;
    private final PerformanceModel truth;
    private final FrozenLayers frozen;
    /** Whether any layers can be frozen, so that events of other workloads need not look. */
    private final boolean canFreeze;

    private final JobSlots slots;
    private final EventQueue queue;
    private JobProgress[] jobs;

    private final int[] dirty;
    private final boolean[] isDirty;
    private int dirtyCount;
    private final IntConsumer touch = this::touch;
    private int[] touched;
    private int touchedCount;
    private int round;
    private final boolean interferes;

    private final boolean isServerByServer;

    private static final int SPARE_LENGTH = 32;

    private final ArrayDeque<double[]> spareSlowdowns = new ArrayDeque<>();
    private final HorizonProgress horizons;

    Rates(State state, PerformanceModel truth) {
        this.state = state;
        this.truth = truth;
        frozen = state.frozen;
        canFreeze = frozen.isKept();
        Workload workload = state.workload;
        slots = workload.slots();
        queue = new EventQueue(slots);
        jobs = new JobProgress[0];
        dirty = new int[state.topology.servers()];
        isDirty = new boolean[state.topology.servers()];
        touched = new int[0];
        interferes = truth.interferes();
        isServerByServer = truth.isLocal() && interferes;
        horizons = new HorizonProgress(workload);
        grow(workload.size());
        Arrays.setAll(jobs, slot -> new JobProgress());
    }

    /** Makes room for so many jobs, which are yet to {@link #enter}. */
    void grow(int room) {
        jobs = Arrays.copyOf(jobs, room);
        touched = Arrays.copyOf(touched, room);
    }

    /** Begins the values of a new job in its slot. */
    void enter(int slot) {
        jobs[slot] = new JobProgress();
    }

    private JobProgress of(int job) {
        return jobs[slots.of(job)];
    }

    /** Starts the job on its placement; the first {@code overhead} nanoseconds make no progress. */
    void start(int job, Placement placement, long overhead) {
        JobProgress at = of(job);
        at.alone = truth.aloneRate(state.job(job), placement);
        at.slowdown = 1;
        if (horizons.isDue(job, state.nowNanos)) {
            horizons.set(job, at.doneIterations);
        }
        at.settledNanos = state.nowNanos;
        at.overheadNanos = overhead;
        at.savedIterations = at.doneIterations;
        at.savedProductiveNanos = at.productiveNanos;
        if (interferes) {
            forgetServers(job, placement);
            markDirty(placement);
        } else {
            schedule(job);
        }
    }

    private void forgetServers(int job, Placement placement) {
        if (hasServers(job, placement)) {
            double[] spare = spareSlowdowns.poll();
            of(job).slowdownOn = spare != null && spare.length >= placement.serverCount()
                    ? spare
                    : new double[Math.max(SPARE_LENGTH, placement.serverCount())];
        }
    }

    /**
     * Takes back the running job's progress since its last checkpoint. Checkpoints are taken every
     * {@code checkpointNanos} of productive time since the start. The loss is counted at the current rate.
     */
    void loseUnsaved(int job, long checkpointNanos) {
        JobProgress at = of(job);
        settle(job);
        long productive = at.productiveNanos - at.savedProductiveNanos;
        long unsaved = checkpointNanos == 0 ? 0 : productive % checkpointNanos;
        double kept = unsaved == productive ? at.savedIterations : at.doneIterations - workIn(job, unsaved);
        at.doneIterations = Math.max(at.savedIterations, kept);
        at.lostNanos += unsaved;
        at.interferenceSeconds -= interferenceIn(job, unsaved);
    }

    /**
     * Productive time of the running job since its last checkpoint, which it would lose. Reading it settles no work.
     */
    long unsavedNanos(int job, long checkpointNanos) {
        JobProgress at = of(job);
        long elapsed = state.nowNanos - at.settledNanos;
        long productive = at.productiveNanos - at.savedProductiveNanos + elapsed - Math.min(elapsed, at.overheadNanos);
        return checkpointNanos == 0 ? 0 : productive % checkpointNanos;
    }

    /** Corrects the work that the job has done by a report of the cluster. */
    void report(int job, double iterations) {
        settle(job);
        of(job).doneIterations = iterations;
    }

    /** Stops the job, finished or not. */
    void stop(int job, Placement placement) {
        JobProgress at = of(job);
        settle(job);
        at.alone = 0;
        at.slowdown = 1;
        at.scheduled = false;
        queue.remove(job);
        if (interferes) {
            markDirty(placement);
            if (at.slowdownOn != null) {
                spareSlowdowns.push(at.slowdownOn);
                at.slowdownOn = null;
            }
        }
    }

    /** The part of its last restart cost that a job has not yet paid, or had not when it stopped. Settles no work. */
    long unpaidNanos(int job) {
        JobProgress at = of(job);
        // A job that has stopped has no rate and pays nothing more.
        long paid = at.alone == 0 ? 0 : state.nowNanos - at.settledNanos;
        return Math.max(0, at.overheadNanos - paid);
    }

    private void markDirty(Placement placement) {
        for (int i = 0; i < placement.serverCount(); i++) {
            int server = placement.server(i);
            if (!isDirty[server]) {
                isDirty[server] = true;
                dirty[dirtyCount++] = server;
            }
        }
        truth.touch(placement, state, touch);
    }

    private void touch(int job) {
        JobProgress at = of(job);
        if (!at.isTouched) {
            at.isTouched = true;
            touched[touchedCount++] = job;
        }
    }

    /** Brings all rates up to date, before time moves. */
    void refresh() {
        if (dirtyCount == 0) {
            return;
        }
        round++;
        for (int i = 0; i < dirtyCount; i++) {
            int server = dirty[i];
            for (int n = 0; n < state.cluster.jobsOn(server); n++) {
                rerate(state.cluster.jobOn(server, n));
            }
        }
        for (int i = 0; i < dirtyCount; i++) {
            isDirty[dirty[i]] = false;
        }
        dirtyCount = 0;
        for (int i = 0; i < touchedCount; i++) {
            // The job may have stopped since, and may be forgotten.
            if (!slots.isForgotten(touched[i])) {
                of(touched[i]).isTouched = false;
                if (isRunning(touched[i])) {
                    rerate(touched[i]);
                }
            }
        }
        touchedCount = 0;
    }

    private void rerate(int job) {
        JobProgress at = of(job);
        if (at.ratedIn == round) {
            return;
        }
        at.ratedIn = round;
        double now = isServerByServer ? localSlowdown(job) : freshSlowdown(job);
        if (now != at.slowdown || !at.scheduled) {
            settle(job);
            at.slowdown = now;
            schedule(job);
        }
    }

    /** The slowdown, with predictions of the model for dirty servers only. */
    private double localSlowdown(int job) {
        Placement placement = state.placement(job);
        double[] kept = of(job).slowdownOn;
        if (placement.serverCount() == 1 || kept == null) {
            return freshSlowdown(job);
        }
        double worst = 1;
        for (int i = 0; i < placement.serverCount(); i++) {
            if (isDirty[placement.server(i)]) {
                kept[i] = truth.slowdownOn(i, state.job(job), placement, state);
            }
            worst = Math.max(worst, kept[i]);
        }
        return worst;
    }

    private void settle(int job) {
        JobProgress at = of(job);
        long elapsed = state.nowNanos - at.settledNanos;
        if (horizons.isDue(job, state.nowNanos)) {
            long before = horizons.horizonNanos(job) - at.settledNanos;
            horizons.set(job, at.doneIterations + workIn(job, Math.max(0, before - at.overheadNanos)));
        }
        at.settledNanos = state.nowNanos;
        long idle = Math.min(elapsed, at.overheadNanos);
        at.overheadNanos -= idle;
        at.runNanos += elapsed;
        at.productiveNanos += elapsed - idle;
        at.slowdownSeconds += at.slowdown * ((elapsed - idle) / 1e9);
        at.interferenceSeconds += interferenceIn(job, elapsed - idle);
        if (isFrozen(job)) {
            frozen.accrue(job, at.doneIterations, at.alone / at.slowdown, (elapsed - idle) / 1e9);
        }
        at.doneIterations += workIn(job, elapsed - idle);
    }

    /** By how much less time the job would have done alone on its placement what it does in this time, seconds. */
    private double interferenceIn(int job, long nanos) {
        return (1 - 1 / of(job).slowdown) * (nanos / 1e9);
    }

    private boolean isFrozen(int job) {
        return canFreeze && frozen.isFrozen(job);
    }

    private double workIn(int job, long nanos) {
        JobProgress at = of(job);
        double rate = at.alone / at.slowdown;
        return isFrozen(job) ? frozen.iterations(job, at.doneIterations, rate, nanos / 1e9) : rate * (nanos / 1e9);
    }

    /** The productive time that so many iterations take from now on. */
    private double secondsFor(int job, double left) {
        JobProgress at = of(job);
        double rate = at.alone / at.slowdown;
        return isFrozen(job) ? frozen.seconds(job, at.doneIterations, left, rate) : left / rate;
    }

    private void schedule(int job) {
        JobProgress at = of(job);
        at.scheduled = true;
        double left = Math.max(0, state.workload.trueIterations(job) - at.doneIterations);
        if (left == Double.POSITIVE_INFINITY) {
            // A job of a live cluster, whose end is reported.
            return;
        }
        double seconds = secondsFor(job, left);
        queue.schedule(state.nowNanos + at.overheadNanos + Math.round(seconds * 1e9), job);
    }

    /** The next completion at current rates, or {@link Long#MAX_VALUE}. */
    long nextFinishNanos() {
        refresh();
        return scheduledFinishNanos();
    }

    /** The next completion as scheduled, not counting changes on dirty servers. */
    long scheduledFinishNanos() {
        return queue.nextNanos();
    }

    /** Removes the next completion from the queue and marks the job's work as done. */
    int popFinished() {
        int job = queue.job();
        queue.pop();
        settle(job);
        of(job).doneIterations = state.workload.trueIterations(job);
        return job;
    }

    double rate(int job) {
        double rate = of(job).alone / slowdown(job);
        return isFrozen(job) ? rate * frozen.progressLeft(job, doneIterations(job)) : rate;
    }

    /** Changes the number of frozen layers of the running job. */
    void freeze(int job, int layers) {
        settle(job);
        frozen.set(job, layers, of(job).doneIterations);
        state.specify(job);
        changed(job);
    }

    /** Changes the host resources of the running job. */
    void provision(int job, Demand demand) {
        settle(job);
        state.provision(job, demand);
        changed(job);
    }

    private void changed(int job) {
        JobProgress at = of(job);
        Placement placement = state.placement(job);
        at.alone = truth.aloneRate(state.job(job), placement);
        at.scheduled = false;
        queue.remove(job);
        if (interferes) {
            markDirty(placement);
        } else {
            schedule(job);
        }
    }

    double rateAlone(int job) {
        return isRunning(job) ? of(job).alone : 0;
    }

    /** The rate of the running job alone on its placement, computed from scratch, for audits. */
    boolean isAloneRateFresh(int job) {
        return of(job).alone == truth.aloneRate(state.job(job), state.placement(job));
    }

    /** The mean penalty of a finished job's frozen layers over its productive time. */
    double accuracyPenalty(int job) {
        JobProgress at = of(job);
        return at.productiveNanos > 0 ? frozen.penaltySeconds(job) / (at.productiveNanos / 1e9) : 0;
    }

    /** The current slowdown. Reading it settles no work, which would change rounding. */
    double slowdown(int job) {
        return isRunning(job) && isOutdated(job) ? freshSlowdown(job) : of(job).slowdown;
    }

    private boolean isOutdated(int job) {
        if (dirtyCount == 0) {
            return false;
        }
        if (of(job).isTouched) {
            return true;
        }
        Placement placement = state.placement(job);
        for (int i = 0; i < placement.serverCount(); i++) {
            if (isDirty[placement.server(i)]) {
                return true;
            }
        }
        return false;
    }

    /** The slowdown computed from scratch, for audits. */
    double freshSlowdown(int job) {
        return truth.slowdown(state.job(job), state.placement(job), state);
    }

    long runNanos(int job) {
        JobProgress at = of(job);
        return at.runNanos + (isRunning(job) ? state.nowNanos - at.settledNanos : 0);
    }

    double doneIterations(int job) {
        JobProgress at = of(job);
        double done = at.doneIterations;
        if (isRunning(job)) {
            // Right on dirty servers too: their changes happened at this instant.
            long elapsed = state.nowNanos - at.settledNanos;
            done += workIn(job, Math.max(0, elapsed - at.overheadNanos));
        }
        return Math.min(done, state.workload.trueIterations(job));
    }

    private boolean isRunning(int job) {
        return state.row(job).state == JobState.RUNNING;
    }

    /** Mean slowdown over the job's productive time so far; 1 when there was none. */
    double meanSlowdown(int job) {
        JobProgress at = of(job);
        return at.productiveNanos > 0 ? Math.max(1, at.slowdownSeconds / (at.productiveNanos / 1e9)) : 1;
    }

    /** The utility of a finished job; 0 for a job without one. */
    double utility(int job) {
        long delay = state.row(job).endNanos - state.workload.job(job).submitNanos();
        double iterations = state.row(job).timedOut ? of(job).doneIterations : state.workload.trueIterations(job);
        return horizons.utility(job, delay, iterations);
    }

    /**
     * The work that an ended job has done, in seconds at its ideal rate: all of it, unless its time limit came first.
     */
    double endedIdealSeconds(int job) {
        return state.row(job).timedOut
                ? of(job).doneIterations / state.workload.job(job).idealIterationsPerSecond()
                : state.workload.trueIdealSeconds(job);
    }

    /** Where the time on GPUs of an ended job went. */
    JobOutcome.TimeOnGpus timeOnGpus(int job) {
        JobProgress at = of(job);
        return new JobOutcome.TimeOnGpus(
                at.runNanos,
                Math.round(endedIdealSeconds(job) * 1e9),
                at.runNanos - at.productiveNanos + at.lostNanos,
                Math.round(at.interferenceSeconds * 1e9));
    }

    /** The values of one job at this moment. */
    JobProgress image(int job) {
        return of(job).copy();
    }

    /** Brings one job back to an {@link #image}. */
    void restore(int job, JobProgress image) {
        JobProgress now = of(job);
        image.isTouched = now.isTouched;
        image.ratedIn = now.ratedIn;
        jobs[slots.of(job)] = image;
    }

    /** The servers and jobs whose rates are out of date. */
    int[][] outdated() {
        return new int[][] {Arrays.copyOf(dirty, dirtyCount), Arrays.copyOf(touched, touchedCount)};
    }

    /** Goes back to the servers and jobs that were {@link #outdated}. */
    void restoreOutdated(int[][] before) {
        for (int i = 0; i < dirtyCount; i++) {
            isDirty[dirty[i]] = false;
        }
        dirtyCount = before[0].length;
        System.arraycopy(before[0], 0, dirty, 0, dirtyCount);
        for (int i = 0; i < dirtyCount; i++) {
            isDirty[dirty[i]] = true;
        }
        for (int i = 0; i < touchedCount; i++) {
            of(touched[i]).isTouched = false;
        }
        touchedCount = before[1].length;
        System.arraycopy(before[1], 0, touched, 0, touchedCount);
        for (int i = 0; i < touchedCount; i++) {
            of(touched[i]).isTouched = true;
        }
    }

    private boolean hasServers(int job, Placement placement) {
        return isServerByServer && placement.serverCount() > 1 && truth.isLocal(state.workload.job(job));
    }

    /** Takes over the rates of the same jobs; the state must have been taken over before. */
    void copy(Rates other) {
        queue.copy(other.queue);
        for (int job = 0; job < state.arrived; job++) {
            restore(job, other.image(job));
        }
        restoreOutdated(other.outdated());
        horizons.copy(other.horizons);
    }
}
