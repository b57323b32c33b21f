package org.trainyard.env.scheduling.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.Workload;

class RemainingTimeEstimatorTest {
    private static final Topology TOPOLOGY = Topologies.medium();
    private static final int JOBS = 600;

    private record Simulated(SimView view, RemainingTimeEstimator estimator) {}

    /**
     * What agents think of predictions after a run in which each job starts where there is room, in order of arrival.
     */
    private static Simulated run(Workload workload, RuntimePredictor predictor) {
        return run(workload, predictor, new RemainingTimeEstimator());
    }

    private static Simulated run(Workload workload, RuntimePredictor predictor, RemainingTimeEstimator estimator) {
        return run(workload, predictor, estimator, view -> {});
    }

    private static Simulated run(
            Workload workload, RuntimePredictor predictor, RemainingTimeEstimator estimator, Consumer<SimView> check) {
        World world = new World(
                TOPOLOGY,
                new RingPerformance(TOPOLOGY, AnalyticInterference.DEFAULT),
                InterferenceModel.NONE,
                ignored -> predictor,
                Simulator.Options.DEFAULT,
                1);
        Simulator simulator = world.simulator(workload);
        SimView view = simulator.view();
        boolean goesOn = true;
        while (goesOn) {
            estimator.update(view, view.journalSize());
            check.accept(view);
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

    @Test
    void whoever_was_asked_about_a_waiting_job_before_says_the_same_as_errors_come_in() {
        Workload workload = RandomWorkloads.of(3, 120, TOPOLOGY.gpus());
        RemainingTimeEstimator asked = new RemainingTimeEstimator();
        int[] waiting = new int[1];
        run(workload, RuntimePredictor.lognormal(workload, 1.5, 5), asked, view -> {
            int job = view.firstWaiting();
            if (job != SimView.NONE) {
                assertThat(asked.of(view, job)).isEqualTo(new RemainingTimeEstimator().of(view, job));
                waiting[0]++;
            }
        });
        assertThat(waiting[0]).isGreaterThan(100);
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

    @Test
    void no_job_is_expected_to_run_beyond_the_limit_that_finished_jobs_show() {
        double limit = 7200;
        Workload workload = endedAt(limit, RandomWorkloads.of(3, JOBS, TOPOLOGY.gpus()));
        RuntimePredictor predictor = RuntimePredictor.lognormal(workload, 1.5, 5);
        Simulated without = run(workload, predictor);
        Simulated with = run(workload, predictor, new RemainingTimeEstimator(true));
        int bounded = 0;
        for (int job = JOBS - 100; job < JOBS; job++) {
            for (double age : new double[] {0, 0.5 * limit, 0.9 * limit}) {
                double plain = without.estimator().secondsAtAge(without.view(), job, age);
                assertThat(with.estimator().secondsAtAge(with.view(), job, age))
                        .isCloseTo(Math.min(plain, limit - age), withinPercentage(0.1));
                bounded += plain > limit - age ? 1 : 0;
            }
        }
        assertThat(bounded).isBetween(50, 250);
    }

    /** The same jobs, ended at a limit on run times. */
    private static Workload endedAt(double limitSeconds, Workload workload) {
        double[] iterations = new double[workload.size()];
        Arrays.setAll(
                iterations,
                job -> workload.job(job).idealIterationsPerSecond()
                        * Math.min(limitSeconds, workload.trueIdealSeconds(job)));
        return new Workload(
                IntStream.range(0, workload.size()).mapToObj(workload::job).toList(), iterations);
    }

    /** Errors of jobs of a group are kept by the number of its jobs that had finished when they came. */
    @Test
    void errors_are_kept_by_how_many_jobs_of_the_group_had_finished() {
        Workload plain = RandomWorkloads.of(5, 150, TOPOLOGY.gpus());
        Workload workload = new Workload(
                IntStream.range(0, 150)
                        .mapToObj(job -> plain.job(job).by(null, job % 5 == 4 ? null : "group" + job % 5 / 2, null))
                        .toList(),
                IntStream.range(0, 150).mapToDouble(plain::trueIterations).toArray());
        RemainingTimeEstimator estimator = new RemainingTimeEstimator();
        Map<String, Integer> done = new HashMap<>();
        int[] kind = new int[150];
        int[] ofKind = new int[6];
        GittinsIndex[] index = new GittinsIndex[6];
        Arrays.setAll(index, i -> new GittinsIndex());
        int[] read = {0, 0, 1};
        run(workload, RuntimePredictor.lognormal(workload, 0.8, 5), estimator, view -> {
            for (; read[0] < view.journalSize(); read[0]++) {
                int job = view.journalJob(read[0]);
                String group = view.job(job).group();
                int finished = group == null ? 0 : done.getOrDefault(group, 0);
                if (view.journalKind(read[0]) == EventKind.ARRIVE) {
                    kind[job] = finished > 8 ? 5 : finished > 4 ? 4 : finished > 2 ? 3 : finished;
                    ofKind[kind[job]]++;
                } else if (view.journalKind(read[0]) == EventKind.FINISH) {
                    done.put(group == null ? "none" : group, finished + 1);
                    index[kind[job]].add(Math.log(view.progressSeconds(job) / view.predictedSeconds(job)));
                    read[1]++;
                }
            }
            assertThat(estimator.isRenewalDue()).isEqualTo(read[1] >= read[2]);
            assertThat(estimator.isRenewalDue()).isFalse();
            read[2] = read[1] >= read[2] ? read[1] + 1 + read[1] / 20 : read[2];
            long bounds = Arrays.stream(index).mapToLong(GittinsIndex::bounds).sum();
            assertThat(estimator.bounds(view)).isEqualTo(bounds);
            for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
                double predicted = view.predictedSeconds(job);
                double age = view.progressSeconds(job) / predicted;
                assertThat(estimator.of(view, job)).isEqualTo(predicted * index[kind[job]].of(age));
                assertThat(estimator.atMost(view, job, 2 * predicted * age + 5))
                        .isEqualTo(predicted * index[kind[job]].atMost(age, (2 * predicted * age + 5) / predicted));
            }
        });
        assertThat(ofKind[0]).isGreaterThan(20);
        assertThat(Arrays.stream(ofKind).min().orElseThrow()).isPositive();
    }
}
