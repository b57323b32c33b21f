package org.trainyard.env.gym;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.RingPerformance;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.Workload;

class ForecastTest {
    private static final Topology TOPOLOGY = Topologies.medium();
    private static final Domains DOMAINS = Domains.racks(TOPOLOGY);
    private static final int JOBS = 600;

    /** What agents think of predictions after a run in which each job starts where there is room, in order of arrival. */
    private static DomainQueues afterRun(Workload workload, RuntimePredictor predictor) {
        World world = new World(
                TOPOLOGY,
                new RingPerformance(TOPOLOGY, AnalyticInterference.DEFAULT),
                InterferenceModel.NONE,
                ignored -> predictor,
                Simulator.Options.DEFAULT);
        Simulator simulator = world.simulator(workload);
        SimView view = simulator.view();
        DomainQueues queues = new DomainQueues(DOMAINS, view);
        boolean goesOn = true;
        while (goesOn) {
            queues.sync();
            int job = view.firstWaiting();
            if (job != SimView.NONE && view.job(job).gpus() <= view.cluster().free()) {
                simulator.start(job, firstFree(view, view.job(job).gpus()));
            } else {
                if (simulator.isAsking()) {
                    simulator.apply(Decision.WAIT);
                }
                goesOn = simulator.advance();
            }
        }
        queues.sync();
        return queues;
    }

    private static Placement firstFree(SimView view, int gpus) {
        int[] chosen = new int[gpus];
        int count = 0;
        for (int gpu = 0; count < gpus; gpu++) {
            if (view.cluster().owner(gpu) == Cluster.FREE) {
                chosen[count++] = gpu;
            }
        }
        return Placement.of(TOPOLOGY, chosen);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.3, 0.8, 1.5})
    void it_learns_how_wrong_predictions_are(double sigma) {
        Workload workload = RandomWorkloads.of(3, JOBS, TOPOLOGY.gpus());
        DomainQueues queues = afterRun(workload, RuntimePredictor.lognormal(workload, sigma, 5));
        assertThat(queues.forecast().sigma(JOBS - 1)).isCloseTo(sigma, within(0.12 * sigma));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void true_predictions_are_soon_believed(long seed) {
        Workload workload = RandomWorkloads.of(seed, JOBS, TOPOLOGY.gpus());
        DomainQueues queues = afterRun(workload, RuntimePredictor.oracle(workload));
        assertThat(queues.forecast().sigma(JOBS - 1)).isLessThan(0.1);
    }
}
