package org.trainyard.env.gym.reward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.gym.AutoResetEnv;
import org.trainyard.env.gym.ClusterEnv;
import org.trainyard.env.gym.ClusterScenario;
import org.trainyard.env.gym.StepResult;
import org.trainyard.env.gym.TestScenarios;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Workload;

class DelayRewardTest {
    private static final Topology TOPOLOGY = Topologies.small();

    private static ClusterEnv env(double horizonHours) {
        ClusterScenario world = TestScenarios.known(TOPOLOGY);
        return new ClusterEnv(
                world,
                new ClusterEnv.Settings(Domains.racks(TOPOLOGY), 8, 2, false, horizonHours, 0.3, 0),
                episode -> RandomWorkloads.of(episode, 30, TOPOLOGY.gpus()),
                new DelayReward(TOPOLOGY, AnalyticInterference.DEFAULT));
    }

    private static int[] anyLegal(AutoResetEnv env, java.util.random.RandomGenerator random) {
        float[] row = new float[env.spec().size()];
        int[] actions = new int[env.agents()];
        for (int agent = 0; agent < actions.length; agent++) {
            env.observe(agent, row, 0);
            do {
                actions[agent] = random.nextInt(env.spec().actions().size());
            } while (row[env.spec().maskAt() + actions[agent]] == 0);
        }
        return actions;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void with_a_true_belief_it_adds_up_to_the_time_lost_against_ideal_runs(long seed) {
        AutoResetEnv env = new AutoResetEnv(env(Double.POSITIVE_INFINITY));
        env.reset(seed);
        var random = RandomStreams.stream(seed, "test/actions");
        double total = 0;
        StepResult step;
        do {
            step = env.step(anyLegal(env, random), 0);
            total += step.reward(0) + step.reward(1);
        } while (!step.done());
        Workload workload = RandomWorkloads.of(seed, 30, TOPOLOGY.gpus());
        double ideal = 0;
        for (int job = 0; job < workload.size(); job++) {
            ideal += workload.trueIdealSeconds(job);
        }
        double lost = (env.finishedMeanJctSeconds() * workload.size() - ideal) / 3600;
        assertThat(-total).isCloseTo(lost, within(1e-6 * Math.abs(lost) + 1e-6));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void the_rows_at_a_horizon_stay_readable_after_the_reset(long seed) {
        AutoResetEnv env = new AutoResetEnv(env(1));
        env.reset(seed);
        var random = RandomStreams.stream(seed, "test/actions");
        while (!env.step(anyLegal(env, random), 0).truncated()) {}
        float[] now = new float[env.agents() * env.spec().size()];
        for (int agent = 0; agent < env.agents(); agent++) {
            env.observe(agent, now, agent * env.spec().size());
        }
        assertThat(env.truncatedRows()).hasSameSizeAs(now).isNotEqualTo(now);
    }
}
