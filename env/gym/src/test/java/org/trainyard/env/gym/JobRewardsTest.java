package org.trainyard.env.gym;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.gym.reward.DelayReward;
import org.trainyard.env.gym.reward.JctReward;
import org.trainyard.env.gym.reward.JobSpeeds;
import org.trainyard.env.gym.reward.NormalisedProgressReward;
import org.trainyard.env.gym.reward.Reward;
import org.trainyard.env.gym.reward.SlowdownReward;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.performance.contention.Contention;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.LiveCluster;
import org.trainyard.env.simulation.PreemptionRules;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Workload;

/** What the rewards per job add up to, whatever is done. */
class JobRewardsTest {
    private static final Topology TOPOLOGY = Topologies.small();
    private static final InterferenceModel TRUTH = AnalyticInterference.DEFAULT;
    private static final int JOBS = 30;

    private static final RingPerformance PHYSICS = new RingPerformance(TOPOLOGY, TRUTH);

    private static double play(int jobs, Reward reward, long seed) {
        return play(jobs, reward, PHYSICS, seed);
    }

    /** Plays an episode by lot; the reward of all its jobs. */
    private static double play(int jobs, Reward reward, RingPerformance physics, long seed) {
        return play(simulator(jobs, physics, seed), reward, seed);
    }

    private static Simulator simulator(int jobs, RingPerformance physics, long seed) {
        Workload workload = RandomWorkloads.of(seed, jobs, TOPOLOGY.gpus());
        return new World(TOPOLOGY, physics.copy(), Simulator.Options.DEFAULT).simulator(workload);
    }

