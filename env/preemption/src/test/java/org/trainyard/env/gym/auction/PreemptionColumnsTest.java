package org.trainyard.env.gym.auction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.simulation.PreemptionRules;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.Workload;

/**
 * One server of eight GPUs, held by a job of 1000 s; one of 220 s comes when 900 s are left. Restarts cost 90 s, and
 * the last checkpoint, one every 40 s, was 20 s ago. Both are of one account, with priorities of 10 and 40.
 */
class PreemptionColumnsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Pressure SOME = new Pressure(0.5, 0.5, 0.5);
    private static final ModelProfile MODEL = new ModelProfile("model", 1, 0, 1, SOME, SOME);

    private static JobSpec job(int id, long submitSeconds) {
        return new JobSpec(id, "job" + id, submitSeconds * SECOND, 8, MODEL, 1)
                .saying(new SubmissionTerms.Builder()
                        .account("lab")
                        .priority(id == 0 ? 10L : 40L)
                        .build());
    }

    /**
     * The columns of all bids to make room, and of those to start, of every auction; the first legal bid wins, or room.
     */
    private static List<List<Float>> columns(PreemptionRules rules, BidKind kind, BidColumn... wanted) {
        Topology topology = Objects.requireNonNull(Topologies.parse("1x8"));
        Workload workload = new Workload(List.of(job(0, 0), job(1, 100)), new double[] {1000, 220});
        Simulator simulator = new World(
                        topology, new RatedPerformance(), new Simulator.Options(90 * SECOND, true).with(rules))
                .simulator(workload);
        SimView view = simulator.view();
        Auctioneer auctioneer = new Auctioneer(
                view,
                new AuctionSettings(RemainingTime.PREDICTED, 6, 5, 2, true, false),
                Domains.racks(topology),
                AnalyticInterference.DEFAULT);
        List<List<Float>> seen = new ArrayList<>();
        while (simulator.advance()) {
            simulator.apply(auctioneer.play(simulator, (auction, firstLegal) -> {
                int chosen = auction.size() - 1;
                for (int bid = firstLegal; bid < auction.size(); bid++) {
                    if (auction.kind(bid) == kind) {
                        List<Float> row = new ArrayList<>();
                        for (BidColumn column : wanted) {
                            row.add(auction.column(bid, column));
                        }
                        seen.add(row);
                    }
                }
                return chosen;
            }));
        }
        return seen;
    }

    @Test
    void a_bid_to_make_room_says_what_restart_and_lost_work_cost() {
        List<List<Float>> rooms = columns(
                new PreemptionRules(40 * SECOND, 0, 0, PreemptionRules.NO_LIMIT),
                BidKind.MAKE_ROOM,
                BidColumn.PLAN_RESTARTS,
                BidColumn.PLAN_LOST_WORK,
                BidColumn.PLAN_OVERHEAD,
                BidColumn.PLAN_PREEMPTIONS);

        assertThat(rooms).hasSize(1);
        assertThat(rooms.get(0).get(0)).isCloseTo(0.1f, within(1e-6f));
        assertThat(rooms.get(0).get(1)).isCloseTo(20f / 900, within(1e-6f));
        assertThat(rooms.get(0).get(2)).isCloseTo(0.5f, within(1e-6f));
        assertThat(rooms.get(0).get(3)).isZero();
    }

    /** The first job starts twice, the second time with 920 s left, and may then stay. */
    @Test
    void a_bid_to_start_says_what_a_job_pays_that_was_preempted() {
        List<List<Float>> starts = columns(
                new PreemptionRules(40 * SECOND, 0, 0, 1),
                BidKind.START,
                BidColumn.NO_PREEMPTION,
                BidColumn.PAYS_RESTART,
                BidColumn.STAYS);

        assertThat(starts.get(0)).containsExactly(0f, 0f, 0f);
        List<Float> again = starts.get(starts.size() - 1);
        assertThat(again.get(1)).isCloseTo(90f / 920, within(1e-6f));
        assertThat(again.get(2)).isEqualTo(1f);
    }

    @Test
    void bids_say_the_priority_of_their_job_and_what_its_account_holds() {
        PreemptionRules free = PreemptionRules.FREE;

        assertThat(columns(free, BidKind.MAKE_ROOM, BidColumn.PRIORITY, BidColumn.ACCOUNT_SHARE))
                .containsExactly(List.of(1f, 1f));
        List<List<Float>> starts = columns(free, BidKind.START, BidColumn.PRIORITY, BidColumn.ACCOUNT_SHARE);
        assertThat(starts.get(0)).containsExactly(1f, 0f);
        assertThat(starts.get(starts.size() - 1)).containsExactly(0.25f, 0f);
    }

    @Test
    void without_preemption_there_is_no_room_to_make_and_bids_say_so() {
        PreemptionRules none = new PreemptionRules(0, 0, 0, 0);

        assertThat(columns(none, BidKind.MAKE_ROOM, BidColumn.PLAN_COST)).isEmpty();
        assertThat(columns(none, BidKind.START, BidColumn.NO_PREEMPTION, BidColumn.STAYS))
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row).containsExactly(1f, 1f));
    }
}
