package org.trainyard.interference.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.interference.ForEverySeed;

class HistoryRuntimePredictorTest {
    private final HistoryRuntimePredictor predictor = new HistoryRuntimePredictor();

    private static JobSpec job(int id, long submitNanos, int gpus) {
        return new JobSpec(
                id,
                "job" + id,
                submitNanos,
                gpus,
                ModelCatalog.standard().profiles().get(0),
                1);
    }

    private static JobSpec job(int id, int gpus, @Nullable String user, @Nullable String group) {
        return job(id, 0, gpus).by(user, group, null);
    }

    @Test
    void before_anything_has_finished_it_says_the_prior() {
        assertThat(predictor.predictSeconds(job(0, 4, "ann", "bert")))
                .isCloseTo(HistoryRuntimePredictor.PRIOR_SECONDS, within(1e-9));
    }

    @Test
    void every_level_leans_on_the_next_as_on_two_jobs() {
        predictor.finished(job(0, 4, "ann", "bert"), 100);

        // One job of 100 s against two of the estimate above, four levels deep: the prior keeps (2/3)^4 of the weight.
        double kept = Math.pow(2 / 3.0, 4);
        double expected = Math.exp(kept * Math.log(1800) + (1 - kept) * Math.log(100));
        assertThat(predictor.predictSeconds(job(1, 4, "ann", "bert"))).isCloseTo(expected, within(1e-9));
    }

    @Test
    void the_nearer_the_history_the_more_it_says() {
        for (int i = 0; i < 10; i++) {
            predictor.finished(job(i, 4, "ann", "bert"), 100);
        }

        double group = predictor.predictSeconds(job(20, 4, "ann", "bert"));
        double user = predictor.predictSeconds(job(20, 4, "ann", "other"));
        double demand = predictor.predictSeconds(job(20, 5, "bob", null));
        double all = predictor.predictSeconds(job(20, 8, null, null));
        assertThat(List.of(100.0, group, user, demand, all, 1800.0)).isSorted();
        assertThat(group).isCloseTo(100, within(2.0));
        assertThat(all).isGreaterThan(demand);
    }

    @Test
    void it_averages_orders_of_magnitude() {
        for (int i = 0; i < 2000; i++) {
            predictor.finished(job(i, 1, null, null), i % 2 == 0 ? 10 : 1000);
        }

        assertThat(predictor.predictSeconds(job(0, 1, null, null))).isCloseTo(100, within(1.0));
    }

    @Test
    void it_learns_from_finished_jobs_alone() {
        // Two worlds that differ only in the work of a job that is still running when the last one is submitted.
        assertThat(predictionForTheLastJob(500)).isEqualTo(predictionForTheLastJob(5_000_000));
        assertThat(predictionForTheLastJob(500)).isNotEqualTo(HistoryRuntimePredictor.PRIOR_SECONDS);
    }

    private static double predictionForTheLastJob(double workOfTheRunningJob) {
        List<JobSpec> jobs = new ArrayList<>();
        for (int id = 0; id < 3; id++) {
            jobs.add(job(id, id * 100_000_000_000L, 1).by("ann", "bert", null));
        }
        Workload workload = new Workload(jobs, new double[] {50, workOfTheRunningJob, 10});
        var topology = Topologies.small();
        Simulator simulator = new World(topology, new RatedPerformance(), Simulator.Options.DEFAULT)
                .telling(told -> new HistoryRuntimePredictor())
                .simulator(workload);
        while (simulator.view().arrived() < 3) {
            simulator.advance();
            int waiting = simulator.view().firstWaiting();
            if (waiting >= 0) {
                simulator.apply(new Decision.Start(waiting, Placement.of(topology, waiting)));
            }
            simulator.apply(Decision.WAIT);
        }
        return simulator.view().predictedSeconds(2);
    }

    @ForEverySeed
    void on_recurring_groups_it_beats_the_global_mean(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "groups");
        double[] groupLog = new double[20];
        for (int group = 0; group < groupLog.length; group++) {
            groupLog[group] = 5 + 2 * random.nextGaussian();
        }
        double error = 0;
        double meanError = 0;
        double sum = 0;
        for (int i = 0; i < 400; i++) {
            int group = random.nextInt(groupLog.length);
            JobSpec job = job(i, 1 << (group % 4), "user" + group % 5, "group" + group);
            double log = groupLog[group] + 0.3 * random.nextGaussian();
            if (i >= 100) {
                error += Math.abs(Math.log(predictor.predictSeconds(job)) - log);
                meanError += Math.abs(sum / i - log);
            }
            predictor.finished(job, Math.exp(log));
            sum += log;
        }

        assertThat(error).isLessThan(0.5 * meanError);
    }

    @ForEverySeed
    void equal_histories_give_equal_guesses(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "history");
        HistoryRuntimePredictor other = new HistoryRuntimePredictor();
        for (int i = 0; i < 100; i++) {
            JobSpec job = job(i, 1 + random.nextInt(64), "user" + random.nextInt(5), "group" + random.nextInt(20));
            assertThat(predictor.predictSeconds(job)).isPositive().isEqualTo(other.predictSeconds(job));
            double seconds = 1e-3 + 1e5 * random.nextDouble();
            predictor.finished(job, seconds);
            other.finished(job, seconds);
        }
    }
}
