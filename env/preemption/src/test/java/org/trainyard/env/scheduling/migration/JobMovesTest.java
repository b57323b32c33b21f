package org.trainyard.env.scheduling.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.gym.RandomPlay;
import org.trainyard.env.gym.SharedPlay;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.Colocation;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.performance.ring.NetworkStretch;
import org.trainyard.env.scheduling.gang.GangCandidates;
import org.trainyard.env.scheduling.gpusets.GpuRule;
import org.trainyard.env.scheduling.gpusets.SetChoice;
import org.trainyard.env.scheduling.order.ResidualTimeFloor;
import org.trainyard.env.scheduling.placement.GpuSpeeds;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.LiveCluster;
import org.trainyard.env.simulation.PreemptionRules;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Interiors;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.TrainingPlan;
import org.trainyard.env.workload.generator.ModelCatalog;

/** Every state of episodes of random actions on a cluster of two GPU types. */
class JobMovesTest {
    private static final ServerSpec SLOW = new ServerSpec(GpuType.V100, 2, 4, false);
    private static final ServerSpec FAST = new ServerSpec(GpuType.A100, 2, 4, true);
    private static final Topology MIXED = new Topology.Builder("mixed", Fabric.DEFAULT)
            .rack(List.of(SLOW, SLOW, FAST))
            .rack(List.of(FAST, SLOW))
            .build();
    private static final Topology LINKED = new Topology.Builder("linked", Fabric.DEFAULT)
            .rack(List.of(linked("dgx1v"), linked("pcie")))
            .rack(List.of(linked("pairs"), linked("uniform")))
            .build();
    private static final SetChoice NO_RINGS = new SetChoice(MIXED, GpuRule.BOTH);

    private static ServerSpec linked(String interior) {
        return ServerSpec.ofV100(8).with(Interiors.named(interior));
    }

    private static Topology topology(long seed) {
        return seed > 4 ? LINKED : MIXED;
    }

    /**
     * The slowest of the servers, by its GPUs and the neighbours there, over the ring inside one or the network between
     * them.
     */
    private static double slowdown(SimView view, int job, SetChoice choice) {
        Topology topology = view.topology();
        Placement place = view.placement(job);
        ModelProfile model = view.job(job).model();
        double slowest = 1;
        int inFirstRack = 0;
        for (int i = 0; i < place.serverCount(); i++) {
            int server = place.server(i);
            Colocation row = new Colocation();
            row.reset(topology.gpusOn(server), place.gpusOn(i), place.serverCount() > 1);
            row.addAllOn(server, job, view);
            double beside = row.count() == 0 ? 1 : AnalyticInterference.DEFAULT.slowdown(model, row);
            slowest = Math.max(slowest, Math.max(1, beside) / new GpuSpeeds(topology).of(server, model));
            inFirstRack += topology.rackOf(server) == topology.rackOf(place.server(0)) ? 1 : 0;
        }
        int racks = inFirstRack == place.serverCount() ? 1 : 2;
        double network = new NetworkStretch(topology).over(view.job(job), place.serverCount(), racks);
        return slowest * network * choice.ofRunning(view, job);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void slowdowns_are_those_of_the_slowest_server_and_of_the_network(long seed) {
        Topology topology = topology(seed);
        SetChoice choice = new SetChoice(topology, GpuRule.BOTH);
        RunningSlowdowns kept = new RunningSlowdowns(topology, AnalyticInterference.DEFAULT, choice);
        RandomPlay.play(seed, topology, view -> {
            kept.update(view);
            for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
                assertThat(kept.of(view, job)).isCloseTo(slowdown(view, job, choice), within(1e-12));
                boolean isWide = view.job(job).gpus() > topology.widestServer();
                assertThat(kept.least(view.job(job)))
                        .isEqualTo(isWide ? new NetworkStretch(topology).overCard(view.job(job)) : 1);
            }
        });
    }

