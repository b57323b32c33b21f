package org.trainyard.agents.heuristic.lease;

import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.List;
import org.trainyard.env.simulation.JournalCursor;
import org.trainyard.env.simulation.SimView;

/**
 * The bids of all waiting jobs, kept up to date from the journal: a tree for the jobs of equal GPUs and, under quotas,
 * of one virtual cluster. O(kinds + log waiting) for an event.
 */
final class WaitingBids {
    /** The waiting jobs of one kind. */
    record Kind(int gpus, int tenant, BidTree bids) {}

    /** Kinds of jobs in increasing order of GPUs. */
    private final List<Kind> kinds = new ArrayList<>();

    private final Int2ObjectOpenHashMap<BidTree> treeOf = new Int2ObjectOpenHashMap<>();
    private final JournalCursor journal = new JournalCursor();

    void update(SimView view) {
        if (journal.advance(view)) {
            kinds.forEach(kind -> kind.bids.clear());
            treeOf.clear();
            for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
                add(view, job);
            }
        }
        for (int entry = journal.first(); entry < journal.end(); entry++) {
            int job = view.journalJob(entry);
            switch (view.journalKind(entry)) {
                case ARRIVE, PREEMPT, KILL -> add(view, job);
                case START, REJECT -> remove(job);
                case FINISH, FORWARD, RESIZE, DOWN, UP, FREEZE, HOST_CPU, HOST_MEMORY, HOLD, TIMEOUT -> {}
            }
        }
    }

    private void add(SimView view, int job) {
        remove(job);
        BidTree bids = bids(view.job(job).gpus(), view.tenant(job));
        bids.add(view, job);
        treeOf.put(job, bids);
    }

    private BidTree bids(int gpus, int tenant) {
        int at = 0;
        for (; at < kinds.size() && kinds.get(at).gpus <= gpus; at++) {
            if (kinds.get(at).gpus == gpus && kinds.get(at).tenant == tenant) {
                return kinds.get(at).bids;
            }
        }
        kinds.add(at, new Kind(gpus, tenant, new BidTree()));
        return kinds.get(at).bids;
    }

    private void remove(int job) {
        BidTree bids = treeOf.remove(job);
        if (bids != null) {
            bids.remove(job);
        }
    }

    /**
     * Adds the kinds of jobs that demand at most so many GPUs, and no more than their quotas allow; whether there are
     * any.
     */
    boolean findFitting(SimView view, int mostGpus, List<Kind> fitting) {
        for (int i = 0; i < kinds.size() && kinds.get(i).gpus <= mostGpus; i++) {
            Kind kind = kinds.get(i);
            if (kind.bids.size() > 0 && view.isWithinQuota(kind.bids.anyJob(), kind.gpus)) {
                fitting.add(kind);
            }
        }
        return !fitting.isEmpty();
    }
}
