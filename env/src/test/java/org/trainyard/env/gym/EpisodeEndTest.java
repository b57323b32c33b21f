package org.trainyard.env.gym;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.action.ActionSpace;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.reward.JctReward;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Outage;
import org.trainyard.env.simulation.Outages;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.TrainingPlan;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.ModelCatalog;

/** Where an episode ends, and that no reward is lost or added there. */
class EpisodeEndTest {
    private static final Topology TOPOLOGY = Topologies.small();
    private static final long HOUR = 3_600_000_000_000L;

    /** Every server is down for ever. */
    private static final Outages ALL_DOWN = new Outages.Recorded(IntStream.range(0, TOPOLOGY.servers())
            .mapToObj(server -> new Outages.Recorded.Entry(server, new Outage(0, Long.MAX_VALUE)))
            .toList());

    private static ClusterEnv env(double horizonHours) {
        return env(horizonHours, Outages.NONE);
    }

    /** One agent for all servers. */
    private static ClusterEnv env(double horizonHours, Outages outages) {
        ClusterScenario world = new ClusterScenario(
                TOPOLOGY,
                new RingPerformance(TOPOLOGY, AnalyticInterference.DEFAULT),
                AnalyticInterference.DEFAULT,
                RuntimePredictor::oracle,
                Simulator.Options.DEFAULT.with(outages, 0));
        return new ClusterEnv(
                world,
                new ClusterEnv.Settings(Domains.even(TOPOLOGY, 1), 8, 0, false, horizonHours, 0, 0),
                episode -> jobs(0, 0),
                new JctReward());
    }

    /** Jobs of one GPU and ten hours, submitted at these hours. */
    private static Workload jobs(double... submitHours) {
        ModelProfile model = ModelCatalog.standard().draw(RandomStreams.stream(1, "test"));
        double rate = 1 / model.computeSeconds();
        JobSpec[] jobs = new JobSpec[submitHours.length];
        Arrays.setAll(
                jobs,
                i -> new JobSpec(
                        i,
                        "job" + i,
                        (long) (submitHours[i] * HOUR),
                        1,
                        model,
                        TrainingPlan.RingAllReduce.INSTANCE,
                        rate,
                        null,
                        null,
                        null));
        double[] iterations = new double[jobs.length];
        Arrays.fill(iterations, 36_000 * rate);
        return new Workload(List.of(jobs), iterations);
    }

    @Test
    void an_episode_is_truncated_exactly_at_the_horizon_and_rewarded_up_to_there() {
        ClusterEnv env = env(2.25);
        env.reset(jobs(0));
        double reward = 0;
        double hours = 0;
        StepResult step;
        do {
            step = env.step(new int[] {env.isActive(0) ? firstChoice(env) : ActionSpace.WAIT}, 0);
            reward += step.reward(0);
            hours += step.elapsedHours();
        } while (!step.done());

        assertThat(step.truncated()).isTrue();
        assertThat(step.stuck()).isFalse();
        assertThat(env.simulator().view().nowNanos()).isEqualTo((long) (2.25 * HOUR));
        assertThat(hours).isCloseTo(2.25, within(1e-12));
        assertThat(reward).isCloseTo(-2.25, within(1e-12));
    }

    private static int firstChoice(ClusterEnv env) {
        float[] row = new float[env.spec().size()];
        env.observe(0, row, 0);
        int action = 1;
        while (row[env.spec().maskAt() + action] == 0) {
            action++;
        }
        return action;
    }

    @Test
    void a_reset_after_which_no_agent_ever_has_a_choice_says_so_and_keeps_the_reward() {
        ClusterEnv env = env(Double.POSITIVE_INFINITY, ALL_DOWN);

        StepResult start = env.reset(jobs(0, 1.5));

        assertThat(start.truncated()).isTrue();
        assertThat(start.stuck()).isTrue();
        assertThat(start.elapsedHours()).isEqualTo(1.5);
        assertThat(start.reward(0)).isEqualTo(-1.5);
    }

    @Test
    void a_reset_reaches_the_horizon_when_no_choice_comes_before_it() {
        ClusterEnv env = env(1, ALL_DOWN);

        StepResult start = env.reset(jobs(0, 1.5));

        assertThat(start.truncated()).isTrue();
        assertThat(start.stuck()).isFalse();
        assertThat(start.reward(0)).isEqualTo(-1);
        assertThat(env.simulator().view().nowNanos()).isEqualTo(HOUR);
    }

    @Test
    void an_episode_without_jobs_is_terminated_by_its_reset_and_one_whose_jobs_come_too_late_is_truncated() {
        ClusterEnv env = env(1);

        assertThat(env.reset(jobs()).terminated()).isTrue();
        assertThat(env.reset(jobs(1)).truncated()).isTrue();
        assertThat(env.reset(jobs(0.5)).done()).isFalse();
    }

    @Test
    void a_reset_leaves_the_last_step_as_it_is() {
        ClusterEnv env = env(0.5);
        env.reset(0);
        StepResult last;
        do {
            last = env.step(new int[] {env.isActive(0) ? firstChoice(env) : ActionSpace.WAIT}, 0);
        } while (!last.done());
        double reward = last.reward(0);

        env.reset(0);

        assertThat(last.truncated()).isTrue();
        assertThat(last.reward(0)).isEqualTo(reward);
    }
}