    private static double play(Simulator simulator, Reward reward, long seed) {
        SimView view = simulator.view();
        double[] sum = {0, 0};
        long[] before = {0};
        RandomPlay.play(seed, simulator, 0, now -> {
            sum[0] += sum[1] * (now.nowNanos() - before[0]) / 3600e9;
            before[0] = now.nowNanos();
            sum[1] = reward.perHour(now);
        });
        return sum[0] + sum[1] * (view.nowNanos() - before[0]) / 3600e9;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void progress_pays_one_for_a_jobs_life(long seed) {
        Reward reward = new NormalisedProgressReward(JobSpeeds.believed(TOPOLOGY, TRUTH));

        assertThat(play(1, reward, seed)).isCloseTo(1, within(1e-6));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void progress_pays_one_for_every_job_whoever_slows_whom_down(long seed) {
        Reward believed = new NormalisedProgressReward(JobSpeeds.believed(TOPOLOGY, TRUTH));
        Reward real = new NormalisedProgressReward(JobSpeeds.real());

        assertThat(play(JOBS, believed, seed)).isCloseTo(JOBS, within(1e-5));
        assertThat(play(JOBS, real, seed)).isCloseTo(JOBS, within(1e-5));
    }

    @Test
    void progress_believed_without_interference_is_paid_in_excess() {
        Reward careless = new NormalisedProgressReward(JobSpeeds.believed(TOPOLOGY, InterferenceModel.NONE));

        assertThat(play(JOBS, careless, 1)).isGreaterThan(JOBS + 0.1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void slowdown_pays_minus_the_sum_of_slowdowns_beyond_one(long seed) {
        Simulator simulator = simulator(JOBS, PHYSICS, seed);
        double total = play(simulator, new SlowdownReward(JobSpeeds.believed(TOPOLOGY, TRUTH)), seed);
        Workload workload = RandomWorkloads.of(seed, JOBS, TOPOLOGY.gpus());
        double slowdowns = 0;
        for (int job = 0; job < workload.size(); job++) {
            double ideal = workload.trueIdealSeconds(job);
            double jct = simulator.outcome(job).jctNanos() / 1e9;
            slowdowns += (jct - ideal) / Math.max(SlowdownReward.LEAST_SECONDS, ideal);
        }
        assertThat(-total).isCloseTo(slowdowns, within(1e-6 * slowdowns + 1e-5));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void with_a_true_belief_real_speeds_pay_the_same_delay(long seed) {
        double believed = play(JOBS, new DelayReward(JobSpeeds.believed(TOPOLOGY, TRUTH), false), seed);

        assertThat(play(JOBS, new DelayReward(JobSpeeds.real(), false), seed)).isCloseTo(believed, within(1e-5));
        assertThat(play(JOBS, new DelayReward(JobSpeeds.believed(TOPOLOGY, InterferenceModel.NONE), false), seed))
                .isGreaterThan(believed + 0.1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void a_belief_that_knows_how_rings_share_links_pays_for_what_the_sharing_costs(long seed) {
        InterferenceModel besideNics = new AnalyticInterference(0.6, 1.0, 0, 1);
        Contention law = new Contention.MaxMin();
        RingPerformance physics = new RingPerformance(TOPOLOGY, besideNics, law);
        double real = play(JOBS, new DelayReward(JobSpeeds.real(), false), physics, seed);
        double knows = play(JOBS, new DelayReward(JobSpeeds.believed(TOPOLOGY, besideNics, law), false), physics, seed);
        double blind = play(JOBS, new DelayReward(JobSpeeds.believed(TOPOLOGY, besideNics), false), physics, seed);

        assertThat(knows).isCloseTo(real, within(1e-5));
        assertThat(blind).isGreaterThan(real + 0.1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void with_a_true_belief_delays_add_up_to_the_time_lost_against_ideal_runs(long seed) {
        Simulator simulator = simulator(JOBS, PHYSICS, seed);
        double total = play(simulator, new DelayReward(JobSpeeds.believed(TOPOLOGY, TRUTH), false), seed);
        Workload workload = RandomWorkloads.of(seed, JOBS, TOPOLOGY.gpus());
        double ideal =
                IntStream.range(0, JOBS).mapToDouble(workload::trueIdealSeconds).sum();
        double lost = (simulator.jobSeconds() - ideal) / 3600;

        assertThat(-total).isCloseTo(lost, within(1e-6 * Math.abs(lost) + 1e-6));
    }

    /** Predicted to take 100 s, it runs for 150; a job of 10 s counts as one of 60. */
    @Test
    void rates_are_over_predictions_over_the_work_done_beyond_them_and_over_a_minute_at_least() {
        Workload jobs = TimedJobs.list().job(1, 0, 1).job(1, 0, 1).job(1, 0, 1).workload();
        LiveCluster live = new LiveCluster(new World(TOPOLOGY, new RatedPerformance(), new Simulator.Options(0, true)));
        double[] predicted = {100, 10, 240};
        for (int job = 0; job < 3; job++) {
            live.arrive(jobs.job(job), predicted[job]);
        }
        live.start(0, Placement.of(TOPOLOGY, 0));
        Reward progress = new NormalisedProgressReward(JobSpeeds.real());
        Reward slowdown = new SlowdownReward((view, job) -> 0.75);
        live.moveTo(50_000_000_000L);
        assertThat(progress.perHour(live.view(), 0)).isCloseTo(3600 / 100.0, within(1e-9));
        live.moveTo(150_000_000_000L);

        assertThat(progress.perHour(live.view(), 0)).isCloseTo(3600 / 150.0, within(1e-9));
        assertThat(progress.perHour(live.view(), 1)).isZero();
        assertThat(slowdown.perHour(live.view(), 0)).isCloseTo(-3600 / 100.0 / 4, within(1e-9));
        assertThat(slowdown.perHour(live.view(), 1)).isEqualTo(-60);
        assertThat(slowdown.perHour(live.view(), 2)).isEqualTo(-15);
        assertThat(slowdown.perHour(live.view())).isCloseTo(-9 - 60 - 15, within(1e-9));
        assertThat(new JctReward().perHour(live.view())).isEqualTo(-3);
        assertThat(new JctReward().perHour(live.view(), 0)).isEqualTo(-1);
        assertThat(new JctReward().perHour(live.view(), 2)).isEqualTo(-1);
        assertThat(new DelayReward((view, job) -> 0.75, false).perHour(live.view()))
                .isEqualTo(-2.25);
    }

    /** Of 70 s of work 10 s are not saved, and a restart takes 20 s. */
    @Test
    void a_preemption_costs_the_restart_and_the_work_that_is_done_again() {
        Reward charging = new DelayReward(JobSpeeds.real(), true);
        Simulator.Options options =
                new Simulator.Options(20_000_000_000L, true).with(PreemptionRules.FREE.savingEvery(30_000_000_000L));
        Simulator simulator = new World(TOPOLOGY, new RatedPerformance(), options)
                .simulator(TimedJobs.list().job(1, 0, 1000).workload());
        simulator.advance();
        simulator.apply(new Decision.Start(0, Placement.of(TOPOLOGY, 0)));
        simulator.apply(Decision.waitUntil(70_000_000_000L));
        simulator.advance();

        assertThat(charging.ofPreemption(simulator.view(), 0)).isCloseTo(-30 / 3600.0, within(1e-12));
        assertThat(new DelayReward(JobSpeeds.real(), false).ofPreemption(simulator.view(), 0))
                .isZero();
    }
}
