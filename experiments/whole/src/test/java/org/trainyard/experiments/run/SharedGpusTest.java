package org.trainyard.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.bids.InitialBids;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.AuctionSettings;
import org.trainyard.env.gym.auction.RemainingTime;
import org.trainyard.env.performance.Colocation;
import org.trainyard.env.scheduling.gang.GangCandidates;
import org.trainyard.env.scheduling.order.ResidualTimeFloor;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.config.ConfigReader;

/** Jobs of one GPU that may share it. */
class SharedGpusTest {
    private static final Path CONFIG =
            Path.of(System.getProperty("trainyard.root", ".."), "experiments", "configs", "auction", "shared.yaml");
    private static final int ALL = 1_000;

    private final Experiment experiment = new Experiment(ConfigReader.read(
            CONFIG,
            List.of(
                    "episodes.jobs=120",
                    "episodes.test=1",
                    "workload.generator.offered_load=8",
                    "cluster=" + cluster())));
    private final Workload episode = experiment.test().get(0);

    private static String cluster() {
        return CONFIG.resolveSibling(Path.of("..", "..", "clusters", "shared.yaml"))
                .normalize()
                .toAbsolutePath()
                .toString();
    }

    @AfterEach
    void close() {
        experiment.close();
    }

    private interface Check {
        void at(SimView view);
    }

    private void play(Workload workload, Scheduler scheduler, Check check) {
        Simulator simulator = experiment.world().simulator(workload);
        while (simulator.advance()) {
            check.at(simulator.view());
            simulator.decide(scheduler);
        }
    }

