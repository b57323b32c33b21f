package org.trainyard.interference.runtimes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.interference.runtime.HistoryRuntimePredictor;

class ForestRuntimePredictorTest {
    private static final long DAY_NANOS = 86_400_000_000_000L;
    private static final Topology TOPOLOGY = Topologies.small();

    private static Workload workload() {
        List<TraceJob> jobs = Logs.generated(600, 4, TOPOLOGY.gpus());
        return new WorkloadBuilder(
                        TOPOLOGY,
                        ModelCatalog.standard(),
                        new WorkloadBuilder.Options(WorkloadBuilder.Models.MIX, 1, false, true))
                .rated(jobs)
                .workload();
    }

    /** The same jobs, but those that are not yet over by then are in truth ten times as long. */
    private static Workload otherFuture(Workload workload, Simulator until) {
        List<JobSpec> jobs = new ArrayList<>();
        double[] work = new double[workload.size()];
        for (int job = 0; job < work.length; job++) {
            jobs.add(workload.job(job));
            boolean over = job < until.view().arrived() && until.view().state(job) == JobState.DONE;
            work[job] = workload.trueIterations(job) * (over ? 1 : 10);
        }
        return new Workload(jobs, work);
    }

    private static Simulator simulator(Workload workload, RuntimePredictor predictor) {
        return new Simulator(TOPOLOGY, workload, new RatedPerformance(), predictor, Simulator.Options.DEFAULT);
    }

    /** First in, first out on the lowest free GPUs, up to the arrival of that many jobs. */
    private static Simulator runUntil(Simulator simulator, int arrivals) {
        while (simulator.view().arrived() < arrivals && simulator.advance()) {
            if (simulator.view().arrived() >= arrivals) {
                break;
            }
            for (Decision start = next(simulator.view()); start != null; start = next(simulator.view())) {
                simulator.apply(start);
            }
            simulator.apply(Decision.WAIT);
        }
        return simulator;
    }

    private static @Nullable Decision next(SimView view) {
        int job = view.firstWaiting();
        if (job < 0) {
            return null;
        }
        int missing = view.job(job).gpus();
        if (view.cluster().free() < missing) {
            return null;
        }
        PlacementBuilder builder = new PlacementBuilder(TOPOLOGY, view.cluster());
        for (int server = 0; missing > 0; server++) {
            int taken = Math.min(view.cluster().freeOn(server), missing);
            if (taken > 0) {
                builder.take(server, taken);
                missing -= taken;
            }
        }
        return new Decision.Start(job, builder.build());
    }

    @Test
    void no_guess_and_no_row_knows_of_a_job_that_is_not_over() {
        Workload workload = workload();
        for (int arrivals : new int[] {150, 300, 450}) {
            ForestRuntimePredictor predictor = new ForestRuntimePredictor(Logs.small(), 1);
            Simulator here = runUntil(simulator(workload, predictor), arrivals);
            ForestRuntimePredictor otherPredictor = new ForestRuntimePredictor(Logs.small(), 1);
            Workload changed = otherFuture(workload, here);
            Simulator there = runUntil(simulator(changed, otherPredictor), arrivals);

            assertThat(predictor.forests()).isPositive();
            assertThat(here.view().arrived()).isEqualTo(there.view().arrived());
            for (int job = 0; job < here.view().arrived(); job++) {
                assertThat(there.view().predictedSeconds(job))
                        .isEqualTo(here.view().predictedSeconds(job));
            }
            assertThat(otherPredictor.rows().features())
                    .isEqualTo(predictor.rows().features());
            assertThat(otherPredictor.rows().logSeconds())
                    .isEqualTo(predictor.rows().logSeconds());
            // The test can fail: in the end the two worlds do differ.
            runOn(here);
            runOn(there);
            assertThat(predictor.rows().size()).isEqualTo(workload.size());
            assertThat(Arrays.equals(
                            predictor.rows().logSeconds(), otherPredictor.rows().logSeconds()))
                    .isFalse();
        }
    }

    private static void runOn(Simulator simulator) {
        simulator.apply(Decision.WAIT);
        runUntil(simulator, Integer.MAX_VALUE);
    }

