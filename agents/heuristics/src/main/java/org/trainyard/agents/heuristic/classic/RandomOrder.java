package org.trainyard.agents.heuristic.classic;

import java.util.random.RandomGenerator;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.scheduling.queue.WaitingJobs;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;

/**
 * Random order: pending jobs are ordered by a number drawn on arrival, and any job that fits starts; not preemptive.
 * Ours: the floor that any scheduler should beat.
 */
public final class RandomOrder implements Scheduler {
    private final WaitingJobs waiting;
    private final Placer placer;

    /** @param seed root seed; the scheduler draws from its stream {@code random-order} */
    public RandomOrder(Placer placer, long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "random-order");
        waiting = new WaitingJobs((view, job) -> random.nextDouble());
        this.placer = placer;
    }

    @Override
    public Decision decide(SimView view) {
        waiting.update(view);
        return waiting.startFirstThatFits(view, placer);
    }
}
