package org.trainyard.interference.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
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
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.GeneratorSettings;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.generator.TraceGenerator;

class ForestRuntimePredictorTest {
    private static final Topology TOPOLOGY = Topologies.small();

    /** A forest that is quick to grow. */
    static ForestSettings small() {
        return new ForestSettings(20, 10, 8, 6, 0.632, 1.1, 30, 1000, 20_000);
    }

    private static List<TraceJob> generated(int jobs, long seed, int gpus) {
        return new TraceGenerator(GeneratorSettings.DEFAULT.with(0.9, 32), jobs, ModelCatalog.standard())
                .generate(seed, gpus);
    }

    private static Workload workload() {
        List<TraceJob> jobs = generated(600, 4, TOPOLOGY.gpus());
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
        return new World(TOPOLOGY, new RatedPerformance(), Simulator.Options.DEFAULT)
                .telling(told -> predictor)
                .simulator(workload);
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
            ForestRuntimePredictor predictor = new ForestRuntimePredictor(small(), 1);
            Simulator here = runUntil(simulator(workload, predictor), arrivals);
            ForestRuntimePredictor otherPredictor = new ForestRuntimePredictor(small(), 1);
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
            assertThat(otherPredictor.rows().logRatios())
                    .isEqualTo(predictor.rows().logRatios());
            // The test can fail: in the end the two worlds do differ.
            runOn(here);
            runOn(there);
            assertThat(predictor.rows().size()).isEqualTo(workload.size());
            assertThat(Arrays.equals(
                            predictor.rows().logRatios(), otherPredictor.rows().logRatios()))
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
        Recorder recorder = new Recorder(new ForestRuntimePredictor(small(), 5));
        runUntil(simulator(workload(), recorder), 500);
        ForestRuntimePredictor fresh = new ForestRuntimePredictor(small(), 5);
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

    private static JobSpec job(int id, double rate, @Nullable String group) {
        Pressure none = new Pressure(0, 0, 0);
        ModelProfile model = new ModelProfile("m" + id % 5, 1, 0, 0, none, none);
        return new JobSpec(id, "j" + id, id, 1 + id % 4, model, rate).by("u" + id % 3, group, null);
    }

    @Test
    void forests_are_grown_at_growing_intervals() {
        ForestRuntimePredictor predictor = new ForestRuntimePredictor(small(), 1);
        List<Integer> grown = new ArrayList<>();
        for (int id = 0; id < 601; id++) {
            int before = predictor.forests();
            predictor.predictSeconds(job(id, 1, null));
            if (predictor.forests() > before) {
                grown.add(id);
            }
            predictor.finished(job(id, 1, null), 10 + id % 50);
        }
        assertThat(grown).startsWith(30, 60, 90).endsWith(481, 529, 581);
        assertThat(ForestSettings.DEFAULT.nextAt(50_000)).isEqualTo(51_000);
    }

    @Test
    void iterations_of_a_group_are_remembered_whatever_its_rate() {
        ForestRuntimePredictor predictor = new ForestRuntimePredictor(small(), 1);
        for (int id = 0; id < 20; id++) {
            predictor.predictSeconds(job(id, 2, "nightly"));
            predictor.finished(job(id, 2, "nightly"), 500);
        }
        double iterations = predictor.predictIterations(job(20, 4, "nightly"));
        assertThat(iterations).isCloseTo(1000, withinPercentage(3));
        assertThat(predictor.predictSeconds(job(21, 4, "nightly"))).isCloseTo(iterations / 4, withinPercentage(1));
    }

    @Test
    void where_jobs_recur_it_beats_the_median_by_far_and_history_too() {
        List<TraceJob> jobs = generated(1200, 11, 1024);
        PriorityQueue<Integer> running = new PriorityQueue<>(Comparator.comparingLong(job -> end(jobs.get(job))));
        ForestRuntimePredictor forest = new ForestRuntimePredictor(ForestSettings.DEFAULT, 1);
        ForestRuntimePredictor equal = new ForestRuntimePredictor(ForestSettings.DEFAULT, 1);
        RunHistory history = new RunHistory();
        double[] squares = new double[3];
        for (int id = 0; id < jobs.size(); id++) {
            while (!running.isEmpty()
                    && end(jobs.get(running.element())) <= jobs.get(id).submitNanos()) {
                int over = running.remove();
                double seconds = jobs.get(over).durationNanos() / 1e9;
                forest.finished(spec(over, jobs.get(over)), seconds);
                equal.finished(spec(over, jobs.get(over)), seconds);
                history.add(spec(over, jobs.get(over)), seconds);
            }
            JobSpec job = spec(id, jobs.get(id));
            double truth = Math.log(jobs.get(id).durationNanos() / 1e9);
            RuntimeGuess guess = forest.guess(job);
            assertThat(equal.guess(job)).isEqualTo(guess);
            if (id >= 600 && job.group() != null) {
                squares[0] += Math.pow(Math.log(guess.seconds()) - truth, 2);
                squares[1] += Math.pow(history.estimate(job) - truth, 2);
                squares[2] += Math.pow(history.all().medianLog() - truth, 2);
            }
            running.add(id);
        }
        assertThat(forest.forests()).isGreaterThan(10);
        assertThat(squares[0]).isLessThan(0.35 * squares[2]).isLessThan(0.9 * squares[1]);
    }

    private static long end(TraceJob job) {
        return job.submitNanos() + job.durationNanos();
    }

    private static JobSpec spec(int id, TraceJob job) {
        ModelProfile model = ModelCatalog.standard().neutral();
        return new JobSpec(id, job.id(), job.submitNanos(), job.demand(), model, 1)
                .by(job.user(), job.group(), job.virtualCluster());
    }

    @Test
    void a_job_that_never_arrived_cannot_finish() {
        ForestRuntimePredictor predictor = new ForestRuntimePredictor(small(), 1);
        assertThatThrownBy(() -> predictor.finished(job(3, 1, null), 10)).hasMessageContaining("(3)");
    }
}
