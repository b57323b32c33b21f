package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.performance.contention.Contention;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.Workload;

class OtherFutureTest {
    private static void runFor(Simulator simulator, Scheduler scheduler, int instants) {
        for (int i = 0; i < instants && simulator.advance(); i++) {
            simulator.decide(scheduler);
        }
    }

    private static String finish(Simulator simulator, Scheduler scheduler) {
        while (simulator.isAsking() || simulator.advance()) {
            simulator.decide(scheduler);
        }
        return simulator.result().eventLogSha256() + simulator.jobSeconds();
    }

    /** The same jobs, with this factor on the work of those that are not done. */
    private static Workload future(MixedWorld world, SimView view, double factor) {
        List<JobSpec> specs = new ArrayList<>();
        double[] iterations = new double[world.workload.size()];
        for (int job = 0; job < iterations.length; job++) {
            specs.add(world.workload.job(job));
            boolean isDone = job < view.arrived() && view.state(job) == JobState.DONE;
            iterations[job] = world.workload.trueIterations(job) * (isDone ? 1 : factor);
        }
        return new Workload(specs, iterations);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void the_future_of_equal_work_is_that_of_the_original(long seed) {
        MixedWorld world = new MixedWorld(seed, seed % 2 == 0 ? new Contention.MaxMin() : Contention.NONE);
        String uninterrupted = finish(world.simulator(), world.chaos());
        for (int instants = 1; instants < 400; instants = 2 * instants + 3) {
            Simulator simulator = world.simulator();
            runFor(simulator, world.chaos(), instants);
            Simulator fork = simulator.fork(future(world, simulator.view(), 1), world.predictor());
            assertThat(finish(fork, world.chaos())).isEqualTo(uninterrupted);
        }
    }

    @Test
    void unfinished_jobs_end_by_the_work_of_their_future_and_keep_their_predictions() {
        MixedWorld world = new MixedWorld(3, Contention.NONE);
        Simulator simulator = world.simulator();
        runFor(simulator, world.chaos(), 60);
        SimView view = simulator.view();
        Workload longer = future(world, view, 2);
        Simulator fork = simulator.fork(longer, RuntimePredictor.oracle(longer));

        int unfinished = 0;
        for (int job = 0; job < view.arrived(); job++) {
            unfinished += view.state(job) == JobState.DONE ? 0 : 1;
            assertThat(fork.view().predictedSeconds(job)).isEqualTo(view.predictedSeconds(job));
            assertThat(fork.view().progressSeconds(job)).isEqualTo(view.progressSeconds(job));
        }
        assertThat(unfinished).isPositive();
        finish(fork, world.chaos());
        for (int job = 0; job < longer.size(); job++) {
            assertThat(fork.view().progressSeconds(job)).isEqualTo(longer.trueIdealSeconds(job));
        }
    }

    @Test
    void a_future_that_contradicts_the_past_is_refused() {
        MixedWorld world = new MixedWorld(5, Contention.NONE);
        Simulator simulator = world.simulator();
        runFor(simulator, world.chaos(), 100);
        Workload tooShort = future(world, simulator.view(), 1e-9);
        assertThatThrownBy(() -> simulator.fork(tooShort, world.predictor()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not that of the past");
    }
}
