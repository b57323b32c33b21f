package org.trainyard.experiments.arrivals;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.classic.AdmitOnArrival;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.PlacementPolicies;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.scheduling.fragmentation.Fragmentation;
import org.trainyard.env.scheduling.fragmentation.TargetWorkload;
import org.trainyard.env.simulation.EventSink;
import org.trainyard.env.simulation.RestartCost;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.experiments.evaluation.EvaluationRunner;
import org.trainyard.experiments.evaluation.SchedulerFactory;

/**
 * Jobs that arrive and never end: each is placed at its arrival or rejected, and the run ends with the last arrival.
 *
 * <p>Source: the experiments of Q. Weng et al.: Beware of fragmentation, USENIX ATC 2023.
 */
public final class Arrivals {
    private final Topology topology;
    private final Workload workload;
    private final TargetWorkload target;
    private final List<String> tooWide;
    private final int percents;
    private final long seed;

    private Arrivals(Topology topology, WorkloadBuilder.Built built, TargetWorkload target, int percents, long seed) {
        this.topology = topology;
        this.workload = built.workload();
        this.tooWide = built.tooWide();
        this.target = target;
        this.percents = percents;
        this.seed = seed;
    }

    /**
     * The jobs of a trace, inflated to a total demand.
     *
     * @param inflation total GPU demand over the GPUs of the cluster
     * @param seed root seed
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
        WorkloadBuilder builder = new WorkloadBuilder(
                topology,
                ModelCatalog.standard(),
                new WorkloadBuilder.Options(WorkloadBuilder.Models.MIX, seed, false, true));
        return new Arrivals(
                topology,
                builder.rated(arrivals),
                TargetWorkload.of(known.stream().map(TraceJob::demand).toList()),
                (int) Math.rint(100 * inflation),
                seed);
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
        EvaluationRunner runner = new EvaluationRunner(
                null,
                1,
                episode -> new Simulator(
                        topology,
                        workload,
                        new RatedPerformance(),
                        new Simulator.Options(RestartCost.FREE, false, events)));
        SchedulerFactory admitting = SchedulerFactory.heuristic(
                policy.name(), episode -> new AdmitOnArrival(policy.create(topology, target, seed)));
        return runner.run(admitting, (simulator, scheduler) -> untilLastArrival(policy.name(), simulator, scheduler))
                .get(0);
    }

    private ArrivalsRun untilLastArrival(String policy, Simulator simulator, Scheduler scheduler) {
        Curves curves = new Curves();
        SimView view = simulator.view();
        while (view.arrived() < workload.size()) {
            simulator.advance();
            simulator.decide(scheduler);
            curves.add(view);
        }
        return curves.run(policy, simulator);
    }

    /** Allocation and fragmentation after every arrival. */
    private final class Curves {
        private final Fragmentation fragmentation = new Fragmentation(topology, target);
        private final DemandCurve allocated = new DemandCurve(percents, 0);
        private final DemandCurve fragmented = new DemandCurve(percents, 0);
        private final DemandCurve fragmentedOfFree = new DemandCurve(percents, 0);
        private final double percentMilli = topology.gpus() * Demand.WHOLE / 100.0;
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