    /** Beyond 1, the job's slowdown and those of the others on its GPU, these as long as they stay. */
    private static double lossOfSharers(SimView view, int job, @Nullable InterferenceModel belief) {
        Placement place = view.placement(job);
        double loss = 0;
        for (int other = view.firstRunning(); other != SimView.NONE; other = view.nextRunning(other)) {
            Placement there = view.placement(other);
            if (other == job || there.indexOf(place.server(0)) >= 0 && there.sharesGpuOn(place.server(0), place)) {
                Colocation row = new Colocation();
                row.reset(4, there.gpusOn(there.indexOf(place.server(0))), false);
                row.addAllOn(place.server(0), other, there.maskOn(there.indexOf(place.server(0))), view);
                double excess = (belief == null
                                ? view.slowdown(other)
                                : belief.slowdown(view.job(other).model(), row))
                        - 1;
                double stays = ResidualTimeFloor.seconds(view, other) / ResidualTimeFloor.seconds(view, job);
                loss += excess * Math.min(1, stays);
            }
        }
        return loss;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void sharers_that_lose_most_as_measured_move_where_both_are_predicted_to_lose_less(long seed) {
        InterferenceModel belief = new AnalyticInterference(0.1, 0.3, 0.2, 0.4);
        SharedPlay play = new SharedPlay(seed, ServerSpec.ofV100(4).withHost(4_000, 1 << 20));
        GangCandidates sets = new GangCandidates(play.topology(), belief, 8);
        JobMoves moves = new JobMoves(play.topology(), belief, ResidualTimeFloor::seconds, 2, sets.choice());
        int[] seen = {0, 0};
        play.play(60, 3, new Simulator.Options(0, true), view -> {
            List<Integer> losers = new ArrayList<>();
            for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
                boolean isSharer = view.cluster().owner(view.placement(job).gpu(0)) == Cluster.SHARED;
                if (isSharer && view.slowdown(job) - 1 >= 0.03 && lossOfSharers(view, job, null) > 0.03) {
                    losers.add(job);
                }
            }
            losers.sort(Comparator.comparingDouble(
                    (Integer job) -> -lossOfSharers(view, job, null) * ResidualTimeFloor.seconds(view, job)));
            assertThat(moves.find(view)).isEqualTo(Math.min(2, losers.size()));
            for (int i = 0; i < Math.min(2, losers.size()); i++) {
                int job = moves.job(i);
                assertThat(job).isEqualTo(losers.get(i));
                double now = 1 + lossOfSharers(view, job, belief);
                double least = 0.97 * now;
                int found = sets.find(view, job);
                for (int set = 0; set < found; set++) {
                    boolean isElsewhere =
                            sets.server(set, 0) != view.placement(job).server(0) || !sets.isOnGpuOf(view, job, set);
                    least = isElsewhere ? Math.min(least, 1 + sets.cost(set) - sets.fragmentation(view, set)) : least;
                }
                boolean isBetter = least < 0.97 * now;
                assertThat(moves.betterSet(view, job, sets, 0) != SimView.NONE).isEqualTo(isBetter);
                assertThat(moves.speedUp()).isCloseTo(now / least, within(1e-9));
                double saved = ResidualTimeFloor.seconds(view, job) * (now - least);
                assertThat(moves.savedSeconds(view, job)).isCloseTo(saved, within(1e-6));
                assertThat(moves.betterSet(view, job, sets, saved * 1.001)).isEqualTo(SimView.NONE);
                assertThat(moves.betterSet(view, job, sets, saved * 0.999) != SimView.NONE)
                        .isEqualTo(isBetter);
                seen[isBetter ? 1 : 0]++;
            }
        });
        assertThat(seen[0]).isPositive();
        assertThat(seen[1]).isPositive();
    }

