package org.trainyard.agents.learned.expert;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.workload.Workload;

class FutureDrawTest {
    private final Workload workload = ForkWorlds.episode(3);
    private final Simulator simulator = ForkWorlds.WORLD.simulator(workload);
    private final SimView view = simulator.view();

    @BeforeEach
    void play_half_of_the_episode() {
        Scheduler scheduler = ForkWorlds.policy(1).toInferencePolicy().scheduler(ForkWorlds.deployment());
        while (view.arrived() < workload.size() / 2) {
            simulator.advance();
            simulator.decide(scheduler);
        }
    }

    private Workload draw(long seed) {
        return new FutureDraw(workload, view).draw(RandomStreams.stream(seed, "test/future"));
    }

    @Test
    void finished_jobs_keep_their_work_and_unfinished_ones_get_another_beyond_what_they_have_done() {
        int finished = 0;
        int running = 0;
        for (long seed = 0; seed < 20; seed++) {
            Workload future = draw(seed);
            for (int job = 0; job < view.arrived(); job++) {
                assertThat(future.job(job)).isEqualTo(workload.job(job));
                if (view.state(job) == JobState.DONE) {
                    finished++;
                    assertThat(future.trueIterations(job)).isEqualTo(workload.trueIterations(job));
                } else {
                    running += view.state(job) == JobState.RUNNING ? 1 : 0;
                    assertThat(future.trueIdealSeconds(job))
                            .isGreaterThan(view.progressSeconds(job))
                            .isNotEqualTo(workload.trueIdealSeconds(job));
                }
            }
        }
        assertThat(finished).isPositive();
        assertThat(running).isPositive();
    }

    @Test
    void later_jobs_change_places_and_keep_their_work() {
        Map<String, Double> work = new HashMap<>();
        for (int job = view.arrived(); job < workload.size(); job++) {
            work.put(workload.job(job).name(), workload.trueIterations(job));
        }
        Set<String> first = new HashSet<>();
        for (long seed = 0; seed < 50; seed++) {
            Workload future = draw(seed);
            Map<String, Double> drawn = new HashMap<>();
            for (int job = view.arrived(); job < workload.size(); job++) {
                assertThat(future.job(job).submitNanos())
                        .isEqualTo(workload.job(job).submitNanos());
                drawn.put(future.job(job).name(), future.trueIterations(job));
            }
            assertThat(drawn).isEqualTo(work);
            first.add(future.job(view.arrived()).name());
        }
        assertThat(first).as("jobs that came next").hasSizeGreaterThan(work.size() / 2);
    }

    @Test
    void equal_numbers_draw_equal_futures() {
        List<Double> one = new ArrayList<>();
        List<Double> other = new ArrayList<>();
        Workload future = draw(7);
        Workload again = draw(7);
        for (int job = 0; job < workload.size(); job++) {
            one.add(future.trueIterations(job));
            other.add(again.trueIterations(job));
        }
        assertThat(one).isEqualTo(other);
    }

    @Test
    void jobs_that_ran_as_predicted_are_expected_to_do_so_again() {
        // The predictions of this world have errors of about 0.2; the prior is wider, so most but not all draws are
        // near.
        int near = 0;
        int all = 0;
        RandomGenerator random = RandomStreams.stream(1, "test/near");
        FutureDraw futures = new FutureDraw(workload, view);
        for (int i = 0; i < 200; i++) {
            Workload future = futures.draw(random);
            for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
                double ratio = future.trueIdealSeconds(job) / view.predictedSeconds(job);
                near += Math.abs(Math.log(ratio)) < 0.7 ? 1 : 0;
                all++;
            }
        }
        assertThat(all).isPositive();
        assertThat((double) near / all).isBetween(0.6, 0.99);
    }
}
