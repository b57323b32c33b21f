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
        if (job == SimView.NONE || nodes.ways(view.job(job).gpus()) == 0) {
            return Decision.WAIT;
        }
        chosen = SimView.NONE;
        return new Decision.Start(job, nodes.place(view, view.job(job)));
    }

    private int choose(SimView view) {
        int wanted = 0;
        int seen = 0;
        for (int job = view.firstWaiting(); job != SimView.NONE && seen < VISIBLE; job = view.nextWaiting(job)) {
            wanted += view.job(job).gpus();
            seen++;
        }
        int best = SimView.NONE;
        double least = Double.POSITIVE_INFINITY;
        int left = seen;
        for (int job = view.firstWaiting(); left > 0; job = view.nextWaiting(job), left--) {
            if (holdsUp || nodes.ways(view.job(job).gpus()) > 0) {
                double cost = priority.of(view, job, nodes, wanted);
                if (cost < least) {
                    best = job;
                    least = cost;
                }
            }
        }
        return best;
    }
}
