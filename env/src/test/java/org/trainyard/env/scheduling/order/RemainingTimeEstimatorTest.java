package org.trainyard.env.scheduling.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.gym.ClusterScenario;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.Workload;

class RemainingTimeEstimatorTest {
    private static final Topology TOPOLOGY = Topologies.medium();
    private static final int JOBS = 600;

    private record Simulated(SimView view, RemainingTimeEstimator estimator) {}

    /** What agents think of predictions after a run in which each job starts where there is room, in order of arrival. */
    private static Simulated run(Workload workload, RuntimePredictor predictor) {
        ClusterScenario world = new ClusterScenario(
                TOPOLOGY,
                new RingPerformance(TOPOLOGY, AnalyticInterference.DEFAULT),
                InterferenceModel.NONE,
                ignored -> predictor,
                Simulator.Options.DEFAULT);
        Simulator simulator = world.simulator(workload);
        SimView view = simulator.view();
        RemainingTimeEstimator estimator = new RemainingTimeEstimator();
        boolean goesOn = true;
        while (goesOn) {
            estimator.update(view, view.journalSize());
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
        estimator.update(view, view.journalSize());
        return new Simulated(view, estimator);
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
    @ValueSource(longs = {1, 2})
    void true_predictions_are_soon_believed(long seed) {
        Workload workload = RandomWorkloads.of(seed, JOBS, TOPOLOGY.gpus());
        Simulated run = run(workload, RuntimePredictor.oracle(workload));
        for (int job = JOBS - 10; job < JOBS; job++) {
            double predicted = run.view().predictedSeconds(job);
            assertThat(run.estimator().secondsAtAge(run.view(), job, 0)).isCloseTo(predicted, within(0.1 * predicted));
            assertThat(run.estimator().secondsAtAge(run.view(), job, 0.8 * predicted))
                    .isCloseTo(0.2 * predicted, within(0.1 * predicted));
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.3, 1.5})
    void who_has_outrun_its_prediction_ranks_by_how_wrong_others_have_been(double sigma) {
        Workload workload = RandomWorkloads.of(3, JOBS, TOPOLOGY.gpus());
        Simulated run = run(workload, RuntimePredictor.lognormal(workload, sigma, 5));
        double predicted = run.view().predictedSeconds(JOBS - 1);
        double rank = run.estimator().secondsAtAge(run.view(), JOBS - 1, 2 * predicted) / predicted;
        if (sigma < 1) {
            assertThat(rank).isLessThan(1.5);
        } else {
            assertThat(rank).isGreaterThan(2);
        }
    }
}
