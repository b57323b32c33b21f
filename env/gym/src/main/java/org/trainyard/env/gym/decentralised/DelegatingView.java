package org.trainyard.env.gym.decentralised;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.env.simulation.JobList;
import org.trainyard.env.simulation.MaintenanceWindow;
import org.trainyard.env.simulation.PreemptionRules;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.workload.JobSlots;
import org.trainyard.env.workload.JobSpec;

/**
 * A view of a part of a run, with waiting jobs and a journal of its own. What it says of single jobs is what the view
 * of the whole run says.
 */
abstract class DelegatingView implements SimView {
    final SimView whole;
    final JobList waiting = new JobList(JobSlots.ofNumbers());

    /** The jobs of which the journal says that they have arrived. */
    private final BitSet known = new BitSet();

    private int waitingGpus;
    private final List<EventKind> kinds = new ArrayList<>();
    private final IntArrayList jobs = new IntArrayList();

    DelegatingView(SimView whole) {
        this.whole = whole;
    }

    /** Speed of the fastest GPUs of this view, relative to the fastest of the data centre. */
    abstract double fastest();

    final void note(EventKind kind, int job) {
        kinds.add(kind);
        jobs.add(job);
    }

    /** Puts a job into the queue, and says why: the first time because it arrives. */
    final void queue(EventKind kind, int job) {
        waiting.append(job);
        waitingGpus += whole.job(job).gpus();
        note(known.get(job) ? kind : EventKind.ARRIVE, job);
        known.set(job);
    }

    /** A job runs that may never have been in the queue. */
    final void noteStart(int job) {
        if (!known.get(job)) {
            known.set(job);
            note(EventKind.ARRIVE, job);
        }
        note(EventKind.START, job);
    }

    /** Takes a waiting job out of the queue. */
    final void unqueue(int job) {
        waiting.remove(job);
        waitingGpus -= whole.job(job).gpus();
    }

    /** GPUs that the waiting jobs demand. */
    final int waitingGpus() {
        return waitingGpus;
    }

    final boolean isKnown(int job) {
        return known.get(job);
    }

    @Override
    public final int waitingCount() {
        return waiting.size();
    }

    @Override
    public final int firstWaiting() {
        return waiting.first();
    }

    @Override
    public final int nextWaiting(int job) {
        return waiting.next(job);
    }

    @Override
    public final int journalSize() {
        return jobs.size();
    }

    @Override
    public final EventKind journalKind(int entry) {
        return kinds.get(entry);
    }

    @Override
    public final int journalJob(int entry) {
        return jobs.getInt(entry);
    }

    @Override
    public final int corrections() {
        return whole.corrections();
    }

    @Override
    public final long nowNanos() {
        return whole.nowNanos();
    }

    @Override
    public final int arrived() {
        return whole.arrived();
    }

    @Override
    public final JobSpec job(int job) {
        return whole.job(job);
    }

    @Override
    public final double rate(int job) {
        return whole.rate(job);
    }

    @Override
    public final double slowdown(int job) {
        return whole.slowdown(job);
    }

    @Override
    public final double rateAlone(int job) {
        return whole.rateAlone(job);
    }

    @Override
    public final long queuedSinceNanos(int job) {
        return whole.queuedSinceNanos(job);
    }

    @Override
    public final long firstStartNanos(int job) {
        return whole.firstStartNanos(job);
    }

    @Override
    public final long startedNanos(int job) {
        return whole.startedNanos(job);
    }

    @Override
    public final long eligibleNanos(int job) {
        return whole.eligibleNanos(job);
    }

    @Override
    public final long runNanos(int job) {
        return whole.runNanos(job);
    }

    @Override
    public final int preemptions(int job) {
        return whole.preemptions(job);
    }

    @Override
    public final PreemptionRules preemptionRules() {
        return whole.preemptionRules();
    }

    @Override
    public final double restartSeconds(int job) {
        return whole.restartSeconds(job);
    }

    @Override
    public final double unsavedSeconds(int job) {
        return whole.unsavedSeconds(job);
    }

    @Override
    public final int kills(int job) {
        return whole.kills(job);
    }

    @Override
    public final int tenant(int job) {
        return whole.tenant(job);
    }

    @Override
    public final boolean hasLimits() {
        return whole.hasLimits();
    }

    @Override
    public final List<MaintenanceWindow> maintenance() {
        return whole.maintenance();
    }

    @Override
    public final boolean mayMigrate(int job) {
        return whole.mayMigrate(job);
    }

    @Override
    public final boolean isHeldByMaintenance(int job) {
        return whole.isHeldByMaintenance(job);
    }

    @Override
    public final boolean isWithinQuota(int job, int gpus) {
        return whole.isWithinQuota(job, gpus);
    }

    @Override
    public final double progressSeconds(int job) {
        return whole.progressSeconds(job);
    }

    @Override
    public final double predictedSeconds(int job) {
        return whole.predictedSeconds(job);
    }

    @Override
    public final <T> @Nullable T run(int job, Class<T> type) {
        return whole.run(job, type);
    }

    @Override
    public final JobSpec submitted(int job) {
        return whole.submitted(job);
    }

    @Override
    public final int frozenLayers(int job) {
        return whole.frozenLayers(job);
    }

    @Override
    public final boolean canThaw(int job) {
        return whole.canThaw(job);
    }

    @Override
    public final double trainedShare(int job) {
        return whole.trainedShare(job);
    }
}
