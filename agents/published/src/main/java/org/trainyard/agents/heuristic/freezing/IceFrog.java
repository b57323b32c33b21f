package org.trainyard.agents.heuristic.freezing;

import org.trainyard.agents.heuristic.elastic.Pollux;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;

/**
 * IceFrog: the number of frozen front layers of each job is a knob beside its number of GPUs; both are set to maximise
 * effective progress.
 *
 * <p>Every minute GPUs are reallocated to maximise the harmonic mean of the jobs' effective progress over their goodput
 * on an equal share of the cluster with all layers active; then each running job freezes the layers that are best for
 * its GPUs. Frozen layers never hold more of the gradient energy than the owner tolerates, and never thaw.
 *
 * <p>Source: Gao, Ouyang, Sun, Zhang, Wen: IceFrog, TPDS 2025, of which we know the abstract and measurements in a
 * repository of, in all likelihood, its first author. Everything here beyond "frozen penalty, layer-aware throughput,
 * effective progress, elastic in layers and GPUs" is our reconstruction: (1) Pollux' objective, rounds, restart rule
 * and genetic search, so that with no frozen layers its decisions are those of {@link Pollux}; (2) the cap on gradient
 * energy; (3) all jobs have equal weight; (4) the memory of frozen layers is not used; (5) where no job adapts its
 * batch, GPUs are given by throughput alone, as Pollux does here.
 */
public final class IceFrog implements Scheduler {
    private final Scheduler scheduler;

    private IceFrog(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** @param seed of the genetic search */
    public static IceFrog on(Topology topology, long seed) {
        return with(new EffectiveGoodput(topology, true), topology, seed);
    }

    /** IceFrog that freezes nothing: scheduling alone. */
    public static IceFrog withoutFreezing(Topology topology, long seed) {
        return with(new EffectiveGoodput(topology, false), topology, seed);
    }

    private static IceFrog with(EffectiveGoodput progress, Topology topology, long seed) {
        return new IceFrog(new FreezingScheduler(new Pollux(topology, seed, progress), progress));
    }

    @Override
    public Decision decide(SimView view) {
        return scheduler.decide(view);
    }
}
