package org.trainyard.env.simulation;

import java.util.ArrayDeque;
import org.trainyard.env.topology.Placement;

/** Decisions made together, to be handed to the simulator one by one, in order. */
public final class DecisionQueue implements DecisionSink {
    private final ArrayDeque<Decision> decisions = new ArrayDeque<>();

    @Override
    public void start(int job, Placement placement) {
        decisions.add(new Decision.Start(job, placement));
    }

    @Override
    public void forward(int job, int domain) {
        decisions.add(new Decision.Forward(job, domain));
    }

    @Override
    public void preempt(int job) {
        decisions.add(new Decision.Preempt(job));
    }

    public boolean isEmpty() {
        return decisions.isEmpty();
    }

    /** Takes the first decision; there must be one. */
    public Decision remove() {
        return decisions.remove();
    }

    public void clear() {
        decisions.clear();
    }
}
