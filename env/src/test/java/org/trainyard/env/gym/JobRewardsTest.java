package org.trainyard.env.gym;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.reward.DelayReward;
import org.trainyard.env.gym.reward.JobSpeeds;
import org.trainyard.env.gym.reward.NormalisedProgressReward;
import org.trainyard.env.gym.reward.Reward;
import org.trainyard.env.gym.reward.SlowdownReward;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.contention.Contention;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.Workload;

/** What the rewards per job add up to, whatever is done. */
class JobRewardsTest {
    private static final Topology TOPOLOGY = Topologies.small();
    private static final InterferenceModel TRUTH = AnalyticInterference.DEFAULT;
    private static final int JOBS = 30;

    private static ClusterEnv env(int jobs, Reward reward) {
        return env(jobs, reward, new RingPerformance(TOPOLOGY, TRUTH));
    }

    private static ClusterEnv env(int jobs, Reward reward, RingPerformance physics) {
        ClusterScenario world =
                new ClusterScenario(TOPOLOGY, physics, TRUTH, RuntimePredictor::oracle, Simulator.Options.DEFAULT);
        return new ClusterEnv(
                world,
                new ClusterEnv.Settings(Domains.racks(TOPOLOGY), 8, 2, false, Double.POSITIVE_INFINITY, 0.3, 0),
                episode -> RandomWorkloads.of(episode, jobs, TOPOLOGY.gpus()),
                reward);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void progress_pays_one_for_a_jobs_life(long seed) {
        Reward reward = new NormalisedProgressReward(JobSpeeds.believed(TOPOLOGY, TRUTH));

        assertThat(play(env(1, reward), seed)).isCloseTo(1, within(1e-6));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void progress_pays_one_for_every_job_whoever_slows_whom_down(long seed) {
        Reward believed = new NormalisedProgressReward(JobSpeeds.believed(TOPOLOGY, TRUTH));
        Reward real = new NormalisedProgressReward(JobSpeeds.real());

        assertThat(play(env(JOBS, believed), seed)).isCloseTo(JOBS, within(1e-5));
        assertThat(play(env(JOBS, real), seed)).isCloseTo(JOBS, within(1e-5));
    }

    @Test
    void progress_believed_without_interference_is_paid_in_excess() {
        Reward careless = new NormalisedProgressReward(JobSpeeds.believed(TOPOLOGY, InterferenceModel.NONE));

        assertThat(play(env(JOBS, careless), 1)).isGreaterThan(JOBS + 0.1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void slowdown_pays_minus_the_sum_of_slowdowns_beyond_one(long seed) {
        ClusterEnv env = env(JOBS, new SlowdownReward(JobSpeeds.believed(TOPOLOGY, TRUTH)));
        double total = play(env, seed);
        Workload workload = RandomWorkloads.of(seed, JOBS, TOPOLOGY.gpus());
        double slowdowns = 0;
        for (int job = 0; job < workload.size(); job++) {
            double ideal = workload.trueIdealSeconds(job);
            double jct = env.simulator().outcome(job).jctNanos() / 1e9;
            slowdowns += (jct - ideal) / Math.max(SlowdownReward.LEAST_SECONDS, ideal);
        }
        assertThat(-total).isCloseTo(slowdowns, within(1e-6 * slowdowns + 1e-5));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void with_a_true_belief_real_speeds_pay_the_same_delay(long seed) {
        double believed = play(env(JOBS, new DelayReward(TOPOLOGY, TRUTH)), seed);

        assertThat(play(env(JOBS, new DelayReward(JobSpeeds.real())), seed)).isCloseTo(believed, within(1e-5));
        assertThat(play(env(JOBS, new DelayReward(TOPOLOGY, InterferenceModel.NONE)), seed))
                .isGreaterThan(believed + 0.1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void a_belief_that_knows_how_rings_share_links_pays_for_what_the_sharing_costs(long seed) {
        InterferenceModel besideNics = new AnalyticInterference(0.6, 1.0, 0);
        Contention law = new Contention.MaxMin();
        RingPerformance physics = new RingPerformance(TOPOLOGY, besideNics, law);
        double real = play(env(JOBS, new DelayReward(JobSpeeds.real()), physics), seed);
        double knows = play(env(JOBS, new DelayReward(JobSpeeds.believed(TOPOLOGY, besideNics, law)), physics), seed);
        double blind = play(env(JOBS, new DelayReward(JobSpeeds.believed(TOPOLOGY, besideNics)), physics), seed);

        assertThat(knows).isCloseTo(real, within(1e-5));
        assertThat(blind).isGreaterThan(real + 0.1);
    }

    /** Plays an episode by lot; the pay of all agents together. */
    private static double play(ClusterEnv env, long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "test/actions");
        env.reset(seed);
        float[] row = new float[env.spec().size()];
        int[] actions = new int[env.agents()];
        double total = 0;
        StepResult step;
        do {
            for (int agent = 0; agent < actions.length; agent++) {
                env.observe(agent, row, 0);
                List<Integer> offered = new ArrayList<>();
                for (int action = 0; action < env.spec().actions().size(); action++) {
                    if (row[env.spec().maskAt() + action] != 0) {
                        offered.add(action);
                    }
                }
                actions[agent] = offered.isEmpty() ? 0 : offered.get(random.nextInt(offered.size()));
            }
            step = env.step(actions, 0);
            for (int agent = 0; agent < actions.length; agent++) {
                total += step.reward(agent);
            }
        } while (!step.done());
        assertThat(step.terminated()).isTrue();
        return total;
    }
}
