package org.trainyard.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.trainyard.env.gym.auction.Auction;
import org.trainyard.env.gym.auction.AuctionSettings;
import org.trainyard.env.gym.auction.Auctioneer;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.BidKind;
import org.trainyard.env.gym.auction.RemainingTime;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.scheduling.pairs.ObservedPairs;
import org.trainyard.env.scheduling.pairs.PairSlowdowns;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.config.ConfigReader;

/**
 * What schedulers learn of two jobs on a GPU, and how they part and preempt them; truth is the analytic law of shared
 * GPUs alone.
 */
class SharersTest {
    private static final Path CONFIG =
            Path.of(System.getProperty("trainyard.root", ".."), "experiments", "configs", "auction", "shared.yaml");
    private static final Rank REMAINING = SimView::predictedRemainingSeconds;
    private static final InterferenceModel BELIEF = InterferenceModel.NONE;

    private final Experiment experiment = new Experiment(ConfigReader.read(
            CONFIG,
            List.of(
                    "episodes.jobs=120",
                    "episodes.test=1",
                    "workload.generator.offered_load=6",
                    "belief=none",
                    "physics.interference={type: Analytic, socket_weight: 0, pcie_weight: 0, nic_weight: 0, gpu_weight: 1}",
                    "cluster="
                            + CONFIG.resolveSibling(Path.of("..", "..", "clusters", "shared.yaml"))
                                    .normalize()
                                    .toAbsolutePath())));
    private final Workload episode = experiment.test().get(0);

    @AfterEach
    void close() {
        experiment.close();
    }

    private double play(Scheduler scheduler, Consumer<SimView> check) {
        Simulator simulator = experiment.world().simulator(episode);
        double slowdowns = 0;
        int seen = 0;
        while (simulator.advance()) {
            SimView view = simulator.view();
            check.accept(view);
            for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
                slowdowns += view.slowdown(job);
                seen++;
            }
            simulator.decide(scheduler);
        }
        return slowdowns / seen;
    }

    /** The other job on the GPU of a job, or none. */
    private static int partner(SimView view, int job) {
        for (int other = view.firstRunning(); other != SimView.NONE; other = view.nextRunning(other)) {
            if (other != job
                    && view.placement(other).gpu(0) == view.placement(job).gpu(0)) {
                return other;
            }
        }
        return SimView.NONE;
    }

    @Test
    void a_tuned_scheduler_that_moves_sharers_has_them_slow_each_other_down_less() {
        double staying = play(experiment.scheduler("tuned:gittins+sets", 0), view -> {});
        double moving = play(experiment.scheduler("tuned:gittins+sets+move=5", 0), view -> {});

        assertThat(moving).isLessThan(staying);
    }

    @Test
    void a_bid_beside_another_job_shows_that_job_and_what_the_pair_is_predicted_to_do() {
        ObservedPairs belief = new ObservedPairs(new AnalyticInterference(0, 0, 0, 0.5));
        AuctionSettings settings = new AuctionSettings(RemainingTime.PREDICTED, 6, 8, 2, true, false);
        Simulator simulator = experiment.world().simulator(episode);
        Auctioneer auctioneer = new Auctioneer(
                simulator.view(), settings, Domains.even(simulator.view().topology(), 1), belief);
        PairSlowdowns pairs = new PairSlowdowns(belief);
        int[] seen = new int[BidKind.COUNT];
        int[] measured = new int[2];
        Scheduler scheduler = experiment.scheduler("tuned:sjf+sets", 0);
        while (simulator.advance()) {
            SimView view = simulator.view();
            Auction auction = auctioneer.open();
            for (int bid = 0; bid < auction.size(); bid++) {
                float[] row = Arrays.copyOfRange(auction.columns(), bid * BidColumn.COUNT, (bid + 1) * BidColumn.COUNT);
                double time = row[BidColumn.SHARER_TIME.index()];
                assertThat((double) row[BidColumn.PAIR_ERROR.index()]).isCloseTo(belief.error(), within(1e-6));
                if (time == 0) {
                    assertThat(row[BidColumn.OPENS.index()]).isNotNegative();
                }
                if (time == 0 || auction.kind(bid) == BidKind.MOVE) {
                    continue;
                }
                ModelProfile model = view.job(auction.job(bid)).model();
                int server = auction.servers().server(auction.servers().first(bid));
                assertThat(row[BidColumn.PART.index()]).isBetween(0.33f, 1f);
                assertThat(row[BidColumn.PRESSURE_GPU.index()])
                        .isEqualTo((float) model.pressure().gpu());
                assertThat(jobsOn(view, server)).anySatisfy(other -> {
                    ModelProfile sharer = view.job(other).model();
                    double minutes = view.predictedRemainingSeconds(other) / 60;
                    assertThat(time).isCloseTo(Math.log1p(minutes) / 10, within(1e-6));
                    assertThat(row[BidColumn.SHARER_PRESSURE_GPU.index()])
                            .isEqualTo((float) sharer.pressure().gpu());
                    assertThat(row[BidColumn.SHARER_SENSITIVITY_PCIE.index()])
                            .isEqualTo((float) sharer.sensitivity().pcie());
                    assertThat((double) row[BidColumn.OWN_SLOWDOWN.index()])
                            .isCloseTo(pairs.of(model, sharer) - 1, within(1e-6));
                    assertThat(row[BidColumn.SHARER_MEASURED.index()])
                            .isEqualTo(belief.isMeasured(model, sharer) ? 1 : 0);
                });
                measured[(int) row[BidColumn.SHARER_MEASURED.index()]]++;
                seen[auction.kind(bid).index()]++;
            }
            simulator.decide(scheduler);
        }
        assertThat(seen[BidKind.START.index()]).isGreaterThan(50);
        assertThat(seen[BidKind.MAKE_ROOM.index()]).isGreaterThan(5);
        assertThat(belief.error()).isPositive();
        assertThat(measured[0]).isPositive();
        assertThat(measured[1]).isPositive();
    }

    private static List<Integer> jobsOn(SimView view, int server) {
        return IntStream.range(0, view.cluster().jobsOn(server))
                .mapToObj(n -> view.cluster().jobOn(server, n))
                .toList();
    }
}