    /**
     * Jobs 0 and 1 share a server. Job 0 leaves it in a past that is taken back, after which more or less happens
     * elsewhere.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void slowdowns_are_not_those_of_a_past_that_was_taken_back(int later) {
        RuntimePredictor predictor = RuntimePredictor.oracle(RandomWorkloads.of(1, 5, 1));
        LiveCluster live = new LiveCluster(
                new World(MIXED, new RatedPerformance(), new Simulator.Options(0, true)).telling(told -> predictor));
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
        RunningSlowdowns kept = new RunningSlowdowns(MIXED, AnalyticInterference.DEFAULT, NO_RINGS);
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

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void the_jobs_that_lose_most_come_into_question_and_move_only_to_where_they_run_faster(long seed) {
        Topology topology = topology(seed);
        GangCandidates sets = new GangCandidates(topology, AnalyticInterference.DEFAULT, 8);
        JobMoves moves =
                new JobMoves(topology, AnalyticInterference.DEFAULT, ResidualTimeFloor::seconds, 2, sets.choice());
        RunningSlowdowns slowdowns = new RunningSlowdowns(topology, AnalyticInterference.DEFAULT, sets.choice());
        int[] better = {0};
        RandomPlay.play(seed, topology, view -> {
            slowdowns.update(view);
            int found = moves.find(view);
            assertThat(found).isEqualTo(Math.min(2, losers(view, slowdowns).size()));
            for (int i = 0; i < found; i++) {
                int job = moves.job(i);
                assertThat(loss(view, slowdowns, job))
                        .isEqualTo(loss(view, slowdowns, losers(view, slowdowns).get(i)));
                int set = moves.betterSet(view, job, sets, 0);
                if (set != SimView.NONE) {
                    better[0]++;
                    double there = sets.own(set)
                            * sets.ring(set)
                            * slowdowns.stretch(view.job(job), sets.servers(set), sets.racks(set));
                    assertThat(moves.speedUp())
                            .isCloseTo(slowdowns.of(view, job) / there, within(1e-9))
                            .isGreaterThan(1.03);
                    assertThat(moves.savedSeconds(view, job)).isPositive();
                }
            }
        });
        assertThat(better[0]).isPositive();
    }

    @Test
    void a_job_over_a_narrow_ring_moves_to_a_wider_one_if_sets_are_chosen_by_links() {
        LiveCluster live = new LiveCluster(new World(LINKED, new RatedPerformance(), new Simulator.Options(0, true))
                .telling(told -> RuntimePredictor.oracle(RandomWorkloads.of(1, 1, 1))));
        ModelProfile heavy = Objects.requireNonNull(ModelCatalog.standard().find("vgg16"));
        live.arrive(new JobSpec(
                0, "job", 0, Demand.ofGpus(3), heavy, TrainingPlan.RingAllReduce.INSTANCE, 1 / heavy.computeSeconds()));
        // Three GPUs of the server that has PCIe alone, on both sockets.
        live.start(0, Placement.of(LINKED, 9, 10, 14));
        for (GpuRule rule : GpuRule.values()) {
            GangCandidates sets = new GangCandidates(LINKED, InterferenceModel.NONE, 8, rule);
            JobMoves moves = new JobMoves(LINKED, InterferenceModel.NONE, (view, job) -> 3_600, 1, sets.choice());
            int found = moves.find(live.view());
            if (rule == GpuRule.SOCKET) {
                assertThat(found).isZero();
                continue;
            }
            assertThat(found).isEqualTo(1);
            int set = moves.betterSet(live.view(), 0, sets, 0);
            assertThat(sets.server(set, 0)).as("behind switches").isEqualTo(3);
            assertThat(moves.speedUp()).isGreaterThan(1.1);
        }
    }

    /** Three jobs alike on slow GPUs, of which two come into question. */
    @Test
    void of_jobs_that_lose_the_same_those_that_started_first_come_into_question() {
        for (List<Integer> started : List.of(List.of(0, 1, 2), List.of(2, 0, 1), List.of(1, 2, 0))) {
            LiveCluster live = new LiveCluster(new World(MIXED, new RatedPerformance(), new Simulator.Options(0, true))
                    .telling(told -> RuntimePredictor.oracle(RandomWorkloads.of(1, 3, 1))));
            ModelProfile model = Objects.requireNonNull(ModelCatalog.standard().find("vgg16"));
            for (int job = 0; job < 3; job++) {
                double ideal = 1 / model.computeSeconds();
                live.arrive(new JobSpec(
                        job, "job" + job, 0, Demand.ofGpus(1), model, TrainingPlan.RingAllReduce.INSTANCE, ideal));
            }
            JobMoves moves = new JobMoves(MIXED, InterferenceModel.NONE, (view, job) -> 3_600, 2, NO_RINGS);
            for (int i = 0; i < 3; i++) {
                live.start(started.get(i), Placement.of(MIXED, i));
                moves.find(live.view());
            }

            assertThat(moves.find(live.view())).isEqualTo(2);
            assertThat(List.of(moves.job(0), moves.job(1))).isEqualTo(started.subList(0, 2));
            moves.move(live.view(), started.get(0));
            moves.find(live.view());
            assertThat(List.of(moves.job(0), moves.job(1)))
                    .as("none moves twice at one instant")
                    .isEqualTo(started.subList(1, 3));
            live.moveTo(1);
            moves.find(live.view());
            assertThat(List.of(moves.job(0), moves.job(1))).isEqualTo(started.subList(0, 2));
        }
    }

