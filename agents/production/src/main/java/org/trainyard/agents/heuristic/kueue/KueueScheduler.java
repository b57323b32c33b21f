package org.trainyard.agents.heuristic.kueue;

import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.kueue.configuration.KueueObjects;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;

/**
 * The admission of Kueue 0.17 as a scheduler of the simulator, as its ClusterQueues, cohorts and flavors say.
 *
 * <p>Simplified, beside {@link SimulatedNodes}, {@link SimulatedWorkloads} and {@link PodServers}: (1) cycles take no
 * time, waiting workloads are tried again at once when quota becomes free, and an evicted job's pods are gone at once;
 * (2) a job that its queue could never admit is rejected, where Kueue leaves it waiting; (3) admission checks, partial
 * admission, and selectors of namespaces have no effect. Usage-based fair sharing ({@link UsageLedger}) and the
 * replacement of failed nodes ({@link NodeReplacement}) are those of Kueue 0.19.
 */
public final class KueueScheduler implements Scheduler {
    private final KueueObjects objects;
    private @Nullable KueueController controller;

    public KueueScheduler(KueueObjects objects) {
        this.objects = objects;
    }

    @Override
    public Decision decide(SimView view) {
        KueueController current = controller;
        if (current == null || !current.passes(view.nowNanos()).update(view)) {
            current = new KueueController(objects, view);
            controller = current;
        }
        return current.decide();
    }
}
