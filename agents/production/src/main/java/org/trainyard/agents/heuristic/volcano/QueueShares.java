package org.trainyard.agents.heuristic.volcano;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.trainyard.agents.heuristic.volcano.VolcanoObjects.Queue;

/**
 * Shares of queues: the amounts that they deserve, hold and may still get, by their weights among their requests
 * (plugin proportion), or as their objects say (plugin capacity).
 */
final class QueueShares {
    /** Share of a queue. */
    static final class Share {
        final Queue queue;
        final int index;
        /** The most that its jobs may hold beside the guarantees of others. */
        private final Amounts limit;

        Amounts allocated = Amounts.NONE;
        /** Amounts that its jobs hold or wait for. */
        Amounts request = Amounts.NONE;

        private Amounts deserved = Amounts.NONE;

        private Share(Queue queue, int index, Amounts limit) {
            this.queue = queue;
            this.index = index;
            this.limit = limit;
        }
    }

    private final List<Share> all = new ArrayList<>();
    private final boolean capacity;
    private final Amounts total;

    QueueShares(VolcanoObjects objects, Amounts total) {
        this.total = total;
        capacity = objects.rules().capacity();
        Amounts guaranteed = Amounts.NONE;
        for (Queue queue : objects.queues()) {
            guaranteed = guaranteed.plus(queue.guarantee(), 1);
        }
        for (Queue queue : objects.queues()) {
            Amounts limit = total.plus(guaranteed, -1)
                    .max(Amounts.NONE)
                    .plus(queue.guarantee(), 1)
                    .min(queue.capability());
            Share share = new Share(queue, all.size(), limit);
            share.deserved = queue.deserved().min(limit).max(queue.guarantee());
            all.add(share);
        }
    }

    List<Share> all() {
        return all;
    }

    /** Divides the cluster anew by weights: no queue gets more than it asks for, and the rest goes to the others. */
    void divide() {
        if (capacity) {
            return;
        }
        all.forEach(share -> share.deserved = Amounts.NONE);
        Set<Share> open = new HashSet<>(all);
        Amounts remaining = total;
        while (!open.isEmpty() && !remaining.isEmpty()) {
            double weights =
                    open.stream().mapToDouble(share -> share.queue.weight()).sum();
            Amounts given = Amounts.NONE;
            for (Share share : all) {
                if (open.contains(share)) {
                    Amounts before = share.deserved;
                    share.deserved = before.plus(remaining, share.queue.weight() / weights)
                            .min(share.limit)
                            .min(share.request)
                            .max(share.queue.guarantee());
                    given = given.plus(share.deserved, 1).plus(before, -1);
                    if (share.request.isWithin(share.deserved) || share.deserved.equals(before)) {
                        open.remove(share);
                    }
                }
            }
            Amounts left = remaining.plus(given, -1).max(Amounts.NONE);
            if (left.equals(remaining)) {
                break;
            }
            remaining = left;
        }
    }

    private double share(Share of) {
        if (!capacity) {
            return of.allocated.share(of.deserved);
        }
        return of.deserved.isEmpty() ? 1 : of.allocated.of(of.deserved).share(of.deserved);
    }

    /** Queues of higher priority first, then those that have the least part of their deserved amounts. */
    Comparator<Share> order() {
        return Comparator.<Share>comparingLong(share -> -share.queue.priority())
                .thenComparingDouble(this::share)
                .thenComparing(share -> capacity && share.deserved.isEmpty())
                .thenComparingInt(share -> share.index);
    }

    /** Whether a queue has all that it deserves, so that it gets nothing more. */
    boolean isOverused(Share share) {
        return !capacity && share.deserved.isWithin(share.allocated);
    }

    /** Whether a job could be in a queue at all. */
    boolean isPossible(Share share, Amounts asked) {
        return share.queue.open() && asked.isWithin(share.limit);
    }

    /** Why a queue can never start a job that asks for so much. */
    String refusal(Share share, Amounts asked) {
        String name = share.queue.name();
        return share.queue.open()
                ? "Queue %s can never hold %.0f GPUs with what else it asks for: its capability has %.0f"
                        .formatted(name, asked.gpus(), share.limit.gpus())
                : "Queue %s is closed".formatted(name);
    }

    /** Whether a queue may get a job beside the amounts that it would hold. */
    boolean allows(Share share, Amounts held, Amounts asked) {
        Amounts limit = capacity ? share.limit : share.deserved;
        return held.plus(asked, 1).of(asked).isWithin(limit);
    }

    /** Whether others must give way to a job of a queue: its holdings with the job would be its own. */
    boolean mayReclaim(Share share, Amounts asked) {
        if (!allows(share, share.allocated, asked)) {
            return false;
        }
        Amounts then = share.allocated.plus(asked, 1).of(asked);
        Amounts own = share.deserved;
        return !capacity
                || (then.gpus() > 0 && then.gpus() <= own.gpus())
                || (then.cpuMilli() > 0 && then.cpuMilli() <= own.cpuMilli())
                || (then.memoryMib() > 0 && then.memoryMib() <= own.memoryMib());
    }

    /** Whether a queue that would hold so much gives a job of it to another that asks for something. */
    boolean gives(Share share, Amounts held, Amounts job, Amounts asked) {
        if (!capacity) {
            return !held.isWithin(share.deserved);
        }
        boolean isKept = share.queue.guarantee().isWithin(held.plus(job, -1));
        boolean isOwn = !share.deserved.of(job).isEmpty();
        return isKept
                && !job.of(asked).isEmpty()
                && (!isOwn || !held.of(job).of(asked).of(share.deserved).isWithin(share.deserved));
    }
}
