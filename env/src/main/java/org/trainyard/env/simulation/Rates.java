package org.trainyard.env.simulation;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSlots;
import org.trainyard.env.workload.Workload;

/**
 * The work done, the rate and the scheduled completion of every running job.
 *
 * <p>A start or a stop makes its servers dirty. Before time moves, the jobs on dirty servers, and other jobs that
 * the performance model reports as affected, are re-rated once; where slowdowns are local to a server, only those
 * of dirty servers are computed anew. Work is settled lazily: stored values are those of the job's last change of
 * rate.
 */
final class Rates {
    private final State state;
    private final PerformanceModel truth;
    private final FrozenLayers frozen;
    /** Whether any layers can be frozen, so that events of other workloads need not look. */
    private final boolean canFreeze;

    private final JobSlots slots;
    private final EventQueue queue;
    /** Work done rather than remaining work: the rounding of a difference would reveal the true work. */
    private double[] doneIterations;

    private double[] alone;
    private double[] slowdown;
    private long[] settledNanos;
    private long[] overheadNanos;
    private long[] runNanos;
    private double[] slowdownSeconds;
    private long[] productiveNanos;
    private long[] lostNanos;
    private double[] interferenceSeconds;
    private boolean[] scheduled;

    private final int[] dirty;
    private final boolean[] isDirty;
    private int dirtyCount;
    private final IntConsumer touch = this::touch;
    private int[] touched;
    private boolean[] isTouched;
    private int touchedCount;
    private int[] ratedIn;
    private int round;
    /** Where slowdowns are local to a server: by job on several servers, its slowdown on each. */
    private double[] @Nullable [] slowdownOn;

    private final boolean interferes;

    private final boolean isServerByServer;

    private static final int SPARE_LENGTH = 32;

    private final ArrayDeque<double[]> spareSlowdowns = new ArrayDeque<>();
    private double[] savedIterations;
    private long[] savedProductiveNanos;
    private final HorizonProgress horizons;

    Rates(State state, PerformanceModel truth) {
        this.state = state;
        this.truth = truth;
        frozen = state.frozen;
        canFreeze = frozen.isKept();
        Workload workload = state.workload;
        slots = workload.slots();
        queue = new EventQueue(slots);
        int jobs = workload.size();
        doneIterations = new double[jobs];
        alone = new double[jobs];
        slowdown = new double[jobs];
        Arrays.fill(slowdown, 1);
        settledNanos = new long[jobs];
        overheadNanos = new long[jobs];
        runNanos = new long[jobs];
        slowdownSeconds = new double[jobs];
        productiveNanos = new long[jobs];
        lostNanos = new long[jobs];
        interferenceSeconds = new double[jobs];
        scheduled = new boolean[jobs];
        dirty = new int[state.topology.servers()];
        isDirty = new boolean[state.topology.servers()];
        touched = new int[jobs];
        isTouched = new boolean[jobs];
        ratedIn = new int[jobs];
        interferes = truth.interferes();
        isServerByServer = truth.isLocal() && interferes;
        slowdownOn = new double[isServerByServer ? jobs : 0][];
        savedIterations = new double[jobs];
        savedProductiveNanos = new long[jobs];
        horizons = new HorizonProgress(workload);
    }

    /** Makes room for so many jobs. */
    void grow(int jobs) {
        doneIterations = Arrays.copyOf(doneIterations, jobs);
        alone = Arrays.copyOf(alone, jobs);
        slowdown = Arrays.copyOf(slowdown, jobs);
        settledNanos = Arrays.copyOf(settledNanos, jobs);
        overheadNanos = Arrays.copyOf(overheadNanos, jobs);
        runNanos = Arrays.copyOf(runNanos, jobs);
        slowdownSeconds = Arrays.copyOf(slowdownSeconds, jobs);
        productiveNanos = Arrays.copyOf(productiveNanos, jobs);
        lostNanos = Arrays.copyOf(lostNanos, jobs);
        interferenceSeconds = Arrays.copyOf(interferenceSeconds, jobs);
        scheduled = Arrays.copyOf(scheduled, jobs);
        touched = Arrays.copyOf(touched, jobs);
        isTouched = Arrays.copyOf(isTouched, jobs);
        ratedIn = Arrays.copyOf(ratedIn, jobs);
        if (isServerByServer) {
            slowdownOn = Arrays.copyOf(slowdownOn, jobs);
        }
        savedIterations = Arrays.copyOf(savedIterations, jobs);
        savedProductiveNanos = Arrays.copyOf(savedProductiveNanos, jobs);
    }

