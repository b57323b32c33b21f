package org.trainyard.env.gym;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.gym.action.ActionExecutor;
import org.trainyard.env.gym.action.ActionSpace;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.observation.JobColumn;
import org.trainyard.env.gym.observation.ObservationSpace;
import org.trainyard.env.gym.reward.JctReward;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.RuntimePredictor;

class ClusterEnvContractTest {
    private static final int JOBS = 40;

    private static ClusterEnv env(double teamShare, double horizonHours) {
        return env(teamShare, horizonHours, false);
    }

    private static ClusterEnv env(double teamShare, double horizonHours, boolean preemption) {
        Topology topology = Topologies.small();
        ClusterScenario world = new ClusterScenario(
                topology,
                new RingPerformance(topology, AnalyticInterference.DEFAULT),
                AnalyticInterference.DEFAULT,
                RuntimePredictor::oracle,
                new Simulator.Options(30_000_000_000L, true));
        ClusterEnv.Settings settings =
                new ClusterEnv.Settings(Domains.racks(topology), 16, 2, preemption, horizonHours, teamShare, 0.5);
        return new ClusterEnv(
                world, settings, episode -> RandomWorkloads.of(episode, JOBS, topology.gpus()), new JctReward());
    }

    private static ClusterEnv env() {
        return env(0.5, Double.POSITIVE_INFINITY);
    }

    /** A random action on offer for each agent. */
    private static int[] legalActions(ClusterEnv env, RandomGenerator random) {
        int[] actions = new int[env.agents()];
        float[] row = new float[env.spec().size()];
        for (int agent = 0; agent < env.agents(); agent++) {
            env.observe(agent, row, 0);
            int action;
            do {
                action = random.nextInt(env.spec().actions().size());
            } while (row[env.spec().maskAt() + action] == 0);
            actions[agent] = action;
        }
        return actions;
    }

    private static double play(ClusterEnv env, RandomGenerator random) {
        double total = 0;
        StepResult step;
        do {
            step = env.step(legalActions(env, random), 0);
            for (int agent = 0; agent < env.agents(); agent++) {
                total += step.reward(agent);
            }
        } while (!step.done());
        assertThat(step.terminated()).isTrue();
        return total;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void rewards_add_up_to_the_metric_they_stand_for(long seed) {
        ClusterEnv env = env();
        env.reset(seed);
        double total = play(env, RandomStreams.stream(seed, "test/actions"));
        double jctHours = 0;
        for (int job = 0; job < JOBS; job++) {
            jctHours += env.simulator().outcome(job).jctNanos() / 3600e9;
        }
        assertThat(-total).isCloseTo(jctHours, within(1e-9 * jctHours));
        assertThat(env.simulator().jobSeconds() / 3600).isCloseTo(jctHours, within(1e-9 * jctHours));
    }

    @ParameterizedTest
    @CsvSource({"0, Infinity, false", "0.5, Infinity, true", "1, 2.5, false", "0.5, 0.7, true"})
    void an_environment_keeps_its_contract(double teamShare, double horizonHours, boolean preemption) {
        assertThat(EnvChecker.check(() -> env(teamShare, horizonHours, preemption), 1, 5, 100_000))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void an_illegal_action_never_throws_costs_the_penalty_and_is_marked(long seed) {
        ClusterEnv env = env(0, 10_000);
        env.reset(seed);
        RandomGenerator random = RandomStreams.stream(seed, "test/any");
        int illegal = 0;
        StepResult step;
        do {
            int[] actions = new int[env.agents()];
            for (int agent = 0; agent < env.agents(); agent++) {
                actions[agent] = random.nextInt(env.spec().actions().size() + 4) - 2;
            }
            step = env.step(actions, 0);
            for (int agent = 0; agent < env.agents(); agent++) {
                if (step.outcome(agent) == ActionExecutor.Outcome.ILLEGAL) {
                    illegal++;
                    assertThat(step.reward(agent)).isLessThanOrEqualTo(-0.5);
                }
            }
        } while (!step.done());
        assertThat(illegal).isPositive();
    }

    @Test
    void an_episode_in_which_nothing_can_happen_any_more_is_cut_and_said_to_be_stuck() {
        ClusterEnv env = env();
        env.reset(1);
        StepResult step;
        do {
            step = env.step(new int[] {-1, -1}, 0);
        } while (!step.done());
        assertThat(step.truncated()).isTrue();
        assertThat(step.stuck()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void a_job_is_forwarded_at_most_twice(long seed) {
        ClusterEnv env = env();
        env.reset(seed);
        RandomGenerator random = RandomStreams.stream(seed, "test/forward");
        ActionSpace layout = env.spec().actions();
        float[] row = new float[env.spec().size()];
        StepResult step;
        do {
            int[] actions = legalActions(env, random);
            for (int agent = 0; agent < env.agents(); agent++) {
                env.observe(agent, row, 0);
                for (int domain = 0; domain < layout.domains(); domain++) {
                    if (row[env.spec().maskAt() + layout.forward(domain)] > 0) {
                        actions[agent] = layout.forward(domain);
                    }
                }
            }
            step = env.step(actions, 0);
        } while (!step.done());
        SimView view = env.simulator().view();
        int[] hops = new int[JOBS];
        for (int i = 0; i < view.journalSize(); i++) {
            if (view.journalKind(i) == EventKind.FORWARD) {
                hops[view.journalJob(i)]++;
            }
        }
        assertThat(Arrays.stream(hops).max().orElseThrow()).isBetween(1, 2);
    }

    @Test
    void a_held_job_leaves_the_window_until_the_next_event() {
        ClusterEnv env = env();
        env.reset(2);
        ActionSpace layout = env.spec().actions();
        float[] row = new float[env.spec().size()];
        boolean held = false;
        RandomGenerator random = RandomStreams.stream(2, "test/hold");
        StepResult step;
        do {
            env.observe(0, row, 0);
            int[] actions = legalActions(env, random);
            if (row[env.spec().maskAt() + layout.hold()] > 0) {
                int before = ownJobsInWindow(env, row);
                step = env.step(new int[] {layout.hold(), ActionSpace.WAIT}, 0);
                if (step.elapsedHours() == 0
                        && !step.done()
                        && before < env.spec().window() / 2) {
                    env.observe(0, row, 0);
                    assertThat(ownJobsInWindow(env, row)).isEqualTo(before - 1);
                    held = true;
                }
            } else {
                step = env.step(actions, 0);
            }
        } while (!step.done());
        assertThat(held).isTrue();
    }

    private static int ownJobsInWindow(ClusterEnv env, float[] row) {
        int jobs = 0;
        for (int slot = 0; slot < env.spec().window(); slot++) {
            int at = env.spec().jobsAt() + slot * ObservationSpace.JOB;
            jobs += row[at + JobColumn.PRESENT.index()] > 0 && row[at + JobColumn.WAITS_ELSEWHERE.index()] == 0 ? 1 : 0;
        }
        return jobs;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void agents_that_push_jobs_out_at_random_finish_all_and_are_paid_for_it(long seed) {
        ClusterEnv env = env(0.5, Double.POSITIVE_INFINITY, true);
        env.reset(seed);
        double total = play(env, RandomStreams.stream(seed, "test/actions"));
        double jctHours = 0;
        int preemptions = 0;
        for (int job = 0; job < JOBS; job++) {
            jctHours += env.simulator().outcome(job).jctNanos() / 3600e9;
            preemptions += env.simulator().view().preemptions(job);
        }
        assertThat(-total).isCloseTo(jctHours, within(1e-9 * jctHours));
        assertThat(preemptions).isPositive();
    }
}
