package org.trainyard.agents.heuristic;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;

/** What is to be done at one instant, handed out decision by decision: first all preemptions, then the starts, each in its order. */
final class Plan {
    private final Placer placer;
    private final IntArrayList preemptions = new IntArrayList();
    private final IntArrayList starts = new IntArrayList();
    private int next;

    Plan(Placer placer) {
        this.placer = placer;
    }

    void clear() {
        preemptions.clear();
        starts.clear();
        next = 0;
    }

    void preempt(int job) {
        preemptions.add(job);
    }

    void start(int job) {
        starts.add(job);
    }

    /** The next decision, or null when there are no more. A job that cannot be placed is passed over and goes on waiting. */
    @Nullable Decision next(SimView view) {
        if (next < preemptions.size()) {
            return new Decision.Preempt(preemptions.getInt(next++));
        }
        while (next < preemptions.size() + starts.size()) {
            int job = starts.getInt(next++ - preemptions.size());
            Placement where = placer.place(view, view.job(job));
            if (where != null) {
                return new Decision.Start(job, where);
            }
        }
        return null;
    }
}
