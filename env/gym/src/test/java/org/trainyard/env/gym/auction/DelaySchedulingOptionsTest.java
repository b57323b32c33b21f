package org.trainyard.env.gym.auction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.scheduling.order.RemainingTimeEstimator;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.Workload;

/**
 * Two servers of four GPUs. A job of two GPUs runs on each, one for two hours and one for ten, and a gang of four,
 * which needs an hour, could only start spread.
 */
class DelaySchedulingOptionsTest {
    private static final ModelProfile MODEL =
            new ModelProfile("model", 0.1, 1e6, 1L << 30, new Pressure(0, 0, 0), new Pressure(0, 0, 0));
    private static final Topology TWO = Topology.uniform("two", Fabric.DEFAULT, 1, 2, ServerSpec.ofV100(4), 1);
    private static final long HOUR = 3_600_000_000_000L;
    private static final int GANG = 2;

    private final Simulator simulator = simulator();
    private final SimView view = simulator.view();
    private final Auctioneer auctioneer = new Auctioneer(
            view,
            new AuctionSettings(RemainingTime.GITTINS, 6, 8, 0, false, true),
            Domains.racks(TWO),
            InterferenceModel.NONE);

    private static Simulator simulator() {
        int[] gpus = {2, 2, 4};
        double[] hours = {2, 10, 1};
        List<JobSpec> specs = new ArrayList<>();
        double[] iterations = new double[3];
        for (int i = 0; i < 3; i++) {
            specs.add(new JobSpec(
                    i, "job" + i, i == GANG ? 1_000_000_000L : 0, gpus[i], MODEL, 1 / MODEL.computeSeconds()));
            iterations[i] = specs.get(i).idealIterationsPerSecond() * hours[i] * 3600;
        }
        Workload workload = new Workload(specs, iterations);
        return new World(TWO, new RingPerformance(TWO, InterferenceModel.NONE), new Simulator.Options(0, true))
                .simulator(workload);
    }

    @BeforeEach
    void let_the_gang_arrive_while_both_servers_are_half_full() {
        simulator.advance();
        for (int job = 0; job < GANG; job++) {
            PlacementBuilder builder = new PlacementBuilder(TWO, view.cluster());
            builder.take(job, 2);
            simulator.start(job, builder.build());
        }
        assertThat(auctioneer.open().size()).isOne();
        simulator.apply(auctioneer.untilNext());
        simulator.advance();
        assertThat(view.state(GANG)).isEqualTo(JobState.WAITING);
    }

    private static List<BidKind> kinds(Auction auction) {
        return IntStream.range(0, auction.size()).mapToObj(auction::kind).toList();
    }

    private void giveOption(int length) {
        Auction auction = auctioneer.open();
        auctioneer.win(kinds(auction).indexOf(BidKind.PATIENCE) + length, simulator);
    }

    private float column(Auction auction, BidKind kind, BidColumn column) {
        return auction.column(kinds(auction).indexOf(kind), column);
    }

    @Test
    void a_gang_that_could_only_start_spread_is_offered_every_length() {
        Auction auction = auctioneer.open();

        assertThat(kinds(auction))
                .containsExactly(
                        BidKind.WAIT,
                        BidKind.START,
                        BidKind.PATIENCE,
                        BidKind.PATIENCE,
                        BidKind.PATIENCE,
                        BidKind.PATIENCE);
        assertThat(column(auction, BidKind.START, BidColumn.CONSOLIDATED)).isZero();
        assertThat(column(auction, BidKind.PATIENCE, BidColumn.PATIENT_HALF)).isOne();
        assertThat(column(auction, BidKind.WAIT, BidColumn.PATIENT_SHARE)).isZero();
    }

    @Test
    void an_option_ends_after_its_time() {
        giveOption(1);
        RemainingTimeEstimator estimator = new RemainingTimeEstimator();
        estimator.update(view, view.journalSize());
        long end = view.nowNanos() + (long) (estimator.seconds(view, GANG) * 1e9);

        Auction auction = auctioneer.open();
        assertThat(kinds(auction)).containsExactly(BidKind.WAIT);
        assertThat(column(auction, BidKind.WAIT, BidColumn.PATIENT_SHARE)).isOne();
        assertThat(auctioneer.untilNext()).isEqualTo(Decision.waitUntil(end));
        simulator.apply(auctioneer.untilNext());

        simulator.advance();
        assertThat(view.nowNanos()).isEqualTo(end);
        assertThat(kinds(auctioneer.open())).contains(BidKind.START, BidKind.PATIENCE);
    }

    @Test
    void an_option_ends_when_a_consolidated_place_is_free() {
        giveOption(3);
        assertThat(kinds(auctioneer.open())).containsExactly(BidKind.WAIT);
        assertThat(auctioneer.untilNext()).isEqualTo(Decision.WAIT);
        simulator.apply(auctioneer.untilNext());

        simulator.advance();
        assertThat(view.nowNanos()).isCloseTo(2 * HOUR, within(1_000_000_000L));
        Auction auction = auctioneer.open();
        assertThat(kinds(auction)).containsExactly(BidKind.WAIT, BidKind.START);
        assertThat(column(auction, BidKind.START, BidColumn.CONSOLIDATED)).isOne();
        auctioneer.win(1, simulator);
        assertThat(view.placement(GANG).serverCount()).isOne();
        auctioneer.open();
        assertThat(auctioneer.untilNext()).isEqualTo(Decision.WAIT);
    }

    /** At the instant at which it was found to have no ideal set, one comes free. */
    @Test
    void a_patient_gang_bids_again_as_soon_as_something_happens_at_the_same_instant() {
        giveOption(3);
        assertThat(kinds(auctioneer.open())).containsExactly(BidKind.WAIT);
        simulator.preempt(0);

        Auction auction = auctioneer.open();
        assertThat(IntStream.range(0, auction.size())
                        .filter(bid -> auction.job(bid) == GANG)
                        .mapToObj(auction::kind))
                .containsExactly(BidKind.START);
    }

    @Test
    void nobody_is_patient_while_nothing_runs() {
        DelaySchedulingOptions options = new DelaySchedulingOptions();
        options.give(view, GANG, 3, 3600);
        assertThat(options.isPatient(view, GANG)).isTrue();
        assertThat(options.isPatient(view, 0)).isFalse();

        simulator.preempt(0);
        simulator.preempt(1);
        assertThat(options.isPatient(view, GANG)).isFalse();
    }

    @Test
    void the_shortest_option_lasts_half_an_hour() {
        DelaySchedulingOptions options = new DelaySchedulingOptions();
        options.give(view, GANG, 0, 60);
        options.survey(view);
        assertThat(options.active()).isOne();
        assertThat(options.nextEndNanos()).isEqualTo(view.nowNanos() + HOUR / 2);

        options.end(GANG);
        options.survey(view);
        assertThat(options.active()).isZero();
        assertThat(options.nextEndNanos()).isEqualTo(Long.MAX_VALUE);
    }
}
