package org.trainyard.experiments.papers.fgd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.scheduling.fragmentation.TargetWorkload;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.TraceJob;

/** The learned placer beside the simulator, which refuses placements that do not fit, and beside FGD. */
class PotentialPlacerTest {
    private static final ServerSpec SERVER =
            new ServerSpec(GpuType.V100, 1, 4, false).withHost(24_000, 1000).with(GpuSharing.FRACTIONS);
    private static final Topology CLUSTER = Topology.uniform("twenty", Fabric.DEFAULT, 1, 20, SERVER, 1);
    private static final List<TraceJob> PODS = pods();

    private static List<TraceJob> pods() {
        List<TraceJob> pods = new ArrayList<>();
        RandomGenerator random = RandomStreams.stream(1, "pods");
        int[] parts = {160, 320, 470, 810, Demand.WHOLE};
        for (int pod = 0; pod < 60; pod++) {
            int gpus = random.nextInt(6) == 0 ? random.nextInt(5) : 1;
            int milli = gpus == 1 ? parts[random.nextInt(parts.length)] : Demand.WHOLE;
            Demand demand = Demand.ofGpus(gpus)
                    .withGpuMilli(milli)
                    .withHost(1000L * (1 + random.nextInt(8)), random.nextInt(100))
                    .onOneServer();
            pods.add(new TraceJob("pod" + pod, pod, demand, 1, null, null, null, null));
        }
        return pods;
    }

    private static double[] weights(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "weights");
        double[] weights = PotentialPlacer.untrained();
        for (int column = 0; column < weights.length; column++) {
            weights[column] += random.nextGaussian();
        }
        return weights;
    }

    @Test
    void training_and_the_simulator_allocate_the_same_under_any_weights() {
        PlacerTraining training = new PlacerTraining(PODS, CLUSTER);
        for (long seed = 0; seed < 5; seed++) {
            double[] weights = weights(seed);
            ArrivalsRun run = Arrivals.of(PODS, CLUSTER, PlacerTraining.INFLATION, seed)
                    .run(PotentialPlacer.policy("learned", PODS, PODS, weights), null);

            double[] curve = training.allocated(weights, seed);
            for (int percent = 0; percent < curve.length; percent++) {
                assertThat(curve[percent]).isCloseTo(run.allocatedPercent().get(percent), within(1e-9));
            }
            assertThat(run.rejected()).isPositive();
        }
    }

    @Test
    void untrained_the_potential_of_a_server_is_its_fragmentation() {
        // So few pods that a target workload leaves none out.
        List<TraceJob> ten =
                PODS.stream().filter(pod -> pod.demand().gpus() > 0).limit(10).toList();
        ServerPotential potential = new ServerPotential(new PodKinds(ten, ten), PotentialPlacer.untrained());
        TargetWorkload target =
                TargetWorkload.of(ten.stream().map(TraceJob::demand).toList());
        for (int[] free :
                new int[][] {{0, 190, 530, 1000}, {0, 0, 0, 0}, {340, 840, 1000, 1000}, {1000, 1000, 1000, 1000}}) {
            for (int cores = 0; cores <= 8; cores++) {
                assertThat(potential.of(0, true, 1000L * cores, free, 0, free.length))
                        .isCloseTo(
                                target.fragmentedMilli(GpuType.V100.name(), 1000L * cores, free) / Demand.WHOLE,
                                within(1e-9));
            }
        }
    }
}
