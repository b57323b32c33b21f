package org.trainyard.agents.heuristic.queue;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;

/**
 * The plan of one instant, handed out decision by decision: all preemptions, then all starts, each in the order in
 * which they were added.
 */
public final class DecisionPlan {
    private final Placer placer;
    private final IntArrayList preemptions = new IntArrayList();
    private final IntArrayList starts = new IntArrayList();
    private int next;
    private boolean made;

    public DecisionPlan(Placer placer) {
        this.placer = placer;
    }

    /**
     * The next decision of this instant's plan, or null when there are none left; the next call then begins a new plan.
     *
     * @param maker adds preemptions and starts; called once per plan, before its first decision
     */
    public @Nullable Decision decide(SimView view, Consumer<SimView> maker) {
        if (!made) {
            preemptions.clear();
            starts.clear();
            next = 0;
            maker.accept(view);
        }
        Decision decision = next(view);
        made = decision != null;
        return decision;
    }

    public void preempt(int job) {
        preemptions.add(job);
    }

    public void start(int job) {
        starts.add(job);
    }

    /**
     * Skips jobs that may not be preempted, and those that cannot be placed or would exceed their quota; they keep
     * running or waiting.
     */
    private @Nullable Decision next(SimView view) {
        while (next < preemptions.size()) {
            int job = preemptions.getInt(next++);
            if (view.state(job) == JobState.RUNNING && view.mayPreempt(job)) {
                return new Decision.Preempt(job);
            }
        }
        while (next < preemptions.size() + starts.size()) {
            int job = starts.getInt(next++ - preemptions.size());
            boolean isAllowed = view.state(job) == JobState.WAITING
                    && view.isWithinQuota(job, view.job(job).gpus());
            Placement where = isAllowed ? placer.place(view, view.job(job)) : null;
            if (where != null) {
                return new Decision.Start(job, where);
            }
        }
        return null;
    }
}