    /** Keeps the calls a simulator makes, so that they can be made again. */
    private static final class Recorder implements RuntimePredictor {
        private final RuntimePredictor told;
        private final List<JobSpec> jobs = new ArrayList<>();
        private final List<Double> answers = new ArrayList<>();
        private final List<Double> finishes = new ArrayList<>();

        Recorder(RuntimePredictor told) {
            this.told = told;
        }

        @Override
        public double predictSeconds(JobSpec job) {
            double answer = told.predictSeconds(job);
            jobs.add(job);
            answers.add(answer);
            finishes.add(Double.NaN);
            return answer;
        }

        @Override
        public void finished(JobSpec job, double idealSeconds) {
            told.finished(job, idealSeconds);
            jobs.add(job);
            answers.add(Double.NaN);
            finishes.add(idealSeconds);
        }
    }

    @Test
    void the_same_calls_made_again_bring_a_fresh_one_to_the_same_answers() {
        Recorder recorder = new Recorder(new ForestRuntimePredictor(Logs.small(), 5));
        runUntil(simulator(workload(), recorder), 500);
        ForestRuntimePredictor fresh = new ForestRuntimePredictor(Logs.small(), 5);
        Set<Double> different = new HashSet<>();
        for (int call = 0; call < recorder.jobs.size(); call++) {
            double finish = recorder.finishes.get(call);
            if (Double.isNaN(finish)) {
                assertThat(fresh.predictSeconds(recorder.jobs.get(call))).isEqualTo(recorder.answers.get(call));
                different.add(recorder.answers.get(call));
            } else {
                fresh.finished(recorder.jobs.get(call), finish);
            }
        }
        assertThat(different).hasSizeGreaterThan(100);
    }

    private static JobSpec job(int id, long submitNanos) {
        return RuntimeLog.job(id, new TraceJob("j" + id, submitNanos, 1 + id % 4, 1, null, "u" + id % 3, null, null));
    }

    @Test
    void a_forest_is_grown_after_a_day_when_enough_jobs_are_over() {
        ForestRuntimePredictor predictor = new ForestRuntimePredictor(Logs.small(), 1);
        for (int id = 0; id < 40; id++) {
            predictor.predictSeconds(job(id, id));
            predictor.finished(job(id, id), 10 + id);
        }
        assertThat(predictor.forests()).isZero();
        predictor.predictSeconds(job(40, DAY_NANOS - 1));
        assertThat(predictor.forests()).isZero();
        predictor.predictSeconds(job(41, DAY_NANOS));
        assertThat(predictor.forests()).isOne();
        predictor.predictSeconds(job(42, 3 * DAY_NANOS));
        assertThat(predictor.forests()).as("nothing new to learn").isOne();
        predictor.finished(job(42, 3 * DAY_NANOS), 7);
        predictor.predictSeconds(job(43, 3 * DAY_NANOS + 1));
        assertThat(predictor.forests()).isEqualTo(2);
    }

    @Test
    void a_forest_is_grown_after_a_thousand_jobs_within_the_day() {
        ForestRuntimePredictor predictor = new ForestRuntimePredictor(Logs.small(), 1);
        for (int id = 0; id < 2001; id++) {
            predictor.predictSeconds(job(id, id));
            assertThat(predictor.forests()).isEqualTo(id / 1000);
            predictor.finished(job(id, id), 10 + id % 50);
        }
    }

    @Test
    void before_the_first_forest_it_says_what_history_says() {
        ForestRuntimePredictor predictor = new ForestRuntimePredictor(Logs.small(), 1);
        HistoryRuntimePredictor history = new HistoryRuntimePredictor();
        for (int id = 0; id < 20; id++) {
            assertThat(predictor.predictSeconds(job(id, id))).isEqualTo(history.predictSeconds(job(id, id)));
            predictor.finished(job(id, id), 5 + id);
            history.finished(job(id, id), 5 + id);
        }
        RuntimeGuess guess = predictor.guess(job(20, 20));
        assertThat(guess.seconds()).isEqualTo(history.predictSeconds(job(20, 20)));
        assertThat(guess.p90()).isEqualTo(guess.seconds());
    }

    @Test
    void a_job_that_never_arrived_cannot_finish() {
        ForestRuntimePredictor predictor = new ForestRuntimePredictor(Logs.small(), 1);
        assertThatThrownBy(() -> predictor.finished(job(3, 0), 10)).hasMessageContaining("(3)");
    }
}
