package org.trainyard.experiments.papers.rltune;

import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;

/**
 * Jobs one by one by a {@link Priority}, placed by {@link FewestNodes}. As in RLTune's environment a chosen job that
 * does not fit holds up all others until it does; or, as a rival, a job that does not fit is passed over.
 */
final class OneByOne implements Scheduler {
    /** Jobs that the environment shows, the first that arrived. */
    private static final int VISIBLE = 128;

    private final Priority priority;
    private final boolean holdsUp;
    private final FewestNodes nodes = new FewestNodes();
    private int chosen = SimView.NONE;

    OneByOne(Priority priority, boolean holdsUp) {
        this.priority = priority;
        this.holdsUp = holdsUp;
    }

    @Override
    public Decision decide(SimView view) {
        nodes.read(view);
        if (chosen == SimView.NONE) {
            chosen = choose(view);
        }
        int job = chosen;
        if (job == SimView.NONE || !nodes.fits(view.job(job).gpus())) {
            return Decision.WAIT;
        }
        chosen = SimView.NONE;
        return new Decision.Start(job, nodes.place(view, view.job(job)));
    }

    private int choose(SimView view) {
        int best = SimView.NONE;
        double least = Double.POSITIVE_INFINITY;
        int seen = 0;
        for (int job = view.firstWaiting(); job != SimView.NONE && seen < VISIBLE; job = view.nextWaiting(job)) {
            seen++;
            if (holdsUp || nodes.fits(view.job(job).gpus())) {
                double cost = priority.of(view, job);
                if (cost < least) {
                    best = job;
                    least = cost;
                }
            }
        }
        return best;
    }
}
