package org.trainyard.agents.heuristic.scenario;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.classic.AdmitOnArrival;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.RestartCost;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.Workload;

/** A cluster with shareable GPUs, and pods that arrive a second apart and stay. */
public final class PodCluster {
    private static final long SECOND = 1_000_000_000L;
    private static final Pressure NONE = new Pressure(0, 0, 0);
    private static final ModelProfile MODEL = new ModelProfile("model", 1, 0, 1, NONE, NONE);

    private PodCluster() {}

    /** A server of one socket with so many cores. */
    public static ServerSpec server(int gpus, int cores) {
        return new ServerSpec(GpuType.V100, 1, gpus, false)
                .withHost(cores * 1000L, 1 << 20)
                .with(GpuSharing.FRACTIONS);
    }

    public static Topology cluster(ServerSpec... servers) {
        return new Topology.Builder("pods", Fabric.DEFAULT)
                .rack(Arrays.asList(servers))
                .build();
    }

    public static Demand gpus(int gpus, int cores) {
        return Demand.ofGpus(gpus).withHost(cores * 1000L, 0).onOneServer();
    }

    public static Demand part(int milli, int cores) {
        return gpus(1, cores).withGpuMilli(milli);
    }

    public static Demand host(int cores) {
        return new Demand(0, 0, 0, Demand.WHOLE, cores * 1000L, 0, true, List.of());
    }

    public static Workload workload(List<Demand> demands) {
        List<JobSpec> jobs = new ArrayList<>();
        for (Demand demand : demands) {
            jobs.add(new JobSpec(jobs.size(), "pod" + jobs.size(), jobs.size() * SECOND, demand, MODEL, 1));
        }
        double[] seconds = new double[jobs.size()];
        Arrays.fill(seconds, jobs.size() + 1);
        return new Workload(jobs, seconds);
    }

    public static Simulator simulator(Topology topology, Workload workload) {
        return new World(topology, new RatedPerformance(), new Simulator.Options(RestartCost.FREE, true, null))
                .simulator(workload);
    }

    /** Where each pod is when all have come, null for one that was turned away. */
    public static List<@Nullable Placement> places(Topology topology, Placer placer, Demand... demands) {
        Workload workload = workload(List.of(demands));
        Simulator simulator = simulator(topology, workload);
        AdmitOnArrival scheduler = new AdmitOnArrival(placer);
        SimView view = simulator.view();
        while (view.arrived() < workload.size()) {
            simulator.advance();
            simulator.decide(scheduler);
        }
        List<@Nullable Placement> places = new ArrayList<>();
        for (int pod = 0; pod < workload.size(); pod++) {
            places.add(
                    switch (view.state(pod)) {
                        case RUNNING -> view.placement(pod);
                        case WAITING, FUTURE, DONE, HELD -> null;
                    });
        }
        return places;
    }
}
