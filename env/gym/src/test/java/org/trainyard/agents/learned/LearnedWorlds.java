package org.trainyard.agents.learned;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Interiors;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.ModelCatalog;

/** Small clusters and workloads to learn on. */
public final class LearnedWorlds {
    public static final AnalyticInterference BELIEF = AnalyticInterference.DEFAULT;
    private static final int[] DEMANDS = {1, 1, 1, 2, 2, 3, 4, 6, 8, 12};

    private LearnedWorlds() {}

    /**
     * Four servers of eight GPUs: a DGX-1V, one with bridges on pairs, one with PCIe alone and one without an interior.
     */
    public static Topology mixedInteriors() {
        ServerSpec plain = new ServerSpec(GpuType.V100, 2, 8, false);
        return new Topology.Builder("mixed", Fabric.DEFAULT)
                .rack(List.of(plain.with(Interiors.named("dgx1v")), plain.with(Interiors.named("pairs"))))
                .rack(List.of(plain.with(Interiors.named("pcie3")), plain))
                .build();
    }

    /** Three racks of servers with four V100s or eight A100s: one of each, two with V100s, and one with A100s. */
    public static Topology twoTypes() {
        ServerSpec slow = new ServerSpec(GpuType.V100, 2, 4, false);
        ServerSpec fast = new ServerSpec(GpuType.A100, 2, 8, true);
        return new Topology.Builder("mixed", Fabric.DEFAULT)
                .rack(List.of(slow, fast))
                .rack(List.of(slow, slow))
                .rack(List.of(fast))
                .build();
    }

    public static World world(Topology topology) {
        return new World(
                topology,
                new RingPerformance(topology, BELIEF),
                BELIEF,
                RuntimePredictor::oracle,
                Simulator.Options.DEFAULT,
                1);
    }

    public static Workload random(long seed, int jobs) {
        RandomGenerator random = RandomStreams.stream(seed, "test/workload");
        List<JobSpec> specs = new ArrayList<>();
        double[] iterations = new double[jobs];
        long submit = 0;
        for (int i = 0; i < jobs; i++) {
            submit += random.nextLong(600_000_000_000L);
            ModelProfile model = ModelCatalog.standard().draw(random);
            specs.add(job(i, submit, DEMANDS[random.nextInt(DEMANDS.length)], model));
            iterations[i] = specs.get(i).idealIterationsPerSecond() * (60 + random.nextInt(7200));
        }
        return new Workload(specs, iterations);
    }

    public static JobSpec job(int id, long submitNanos, int gpus, ModelProfile model) {
        return new JobSpec(id, "job" + id, submitNanos, gpus, model, 1 / model.computeSeconds());
    }
}
