package org.trainyard.agents.heuristic.classic;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.agents.heuristic.placing.BestFit;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.ModelCatalog;

/** How the placement of a wide gang grows with the cluster, in steps that are counted. */
class PlacementGrowthTest {
    private static final int WORKERS = 252;
    private static final int SERVERS_OF_GANG = 32;

    /** A cluster with racks of eight servers of eight GPUs, on which a gang waits. */
    private static SimView waiting(int racks) {
        Topology topology = Objects.requireNonNull(Topologies.parse("%dx8x8".formatted(racks)));
        ModelProfile model = ModelCatalog.standard().neutral();
        Workload workload = new Workload(List.of(new JobSpec(0, "gang", 0, WORKERS, model, 1)), new double[] {1000});
        Simulator simulator =
                new World(topology, new RatedPerformance(), new Simulator.Options(0, true)).simulator(workload);
        simulator.advance();
        return simulator.view();
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 64, 512})
    void best_fit_finds_each_server_of_a_gang_by_few_look_ups_however_large_the_cluster(int racks) {
        SimView view = waiting(racks);
        long before = view.cluster().byFreeGpus().lookUps();
        Placement placement = Objects.requireNonNull(new BestFit().place(view, view.job(0)));
        assertThat(placement.serverCount()).isEqualTo(SERVERS_OF_GANG);
        assertThat(view.cluster().byFreeGpus().lookUps() - before)
                .isBetween((long) SERVERS_OF_GANG, 3L * SERVERS_OF_GANG);
    }

    @Test
    void load_balancing_compares_loads_for_each_server_and_each_worker_a_logarithmic_number_of_times() {
        for (int racks = 8; racks <= 512; racks *= 8) {
            SimView view = waiting(racks);
            long[] loads = {0};
            SimView counting = (SimView) Proxy.newProxyInstance(
                    SimView.class.getClassLoader(), new Class<?>[] {SimView.class}, (proxy, method, arguments) -> {
                        loads[0] += method.getName().equals("cluster") ? 1 : 0;
                        try {
                            return method.invoke(view, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
            Objects.requireNonNull(new LoadBalancing().place(counting, view.job(0)));
            double steps = 8 * racks + WORKERS;
            assertThat((double) loads[0]).isBetween(steps, 4 * steps * Math.log(8 * racks) / Math.log(2));
        }
    }
}
