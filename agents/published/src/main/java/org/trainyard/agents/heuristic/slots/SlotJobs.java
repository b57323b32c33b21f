package org.trainyard.agents.heuristic.slots;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntConsumer;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.workload.Demand;

/**
 * The waiting and running jobs of whole GPUs of any type, kept up to date from the journal: those that hold GPUs apart
 * from those that wait, and these by the fewest GPUs on which they can run. O(different fewest GPUs) for an event.
 */
public final class SlotJobs {
    /**
     * The waiting jobs that can run on so many GPUs and no fewer. Jobs are numbered in order of submission, so a bit
     * for each keeps that order.
     */
    private record Waiting(int fewestGpus, BitSet jobs) {}

    /** Waiting jobs in increasing order of {@code fewestGpus}. */
    private final List<Waiting> waiting = new ArrayList<>();

    private final BitSet holders = new BitSet();
    /** Jobs that were preempted and do not wait again yet. */
    private final BitSet requeued = new BitSet();
    /** Waiting and running jobs of any demand. */
    private final BitSet live = new BitSet();

    private final IntArrayList arrivals = new IntArrayList();
    private int journalRead;
    private int corrections;

    /**
     * Follows the journal.
     *
     * @param onArrival takes every job that was submitted, of any demand
     */
    void update(SimView view, IntConsumer onArrival) {
        // Entries that are forgotten are of jobs that are done.
        boolean isBehind = journalRead < view.journalStart();
        journalRead = Math.max(journalRead, view.journalStart());
        for (; journalRead < view.journalSize(); journalRead++) {
            follow(view, view.journalKind(journalRead), view.journalJob(journalRead), onArrival);
        }
        if (isBehind || corrections != view.corrections()) {
            corrections = view.corrections();
            sortAnew(view);
        }
    }

    private void follow(SimView view, EventKind kind, int job, IntConsumer onArrival) {
        switch (kind) {
            case ARRIVE -> {
                live.set(job);
                onArrival.accept(job);
                if (view.job(job).demand().isPlain()) {
                    await(view, job);
                    arrivals.add(job);
                }
            }
            case START -> {
                if (leaveQueue(job)) {
                    holders.set(job);
                }
            }
            case PREEMPT, KILL -> {
                if (holders.get(job) || requeued.get(job)) {
                    holders.clear(job);
                    requeued.clear(job);
                    await(view, job);
                }
            }
            case HOLD -> {
                requeued.set(job, holders.get(job));
                holders.clear(job);
            }
            case FINISH -> remove(job);
            case FORWARD, RESIZE, DOWN, UP, REJECT, FREEZE, HOST_CPU, HOST_MEMORY, TIMEOUT -> {}
        }
    }

    private void remove(int job) {
        live.clear(job);
        holders.clear(job);
        leaveQueue(job);
    }

    /** Takes a job from the waiting ones; whether it was there. */
    private boolean leaveQueue(int job) {
        for (Waiting those : waiting) {
            if (those.jobs.get(job)) {
                those.jobs.clear(job);
                return true;
            }
        }
        return false;
    }

    private void await(SimView view, int job) {
        if (view.state(job) == JobState.DONE) {
            return;
        }
        Demand demand = view.job(job).demand();
        int at = 0;
        while (at < waiting.size() && waiting.get(at).fewestGpus < demand.minGpus()) {
            at++;
        }
        if (at == waiting.size() || waiting.get(at).fewestGpus != demand.minGpus()) {
            waiting.add(at, new Waiting(demand.minGpus(), new BitSet()));
        }
        waiting.get(at).jobs.set(job);
    }

    /** Makes all anew from the jobs' states. */
    private void sortAnew(SimView view) {
        for (int job = live.nextSetBit(0); job >= 0; job = live.nextSetBit(job + 1)) {
            JobState state = view.state(job);
            boolean hasWaited = leaveQueue(job);
            boolean isPlanned = hasWaited || holders.get(job);
            holders.clear(job);
            if (state == JobState.DONE) {
                live.clear(job);
            } else if (isPlanned && state == JobState.RUNNING) {
                holders.set(job);
            } else if (isPlanned) {
                await(view, job);
            }
        }
    }

    /** Whether no job waits or runs, of any demand. */
    boolean noneIsLive() {
        return live.isEmpty();
    }

    /** A slot begins: what comes from now on is new to the next one. */
    void endSlot() {
        arrivals.clear();
    }

    /** The jobs that were submitted since the last slot began, in order; some may be done. */
    public IntArrayList arrivals() {
        return arrivals;
    }

    /** The first job that holds GPUs, or {@link SimView#NONE}. */
    public int firstHolder() {
        return nextHolder(SimView.NONE);
    }

    /** The next one in order of submission. */
    public int nextHolder(int job) {
        return holders.nextSetBit(job + 1);
    }

    /** All jobs in order of submission. */
    public IntArrayList all() {
        IntArrayList all = new IntArrayList();
        Scan scan = scan();
        for (int job = scan.next(Integer.MAX_VALUE); job != SimView.NONE; job = scan.next(Integer.MAX_VALUE)) {
            all.add(job);
        }
        return all;
    }

    /** A scan from the first job on. */
    public Scan scan() {
        return new Scan();
    }

    /**
     * A way through the jobs that hold GPUs and those waiting jobs that could get enough, in order of submission. The
     * jobs must not change meanwhile.
     */
    public final class Scan {
        private int holder = firstHolder();
        /** By the fewest GPUs, the first waiting job that is not passed, or below zero. */
        private final int[] heads = new int[waiting.size()];

        private Scan() {
            for (int i = 0; i < heads.length; i++) {
                heads[i] = waiting.get(i).jobs.nextSetBit(0);
            }
        }

        /**
         * The next job that holds GPUs or can run on so few, or {@link SimView#NONE}. O(different fewest GPUs).
         *
         * @param mostGpus does not increase from call to call
         */
        public int next(int mostGpus) {
            int next = holder;
            int from = -1;
            for (int i = 0; i < heads.length && waiting.get(i).fewestGpus <= mostGpus; i++) {
                if (heads[i] >= 0 && (next < 0 || heads[i] < next)) {
                    next = heads[i];
                    from = i;
                }
            }
            if (from >= 0) {
                heads[from] = waiting.get(from).jobs.nextSetBit(next + 1);
            } else if (next >= 0) {
                holder = nextHolder(next);
            }
            return next;
        }
    }
}