    /** The jobs on each GPU. */
    private static List<List<Integer>> holders(SimView view) {
        List<List<Integer>> holders = new ArrayList<>();
        for (int gpu = 0; gpu < view.topology().gpus(); gpu++) {
            holders.add(new ArrayList<>());
        }
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            Placement placement = view.placement(job);
            for (int i = 0; i < placement.gpuCount(); i++) {
                holders.get(placement.gpu(i)).add(job);
            }
        }
        return holders;
    }

    private int mostOnAGpu(Workload workload, Scheduler scheduler) {
        int[] most = {0};
        play(workload, scheduler, view -> holders(view).forEach(jobs -> most[0] = Math.max(most[0], jobs.size())));
        return most[0];
    }

    @Test
    void two_jobs_share_a_gpu_and_never_three_while_a_scheduler_that_does_not_share_holds_gpus_alone() {
        BidPolicy bids = new BidPolicy(
                InitialBids.patient(8, 10, RandomStreams.stream(1, "test")),
                new AuctionSettings(RemainingTime.GITTINS, 6, 8, 0, true, true));

        assertThat(mostOnAGpu(episode, experiment.scheduler("tuned:sjf+sets", 0)))
                .isEqualTo(2);
        assertThat(mostOnAGpu(episode, experiment.scheduler("gandiva", 0))).isEqualTo(2);
        assertThat(mostOnAGpu(episode, experiment.scheduler(bids))).isEqualTo(2);
        assertThat(mostOnAGpu(episode.onWholeGpus(), experiment.scheduler("sjf", 0)))
                .isEqualTo(1);
    }

    @Test
    void the_candidates_of_a_part_are_the_cheapest_free_gpu_and_every_held_one_with_room_at_the_cost_of_the_pair() {
        GangCandidates sets = new GangCandidates(experiment.topology(), experiment.belief(), ALL);
        RandomGenerator random = RandomStreams.stream(2, "test");
        int[] shared = {0};
        play(episode, experiment.scheduler("tuned:sjf+sets", 0), view -> {
            int job = view.firstWaiting();
            if (job == SimView.NONE || view.job(job).demand().gpuMilli() == Demand.WHOLE || random.nextInt(4) > 0) {
                return;
            }
            Demand demand = view.job(job).demand();
            List<Integer> expected = new ArrayList<>();
            double leastFree = Double.POSITIVE_INFINITY;
            for (int gpu = 0; gpu < view.topology().gpus(); gpu++) {
                boolean isFree = view.cluster().owner(gpu) == Cluster.FREE;
                if (!isFree && view.cluster().fitsOn(gpu, demand)) {
                    expected.add(gpu);
                } else if (isFree) {
                    leastFree = Math.min(leastFree, cost(view, job, gpu));
                }
            }
            int found = sets.find(view, job);
            List<Integer> held = new ArrayList<>();
            PlacementBuilder builder = new PlacementBuilder(view.topology(), view.cluster());
            for (int set = 0; set < found; set++) {
                int gpu = sets.placement(set, builder).gpu(0);
                assertThat(sets.cost(set)).isCloseTo(cost(view, job, gpu), within(1e-9));
                assertThat(set == 0 || sets.cost(set - 1) <= sets.cost(set)).isTrue();
                if (sets.freeGpusTaken(view, set) == 1) {
                    assertThat(sets.cost(set)).isCloseTo(leastFree, within(1e-9));
                } else {
                    held.add(gpu);
                }
            }
            shared[0] += held.size();
            assertThat(held).containsExactlyInAnyOrderElementsOf(expected);
            assertThat(found - held.size()).isEqualTo(leastFree < Double.POSITIVE_INFINITY ? 1 : 0);
        });
        assertThat(shared[0]).isPositive();
    }

    /** Own slowdown beyond 1 and weighted extra slowdown of the neighbours, from the definition. */
    private double cost(SimView view, int job, int gpu) {
        int server = view.topology().serverOf(gpu);
        double cost = slowdown(view, job, gpu, job, server) - 1;
        for (int other = view.firstRunning(); other != SimView.NONE; other = view.nextRunning(other)) {
            if (view.placement(other).indexOf(server) >= 0) {
                double extra = slowdown(view, other, gpu, job, server) - slowdown(view, other, -1, job, server);
                double share = ResidualTimeFloor.seconds(view, other) / ResidualTimeFloor.seconds(view, job);
                cost += Math.max(0, extra) * Math.min(1, share);
            }
        }
        return cost;
    }

    /** The slowdown of a job on a server where the newcomer is on a GPU, or nowhere at -1. */
    private double slowdown(SimView view, int victim, int newcomersGpu, int newcomer, int server) {
        Colocation row = new Colocation();
        long newMask =
                newcomersGpu < 0 ? 0 : 1L << (newcomersGpu - view.topology().firstGpu(server));
        long mask = victim == newcomer ? newMask : mask(view, victim, server);
        boolean spans = victim != newcomer && view.placement(victim).serverCount() > 1;
        row.reset(view.topology().gpusOn(server), Long.bitCount(mask), spans);
        for (int other = view.firstRunning(); other != SimView.NONE; other = view.nextRunning(other)) {
            long held = mask(view, other, server);
            if (other != victim && held != 0) {
                boolean otherSpans = view.placement(other).serverCount() > 1;
                row.add(view.job(other).model(), Long.bitCount(held), otherSpans, true, (held & mask) != 0);
            }
        }
        if (victim != newcomer && newMask != 0) {
            row.add(view.job(newcomer).model(), 1, false, true, (newMask & mask) != 0);
        }
        return experiment.belief().slowdown(view.job(victim).model(), row);
    }

    private static long mask(SimView view, int job, int server) {
        Placement placement = view.placement(job);
        int at = placement.indexOf(server);
        return at < 0 ? 0 : placement.maskOn(at);
    }

    @Test
    void sharing_needs_gpus_that_can_be_shared_and_models_that_are_known() {
        assertThatThrownBy(() -> new Experiment(ConfigReader.read(CONFIG, List.of("cluster=small"))))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("sharing: fractions");
        assertThatThrownBy(() -> ConfigReader.read(CONFIG, List.of("workload.model_mix=[resnet81]")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("resnet18");
    }
}
