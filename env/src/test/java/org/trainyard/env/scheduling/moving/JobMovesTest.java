package org.trainyard.env.scheduling.moving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.gym.RandomPlay;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.scheduling.gang.GangCandidates;
import org.trainyard.env.scheduling.order.ResidualTimeFloor;
import org.trainyard.env.scheduling.placement.GpuSpeeds;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.LiveCluster;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.TrainingPlan;

/** Every state of episodes of random actions on a cluster of two GPU types. */
class JobMovesTest {
    private static final ServerSpec SLOW = new ServerSpec(GpuType.V100, 2, 4, false);
    private static final ServerSpec FAST = new ServerSpec(GpuType.A100, 2, 4, true);
    private static final Topology MIXED = new Topology.Builder("mixed", Fabric.DEFAULT)
            .rack(List.of(SLOW, SLOW, FAST))
            .rack(List.of(FAST, SLOW))
            .build();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void slowdowns_that_are_kept_are_those_predicted_anew(long seed) {
        RunningSlowdowns kept = new RunningSlowdowns(MIXED, AnalyticInterference.DEFAULT);
        RandomPlay.play(seed, MIXED, view -> {
            kept.update(view);
            RunningSlowdowns anew = new RunningSlowdowns(MIXED, AnalyticInterference.DEFAULT);
            anew.update(view);
            for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
                assertThat(kept.of(view, job)).isEqualTo(anew.of(view, job)).isGreaterThanOrEqualTo(1);
            }
        });
    }

    /**
     * Jobs 0 and 1 share a server. Job 0 leaves it in a past that is taken back, after which more or less happens
     * elsewhere.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void slowdowns_are_not_those_of_a_past_that_was_taken_back(int later) {
        RuntimePredictor predictor = RuntimePredictor.oracle(RandomWorkloads.of(1, 5, 1));
        LiveCluster live = new LiveCluster(MIXED, new RatedPerformance(), predictor, new Simulator.Options(0, true));
        SimView view = live.view();
        RandomGenerator random = RandomStreams.stream(1, "test/live");
        for (int job = 0; job < 5; job++) {
            ModelProfile model = RandomWorkloads.model(random);
            double ideal = 1 / model.computeSeconds();
            TrainingPlan plan = TrainingPlan.RingAllReduce.INSTANCE;
            live.arrive(new JobSpec(job, "job" + job, 0, Demand.ofGpus(1), model, plan, ideal));
        }
        live.start(0, Placement.of(MIXED, 0));
        live.start(1, Placement.of(MIXED, 1));
        RunningSlowdowns kept = new RunningSlowdowns(MIXED, AnalyticInterference.DEFAULT);
        kept.update(view);
        double beside = kept.of(view, 1);
        live.suppose(List.of(new Decision.Preempt(0), new Decision.Start(0, Placement.of(MIXED, 4))), () -> {
            kept.update(view);
            assertThat(kept.of(view, 1)).isLessThan(beside);
        });
        for (int job = 2; job < 2 + later; job++) {
            live.start(job, Placement.of(MIXED, 4 * job));
        }
        kept.update(view);

        assertThat(kept.of(view, 1)).isEqualTo(beside);
        assertThat(kept.isAnew()).isTrue();
    }

    @Test
    void without_interference_a_job_on_one_server_is_slowed_by_its_gpus_alone() {
        RunningSlowdowns slowdowns = new RunningSlowdowns(MIXED, InterferenceModel.NONE);
        GpuSpeeds speeds = new GpuSpeeds(MIXED);
        int[] slow = {0};
        RandomPlay.play(1, MIXED, view -> {
            slowdowns.update(view);
            for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
                if (view.placement(job).serverCount() == 1) {
                    double speed = speeds.of(view.placement(job).server(0));
                    assertThat(slowdowns.of(view, job)).isCloseTo(1 / speed, within(1e-12));
                    slow[0] += speed < 1 ? 1 : 0;
                }
            }
        });
        assertThat(slow[0]).isPositive();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void the_jobs_that_lose_most_come_into_question_and_move_only_to_where_they_run_faster(long seed) {
        JobMoves moves = new JobMoves(MIXED, AnalyticInterference.DEFAULT, ResidualTimeFloor::seconds, 2);
        RunningSlowdowns slowdowns = new RunningSlowdowns(MIXED, AnalyticInterference.DEFAULT);
        GangCandidates sets = new GangCandidates(MIXED, AnalyticInterference.DEFAULT, 8);
        int[] better = {0};
        RandomPlay.play(seed, MIXED, view -> {
            slowdowns.update(view);
            int found = moves.find(view);
            assertThat(found).isEqualTo(Math.min(2, losers(view, slowdowns).size()));
            for (int i = 0; i < found; i++) {
                int job = moves.job(i);
                assertThat(loss(view, slowdowns, job))
                        .isEqualTo(loss(view, slowdowns, losers(view, slowdowns).get(i)));
                int set = moves.betterSet(view, job, sets);
                if (set != SimView.NONE) {
                    better[0]++;
                    double there = sets.own(set) * slowdowns.stretch(view.job(job), sets.servers(set), sets.racks(set));
                    assertThat(moves.speedUp())
                            .isCloseTo(slowdowns.of(view, job) / there, within(1e-9))
                            .isGreaterThan(1.03);
                    assertThat(moves.savedSeconds(view, job)).isPositive();
                }
            }
        });
        assertThat(better[0]).isPositive();
    }

    private static double loss(SimView view, RunningSlowdowns slowdowns, int job) {
        return (slowdowns.of(view, job) - slowdowns.least(view.job(job))) * ResidualTimeFloor.seconds(view, job);
    }

    /** The running jobs that lose more than the least gain and fit on the free GPUs, the greatest loss first. */
    private static List<Integer> losers(SimView view, RunningSlowdowns slowdowns) {
        List<Integer> losers = new ArrayList<>();
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            boolean loses = slowdowns.of(view, job) - slowdowns.least(view.job(job)) > 0.03;
            boolean fits = view.job(job).gpus() <= view.cluster().free();
            if (loses && fits && !view.cluster().isShared()) {
                losers.add(job);
            }
        }
        losers.sort(Comparator.comparingDouble((Integer job) -> -loss(view, slowdowns, job)));
        return losers;
    }
}