    /** Whether a set is better, and what it saves, against all sets that there are. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void a_job_moves_exactly_where_a_set_is_predicted_to_be_better_and_to_save_enough(long seed) {
        Topology topology = topology(seed);
        GangCandidates sets = new GangCandidates(topology, AnalyticInterference.DEFAULT, 8);
        JobMoves moves =
                new JobMoves(topology, AnalyticInterference.DEFAULT, ResidualTimeFloor::seconds, 4, sets.choice());
        RunningSlowdowns slowdowns = new RunningSlowdowns(topology, AnalyticInterference.DEFAULT, sets.choice());
        int[] seen = new int[2];
        RandomPlay.play(seed, topology, view -> {
            slowdowns.update(view);
            int losers = moves.find(view);
            for (int i = 0; i < losers; i++) {
                int job = moves.job(i);
                double now = slowdowns.of(view, job);
                double least = Double.POSITIVE_INFINITY;
                int found = sets.find(view, job);
                for (int set = 0; set < found; set++) {
                    double network = slowdowns.stretch(view.job(job), sets.servers(set), sets.racks(set));
                    least = Math.min(least, sets.own(set) * sets.ring(set) * network);
                }
                boolean isBetter = least < (1 - 0.03) * now;
                assertThat(moves.betterSet(view, job, sets, 0) != SimView.NONE).isEqualTo(isBetter);
                seen[isBetter ? 1 : 0]++;
                if (isBetter) {
                    double saved = ResidualTimeFloor.seconds(view, job) * (now - least);
                    assertThat(moves.savedSeconds(view, job)).isCloseTo(saved, within(1e-9 * saved));
                    assertThat(moves.betterSet(view, job, sets, 0.999 * saved)).isNotEqualTo(SimView.NONE);
                    assertThat(moves.betterSet(view, job, sets, 1.001 * saved)).isEqualTo(SimView.NONE);
                }
            }
        });
        assertThat(seen[0]).isPositive();
        assertThat(seen[1]).isPositive();
    }

    private static JobSpec alone(int id, ModelProfile model) {
        TrainingPlan plan = TrainingPlan.RingAllReduce.INSTANCE;
        return new JobSpec(id, "job" + id, 0, Demand.ofGpus(1), model, plan, 1 / model.computeSeconds());
    }

    private static LiveCluster live(Topology topology, Simulator.Options options) {
        return new LiveCluster(new World(topology, new RatedPerformance(), options)
                .telling(told -> RuntimePredictor.oracle(RandomWorkloads.of(1, 140, 1))));
    }

    /** The first server is slow, and its GPUs are half as fast as those of the third. */
    @Test
    void a_job_on_slow_gpus_saves_half_of_its_time_on_fast_ones() {
        LiveCluster live = live(MIXED, new Simulator.Options(0, true));
        live.arrive(alone(0, ModelCatalog.standard().neutral()));
        live.start(0, Placement.of(MIXED, 0));
        GangCandidates sets = new GangCandidates(MIXED, InterferenceModel.NONE, 8);
        JobMoves moves = new JobMoves(MIXED, InterferenceModel.NONE, (view, job) -> 3_600, 2, NO_RINGS);

        assertThat(moves.find(live.view())).isOne();
        assertThat(sets.server(moves.betterSet(live.view(), 0, sets, 3_600), 0)).isEqualTo(2);
        assertThat(moves.speedUp()).isEqualTo(2);
        assertThat(moves.savedSeconds(live.view(), 0)).isEqualTo(3_600);
        assertThat(moves.betterSet(live.view(), 0, sets, 3_600.01)).isEqualTo(SimView.NONE);
    }