    /** Resets the values of the slot in which a new job is kept. */
    void enter(int slot) {
        doneIterations[slot] = 0;
        alone[slot] = 0;
        slowdown[slot] = 1;
        overheadNanos[slot] = 0;
        runNanos[slot] = 0;
        slowdownSeconds[slot] = 0;
        productiveNanos[slot] = 0;
        lostNanos[slot] = 0;
        interferenceSeconds[slot] = 0;
        scheduled[slot] = false;
        isTouched[slot] = false;
        if (isServerByServer) {
            slowdownOn[slot] = null;
        }
    }

    /** Starts the job on its placement; the first {@code overhead} nanoseconds make no progress. */
    void start(int job, Placement placement, long overhead) {
        int slot = slots.of(job);
        alone[slot] = truth.aloneRate(state.job(job), placement);
        slowdown[slot] = 1;
        if (horizons.isDue(job, state.nowNanos)) {
            horizons.set(job, doneIterations[slot]);
        }
        settledNanos[slot] = state.nowNanos;
        overheadNanos[slot] = overhead;
        savedIterations[slot] = doneIterations[slot];
        savedProductiveNanos[slot] = productiveNanos[slot];
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
            slowdownOn[slots.of(job)] = spare != null && spare.length >= placement.serverCount()
                    ? spare
                    : new double[Math.max(SPARE_LENGTH, placement.serverCount())];
        }
    }

    /**
     * Takes back the running job's progress since its last checkpoint. Checkpoints are taken every
     * {@code checkpointNanos} of productive time since the start. The loss is counted at
     * the current rate.
     */
    void loseUnsaved(int job, long checkpointNanos) {
        int slot = slots.of(job);
        settle(job);
        long productive = productiveNanos[slot] - savedProductiveNanos[slot];
        long unsaved = checkpointNanos == 0 ? 0 : productive % checkpointNanos;
        double kept = unsaved == productive ? savedIterations[slot] : doneIterations[slot] - workIn(job, unsaved);
        doneIterations[slot] = Math.max(savedIterations[slot], kept);
        lostNanos[slot] += unsaved;
        interferenceSeconds[slot] -= interferenceIn(job, unsaved);
    }

    /**
     * Productive time of the running job since its last checkpoint, which it would lose. Reading it settles no work.
     */
    long unsavedNanos(int job, long checkpointNanos) {
        int slot = slots.of(job);
        long elapsed = state.nowNanos - settledNanos[slot];
        long productive =
                productiveNanos[slot] - savedProductiveNanos[slot] + elapsed - Math.min(elapsed, overheadNanos[slot]);
        return checkpointNanos == 0 ? 0 : productive % checkpointNanos;
    }

    /** Corrects the work that the job has done by a report of the cluster. */
    void report(int job, double iterations) {
        settle(job);
        doneIterations[slots.of(job)] = iterations;
    }

    /** Stops the job, finished or not. */
    void stop(int job, Placement placement) {
        int slot = slots.of(job);
        settle(job);
        alone[slot] = 0;
        slowdown[slot] = 1;
        scheduled[slot] = false;
        queue.remove(job);
        if (interferes) {
            markDirty(placement);
            if (hasServers(job, placement)) {
                spareSlowdowns.push(slowdownOn[slot]);
                slowdownOn[slot] = null;
            }
        }
    }

    /** The part of its last restart cost that a preempted job had not yet paid. */
    long unpaidNanos(int job) {
        return overheadNanos[slots.of(job)];
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
        int slot = slots.of(job);
        if (!isTouched[slot]) {
            isTouched[slot] = true;
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
                isTouched[slots.of(touched[i])] = false;
                if (isRunning(touched[i])) {
                    rerate(touched[i]);
                }
            }
        }
        touchedCount = 0;
    }

    private void rerate(int job) {
        int slot = slots.of(job);
        if (ratedIn[slot] == round) {
            return;
        }
        ratedIn[slot] = round;
        double now = isServerByServer ? localSlowdown(job) : freshSlowdown(job);
        if (now != slowdown[slot] || !scheduled[slot]) {
            settle(job);
            slowdown[slot] = now;
            schedule(job);
        }
    }

    /** The slowdown, with predictions of the model for dirty servers only. */
    private double localSlowdown(int job) {
        Placement placement = state.placement(job);
        double[] kept = slowdownOn[slots.of(job)];
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
        int slot = slots.of(job);
        long elapsed = state.nowNanos - settledNanos[slot];
        if (horizons.isDue(job, state.nowNanos)) {
            long before = horizons.horizonNanos(job) - settledNanos[slot];
            horizons.set(job, doneIterations[slot] + workIn(job, Math.max(0, before - overheadNanos[slot])));
        }
        settledNanos[slot] = state.nowNanos;
        long idle = Math.min(elapsed, overheadNanos[slot]);
        overheadNanos[slot] -= idle;
        runNanos[slot] += elapsed;
        productiveNanos[slot] += elapsed - idle;
        slowdownSeconds[slot] += slowdown[slot] * ((elapsed - idle) / 1e9);
        interferenceSeconds[slot] += interferenceIn(job, elapsed - idle);
        if (isFrozen(job)) {
            frozen.accrue(job, doneIterations[slot], alone[slot] / slowdown[slot], (elapsed - idle) / 1e9);
        }
        doneIterations[slot] += workIn(job, elapsed - idle);
    }

    /** By how much less time the job would have done alone on its placement what it does in this time, seconds. */
    private double interferenceIn(int job, long nanos) {
        return (1 - 1 / slowdown[slots.of(job)]) * (nanos / 1e9);
    }

    private boolean isFrozen(int job) {
        return canFreeze && frozen.isFrozen(job);
    }

    private double workIn(int job, long nanos) {
        int slot = slots.of(job);
        double rate = alone[slot] / slowdown[slot];
        return isFrozen(job) ? frozen.iterations(job, doneIterations[slot], rate, nanos / 1e9) : rate * (nanos / 1e9);
    }

    /** The productive time that so many iterations take from now on. */
    private double secondsFor(int job, double left) {
        int slot = slots.of(job);
        double rate = alone[slot] / slowdown[slot];
        return isFrozen(job) ? frozen.seconds(job, doneIterations[slot], left, rate) : left / rate;
    }

    private void schedule(int job) {
        int slot = slots.of(job);
        scheduled[slot] = true;
        double left = Math.max(0, state.workload.trueIterations(job) - doneIterations[slot]);
        if (left == Double.POSITIVE_INFINITY) {
            // A job of a live cluster, whose end is reported.
            return;
        }
        double seconds = secondsFor(job, left);
        queue.schedule(state.nowNanos + overheadNanos[slot] + Math.round(seconds * 1e9), job);
    }

    /** The next completion at current rates, or {@link Long#MAX_VALUE}. */
    long nextFinishNanos() {
        refresh();
        return scheduledFinishNanos();
    }

    /** The next completion as scheduled, not counting changes on dirty servers. */
    long scheduledFinishNanos() {
        return queue.isEmpty() ? Long.MAX_VALUE : queue.time();
    }

    /** Removes the next completion from the queue and marks the job's work as done. */
    int popFinished() {
        int job = queue.job();
        queue.pop();
        settle(job);
        doneIterations[slots.of(job)] = state.workload.trueIterations(job);
        return job;
    }

    double rate(int job) {
        double rate = alone[slots.of(job)] / slowdown(job);
        return isFrozen(job) ? rate * frozen.progressLeft(job, doneIterations(job)) : rate;
    }

    /** Changes the number of frozen layers of the running job. */
    void freeze(int job, int layers) {
        settle(job);
        frozen.set(job, layers, doneIterations[slots.of(job)]);
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
        int slot = slots.of(job);
        Placement placement = state.placement(job);
        alone[slot] = truth.aloneRate(state.job(job), placement);
        scheduled[slot] = false;
        queue.remove(job);
        if (interferes) {
            markDirty(placement);
        } else {
            schedule(job);
        }
    }

    /** The rate of the running job alone on its placement, computed from scratch, for audits. */
    boolean isAloneRateFresh(int job) {
        return alone[slots.of(job)] == truth.aloneRate(state.job(job), state.placement(job));
    }

    /** The mean penalty of a finished job's frozen layers over its productive time. */
    double accuracyPenalty(int job) {
        int slot = slots.of(job);
        return productiveNanos[slot] > 0 ? frozen.penaltySeconds(job) / (productiveNanos[slot] / 1e9) : 0;
    }

    /** The current slowdown. Reading it settles no work, which would change rounding. */
    double slowdown(int job) {
        return isRunning(job) && isOutdated(job) ? freshSlowdown(job) : slowdown[slots.of(job)];
    }

    private boolean isOutdated(int job) {
        if (dirtyCount == 0) {
            return false;
        }
        if (isTouched[slots.of(job)]) {
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
        int slot = slots.of(job);
        return runNanos[slot] + (isRunning(job) ? state.nowNanos - settledNanos[slot] : 0);
    }

    double doneIterations(int job) {
        int slot = slots.of(job);
        double done = doneIterations[slot];
        if (isRunning(job)) {
            // Right on dirty servers too: their changes happened at this instant.
            long elapsed = state.nowNanos - settledNanos[slot];
            done += workIn(job, Math.max(0, elapsed - overheadNanos[slot]));
        }
        return Math.min(done, state.workload.trueIterations(job));
    }

    private boolean isRunning(int job) {
        return state.state[slots.of(job)] == JobState.RUNNING;
    }

    /** Mean slowdown over the job's productive time so far; 1 when there was none. */
    double meanSlowdown(int job) {
        int slot = slots.of(job);
        return productiveNanos[slot] > 0 ? Math.max(1, slowdownSeconds[slot] / (productiveNanos[slot] / 1e9)) : 1;
    }

    /** The utility of a finished job; 0 for a job without one. */
    double utility(int job) {
        long delay = state.endNanos[slots.of(job)] - state.workload.job(job).submitNanos();
        double iterations =
                state.timedOut[slots.of(job)] ? doneIterations[slots.of(job)] : state.workload.trueIterations(job);
        return horizons.utility(job, delay, iterations);
    }

    /**
     * The work that an ended job has done, in seconds at its ideal rate: all of it, unless its time limit came first.
     */
    double endedIdealSeconds(int job) {
        return state.timedOut[slots.of(job)]
                ? doneIterations[slots.of(job)] / state.workload.job(job).idealIterationsPerSecond()
                : state.workload.trueIdealSeconds(job);
    }

    /** Where the time on GPUs of an ended job went. */
    JobOutcome.TimeOnGpus timeOnGpus(int job) {
        int slot = slots.of(job);
        return new JobOutcome.TimeOnGpus(
                runNanos[slot],
                Math.round(endedIdealSeconds(job) * 1e9),
                runNanos[slot] - productiveNanos[slot] + lostNanos[slot],
                Math.round(interferenceSeconds[slot] * 1e9));
    }

    /** The values of one job at one moment. */
    static final class JobImage {
        private final double[] figures;
        private final long[] times;
        private final boolean isScheduled;
        private final double @Nullable [] slowdownOn;

        private JobImage(Rates rates, int job) {
            int slot = rates.slots.of(job);
            figures = new double[] {
                rates.doneIterations[slot],
                rates.alone[slot],
                rates.slowdown[slot],
                rates.slowdownSeconds[slot],
                rates.savedIterations[slot],
                rates.interferenceSeconds[slot]
            };
            times = new long[] {
                rates.settledNanos[slot],
                rates.overheadNanos[slot],
                rates.runNanos[slot],
                rates.productiveNanos[slot],
                rates.savedProductiveNanos[slot],
                rates.lostNanos[slot]
            };
            isScheduled = rates.scheduled[slot];
            double[] rows = rates.isServerByServer ? rates.slowdownOn[slot] : null;
            slowdownOn = rows == null ? null : rows.clone();
        }
    }

    JobImage image(int job) {
        return new JobImage(this, job);
    }

    /** Brings one job back to an {@link #image}. */
    void restore(int job, JobImage image) {
        int slot = slots.of(job);
        doneIterations[slot] = image.figures[0];
        alone[slot] = image.figures[1];
        slowdown[slot] = image.figures[2];
        slowdownSeconds[slot] = image.figures[3];
        savedIterations[slot] = image.figures[4];
        interferenceSeconds[slot] = image.figures[5];
        settledNanos[slot] = image.times[0];
        overheadNanos[slot] = image.times[1];
        runNanos[slot] = image.times[2];
        productiveNanos[slot] = image.times[3];
        savedProductiveNanos[slot] = image.times[4];
        lostNanos[slot] = image.times[5];
        scheduled[slot] = image.isScheduled;
        if (isServerByServer) {
            slowdownOn[slot] = image.slowdownOn;
        }
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
            isTouched[slots.of(touched[i])] = false;
        }
        touchedCount = before[1].length;
        System.arraycopy(before[1], 0, touched, 0, touchedCount);
        for (int i = 0; i < touchedCount; i++) {
            isTouched[slots.of(touched[i])] = true;
        }
    }

    void save(DataOutput out) throws IOException {
        int jobs = state.arrived;
        queue.save(out);
        ArraysIo.write(
                out, jobs, doneIterations, alone, slowdown, slowdownSeconds, savedIterations, interferenceSeconds);
        ArraysIo.write(
                out, jobs, settledNanos, overheadNanos, runNanos, productiveNanos, savedProductiveNanos, lostNanos);
        for (int job = 0; job < jobs; job++) {
            out.writeBoolean(scheduled[slots.of(job)]);
        }
        for (int job = state.running.first(); job != SimView.NONE; job = state.running.next(job)) {
            if (hasServers(job, state.placement(job))) {
                ArraysIo.write(out, state.placement(job).serverCount(), slowdownOn[slots.of(job)]);
            }
        }
        out.writeInt(dirtyCount);
        ArraysIo.write(out, dirtyCount, dirty);
        out.writeInt(touchedCount);
        ArraysIo.write(out, touchedCount, touched);
        horizons.save(out);
    }

    private boolean hasServers(int job, Placement placement) {
        return isServerByServer && placement.serverCount() > 1 && truth.isLocal(state.workload.job(job));
    }

    /** Loads the rates; the state must have been loaded before. */
    void load(DataInput in) throws IOException {
        int jobs = state.arrived;
        queue.load(in);
        ArraysIo.read(in, jobs, doneIterations, alone, slowdown, slowdownSeconds, savedIterations, interferenceSeconds);
        ArraysIo.read(
                in, jobs, settledNanos, overheadNanos, runNanos, productiveNanos, savedProductiveNanos, lostNanos);
        for (int job = 0; job < jobs; job++) {
            scheduled[slots.of(job)] = in.readBoolean();
        }
        for (int job = state.running.first(); job != SimView.NONE; job = state.running.next(job)) {
            if (hasServers(job, state.placement(job))) {
                slowdownOn[slots.of(job)] = new double[state.placement(job).serverCount()];
                ArraysIo.read(in, state.placement(job).serverCount(), slowdownOn[slots.of(job)]);
            }
        }
        dirtyCount = in.readInt();
        ArraysIo.read(in, dirtyCount, dirty);
        for (int i = 0; i < dirtyCount; i++) {
            isDirty[dirty[i]] = true;
        }
        touchedCount = in.readInt();
        ArraysIo.read(in, touchedCount, touched);
        for (int i = 0; i < touchedCount; i++) {
            isTouched[slots.of(touched[i])] = true;
        }
        horizons.load(in);
    }
}
