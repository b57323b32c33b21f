package org.trainyard.experiments.timeline;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.policy.ChoiceListener;
import org.trainyard.env.scheduling.order.OrderedScheduler;
import org.trainyard.env.simulation.SimView;

/**
 * The first jobs of the queue in the order in which a heuristic considers them: by rank for an
 * {@link OrderedScheduler}, else as they wait. A look costs at most {@value #LOOKED_AT} ranks and no memory.
 */
final class QueueHead {
    /** Jobs looked at. */
    static final int LOOKED_AT = 200;

    private static final int MOST = 5;

    private final @Nullable OrderedScheduler ranked;
    private final int[] jobs = new int[LOOKED_AT];
    private final double[] ranks = new double[LOOKED_AT];
    private int size;

    /** @param ranked null for a scheduler without ranks */
    QueueHead(@Nullable OrderedScheduler ranked) {
        this.ranked = ranked;
    }

    /** Looks at the queue as it is now. */
    void look(SimView view) {
        size = 0;
        for (int job = view.firstWaiting(); job != SimView.NONE && size < LOOKED_AT; job = view.nextWaiting(job)) {
            jobs[size] = job;
            ranks[size] = ranked == null ? Double.NaN : ranked.rank(view, job);
            size++;
        }
    }

    int size() {
        return size;
    }

    /** How many jobs come before a job; {@link #size} for one that was not looked at. */
    int placeOf(int job) {
        int at = 0;
        while (at < size && jobs[at] != job) {
            at++;
        }
        if (at == size || ranked == null) {
            return at;
        }
        int before = 0;
        for (int i = 0; i < size; i++) {
            before += isBefore(i, at) ? 1 : 0;
        }
        return before;
    }

    private boolean isBefore(int one, int other) {
        int byRank = ranked == null ? 0 : Double.compare(ranks[one], ranks[other]);
        return byRank != 0 ? byRank < 0 : ranked == null ? one < other : jobs[one] < jobs[other];
    }

    /**
     * The first candidates, with the chosen job in front.
     *
     * @param chosen may be a job that does not wait here
     * @param servers that the chosen job gets
     */
    List<ChoiceListener.Option> best(int chosen, List<Integer> servers) {
        int[] first = new int[MOST];
        int count = 0;
        for (int i = 0; i < size; i++) {
            int slot = count;
            while (slot > 0 && isBefore(i, first[slot - 1])) {
                slot--;
            }
            if (slot < MOST) {
                count = Math.min(MOST, count + 1);
                System.arraycopy(first, slot, first, slot + 1, count - 1 - slot);
                first[slot] = i;
            }
        }
        List<ChoiceListener.Option> best = new ArrayList<>(MOST + 1);
        for (int i = 0; i < size; i++) {
            if (jobs[i] == chosen) {
                best.add(option(i, servers));
            }
        }
        for (int i = 0; i < count; i++) {
            if (jobs[first[i]] != chosen) {
                best.add(option(first[i], List.of()));
            }
        }
        return best;
    }

    private ChoiceListener.Option option(int at, List<Integer> servers) {
        return new ChoiceListener.Option("START", jobs[at], servers, ranks[at]);
    }
}
