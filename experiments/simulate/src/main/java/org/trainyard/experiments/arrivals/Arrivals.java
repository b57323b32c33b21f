package org.trainyard.experiments.arrivals;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.classic.AdmitOnArrival;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.PlacementPolicies;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.scheduling.fragmentation.Fragmentation;
import org.trainyard.env.scheduling.fragmentation.TargetWorkload;
import org.trainyard.env.simulation.EventSink;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.evaluation.FailedScheduler;

/**
 * Jobs that arrive and never end: each is placed at its arrival or rejected, and the run ends with the last arrival.
 *
 * <p>Source: the experiments of Q. Weng et al.: Beware of fragmentation, USENIX ATC 2023.
 */
public final class Arrivals {
    private final World world;
    private final Workload workload;
    private final TargetWorkload target;
    private final List<String> tooWide;
    private final int percents;

    private Arrivals(World world, WorkloadBuilder.Built built, TargetWorkload target, int percents) {
        this.world = world;
        this.workload = built.workload();
        this.tooWide = built.tooWide();
        this.target = target;
        this.percents = percents;
    }

    /**
     * The jobs of a trace, inflated to a total demand.
     *
     * @param inflation total GPU demand over the GPUs of the cluster
     */
    public static Arrivals of(List<TraceJob> trace, Topology topology, double inflation, long seed) {
        return of(trace, trace, topology, inflation, seed);
    }

    /**
     * The jobs of a trace, inflated to a total demand, where policies know the mix of demands of other jobs.
     *
     * @param known jobs whose demands policies know
     */
    public static Arrivals of(
            List<TraceJob> trace, List<TraceJob> known, Topology topology, double inflation, long seed) {
        InputException.within(0.01, 100, "--demand", inflation);
        if (topology.gpus() == 0) {
            throw InputException.at("--cluster", topology.name(), "at least one GPU");
        }
        double wantedMilli = inflation * topology.gpus() * Demand.WHOLE;
        List<TraceJob> arrivals = Inflation.of(trace, wantedMilli, seed);
        World world = World.rated(topology, Simulator.Options.DEFAULT, seed);
        return new Arrivals(
                world,
                world.build(arrivals, WorkloadBuilder.Models.MIX, false),
                TargetWorkload.of(known.stream().map(TraceJob::demand).toList()),
                (int) Math.rint(100 * inflation));
    }

    /** The jobs in the order of their arrival. */
    public Workload workload() {
        return workload;
    }

    /** Jobs left out because they need more GPUs than the cluster has. */
    public List<String> tooWide() {
        return tooWide;
    }

    /** @param events sink of the event log, or null */
    public ArrivalsRun run(PlacementPolicies.Entry policy, @Nullable EventSink events) {
        return FailedScheduler.naming(policy.name(), () -> {
            Simulator simulator = world.simulator(workload, events);
            SimView view = simulator.view();
            Curves curves = new Curves();
            simulator.runWhile(new AdmitOnArrival(policy.create(world.topology(), target, world.seed())), () -> {
                curves.add(view);
                return view.arrived() < workload.size();
            });
            return curves.run(policy.name(), simulator);
        });
    }

    /** Allocation and fragmentation after every arrival. */
    private final class Curves {
        private final Fragmentation fragmentation = new Fragmentation(world.topology(), target);
        private final DemandCurve allocated = new DemandCurve(percents, 0);
        private final DemandCurve fragmented = new DemandCurve(percents, 0);
        private final DemandCurve fragmentedOfFree = new DemandCurve(percents, 0);
        private final double percentMilli = world.topology().gpus() * Demand.WHOLE / 100.0;
        private long arrivedMilli;

        void add(SimView view) {
            arrivedMilli += Inflation.milli(view.job(view.arrived() - 1).demand());
            double arrived = arrivedMilli / percentMilli;
            long heldMilli = view.cluster().heldMilli();
            double freeMilli = 100 * percentMilli - heldMilli;
            double lostMilli = fragmentation.allMilli(view);
            allocated.add(arrived, heldMilli / percentMilli);
            fragmented.add(arrived, lostMilli / percentMilli);
            fragmentedOfFree.add(arrived, freeMilli == 0 ? 0 : 100 * lostMilli / freeMilli);
        }

        ArrivalsRun run(String policy, Simulator simulator) {
            return new ArrivalsRun(
                    policy,
                    workload.size(),
                    simulator.view().waitingCount(),
                    list(allocated),
                    list(fragmented),
                    list(fragmentedOfFree),
                    simulator.eventLog().count(),
                    simulator.eventLog().sha256());
        }

        private static List<Double> list(DemandCurve curve) {
            return Arrays.stream(curve.values()).boxed().toList();
        }
    }
}