    /** Faster by so much on fast GPUs: a job loses more than 0.03, and 0.03 of its slowdown would be gained. */
    @ParameterizedTest
    @CsvSource({"1.0295, 0, false", "1.0305, 1, false", "1.0315, 1, true"})
    void a_job_moves_for_more_than_three_hundredths(double faster, int losers, boolean moves) {
        ModelCatalog measured = ModelCatalog.standard().withSpeeds(Map.of("lstm", Map.of("V100", 1.0, "A100", faster)));
        LiveCluster live = live(MIXED, new Simulator.Options(0, true));
        live.arrive(alone(0, Objects.requireNonNull(measured.find("lstm"))));
        live.start(0, Placement.of(MIXED, 0));
        GangCandidates sets = new GangCandidates(MIXED, InterferenceModel.NONE, 8);
        JobMoves search = new JobMoves(MIXED, InterferenceModel.NONE, (view, job) -> 3_600, 2, NO_RINGS);

        assertThat(search.find(live.view())).isEqualTo(losers);
        assertThat(search.betterSet(live.view(), 0, sets, 0) != SimView.NONE).isEqualTo(moves);
    }

    @ParameterizedTest
    @CsvSource({"0, 2147483647, 1", "1, 2147483647, 0", "0, 0, 0"})
    void nobody_moves_whom_the_rules_of_preemption_hold(long requeueNanos, int mostPerJob, int losers) {
        PreemptionRules rules = new PreemptionRules(0, 0, requeueNanos, mostPerJob);
        LiveCluster live = live(MIXED, new Simulator.Options(0, true).with(rules));
        live.arrive(alone(0, ModelCatalog.standard().neutral()));
        live.start(0, Placement.of(MIXED, 0));

        assertThat(new JobMoves(MIXED, InterferenceModel.NONE, (view, job) -> 3_600, 2, NO_RINGS).find(live.view()))
                .isEqualTo(losers);
    }

    /** More jobs than arrays have places for at first, in three lots. */
    @Test
    void of_many_jobs_that_lose_the_same_all_come_into_question_in_the_order_of_their_starts() {
        Topology wide = new Topology.Builder("wide", Fabric.DEFAULT)
                .rack(Collections.nCopies(36, SLOW))
                .rack(List.of(FAST))
                .build();
        LiveCluster live = live(wide, new Simulator.Options(0, false));
        JobMoves moves = new JobMoves(
                wide, InterferenceModel.NONE, (view, job) -> 3_600, 200, new SetChoice(wide, GpuRule.BOTH));
        List<Integer> started = new ArrayList<>();
        for (int job = 0; job < 140; job++) {
            live.arrive(alone(job, ModelCatalog.standard().neutral()));
        }
        for (int i = 0; i < 140; i++) {
            int job = (37 * i + 11) % 140;
            live.start(job, Placement.of(wide, job));
            started.add(job);
            if (i % 50 == 49) {
                assertThat(found(moves, live)).isEqualTo(started);
            }
        }
        assertThat(found(moves, live)).isEqualTo(started);
        for (int ended : new int[] {11, 139, 64}) {
            live.finish(ended);
            started.remove((Integer) ended);
            assertThat(found(moves, live)).isEqualTo(started);
        }
    }

    private static List<Integer> found(JobMoves moves, LiveCluster live) {
        return IntStream.range(0, moves.find(live.view())).mapToObj(moves::job).toList();
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
