package org.trainyard.env.dependency;

import java.util.function.IntPredicate;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.StartConditions;
import org.trainyard.env.workload.Workload;

/** Offers the conditions of Slurm to simulations. */
public final class SlurmConditions implements StartConditions.Source {
    @Override
    public StartConditions of(SimView view, Workload workload, IntPredicate hasFailed) {
        return new DependencyTracker(view, workload, hasFailed);
    }
}
