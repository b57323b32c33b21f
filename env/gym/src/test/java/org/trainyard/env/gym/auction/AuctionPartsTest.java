package org.trainyard.env.gym.auction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.simulation.PreemptionRules;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

/** Lists, owners, settings and options of an auction, each by itself. */
class AuctionPartsTest {
    private static final Topology SMALL = Objects.requireNonNull(Topologies.parse("4x4"));
    private static final long SECOND = 1_000_000_000L;

    @Test
    void lists_of_servers_are_added_with_the_gpus_there_and_begin_empty() {
        BidServers others = new BidServers();
        others.begin();
        others.add(3);
        others.setGpus(0, 5, 10);
        others.begin();
        for (int server = 0; server < 300; server++) {
            others.add(server);
        }
        others.setGpus(300, 1, 6);
        BidServers all = new BidServers();
        all.begin();
        all.add(1);
        all.setGpus(0, 9, 7);
        all.addAll(others);

        assertThat(IntStream.of(all.first(0), all.end(0), all.first(1), all.end(1), all.first(2), all.end(2)))
                .containsExactly(0, 1, 1, 2, 2, 302);
        assertThat(IntStream.of(all.server(0), all.server(1), all.server(2), all.server(301)))
                .containsExactly(1, 3, 0, 299);
        assertThat(new long[] {all.taken(0), all.taken(1), all.taken(2), all.taken(301)})
                .containsExactly(9, 5, 0, 1);
        assertThat(new long[] {all.left(0), all.left(1), all.left(2), all.left(301)})
                .containsExactly(7, 10, 0, 6);
        all.clear();
        all.begin();
        all.add(4);
        assertThat(all.taken(0)).isZero();
        assertThat(all.left(0)).isZero();
    }

    @Test
    void a_second_auction_has_nothing_of_the_bids_of_the_first() {
        Auction auction = new Auction();
        auction.add(BidKind.WAIT, -1, SimView.NONE);
        for (int bid = 1; bid < 200; bid++) {
            auction.add(BidKind.START, bid % 3 == 0 ? 40 : 0, bid);
            auction.setLength(3);
            auction.setGpu(bid);
            auction.set(bid * BidColumn.COUNT, BidColumn.SPEED, 0.5);
            auction.addServer(bid, bid + 1, 1L << (bid % 60));
            auction.addServer(bid + 1, bid + 2, 0);
        }
        assertThat(auction.column(199, BidColumn.SPEED)).isEqualTo(0.5f);
        int last = auction.servers().first(199);
        assertThat(IntStream.of(last, auction.gpusOn(last), auction.gpusOn(last + 1)))
                .containsExactly(396, 200, 201);
        assertThat(new long[] {auction.gpuSet(last), auction.gpuSet(last + 1)}).containsExactly(1L << 19, 0);
        assertThat(IntStream.of(auction.firstOf(-1), auction.firstOf(40), auction.firstOf(0), auction.firstOf(7)))
                .containsExactly(0, 3, 1, -1);
        assertThat(IntStream.of(auction.nextOf(0), auction.nextOf(1), auction.nextOf(2), auction.nextOf(198)))
                .containsExactly(-1, 2, 4, -1);
        assertThat(auction.owners()).isEqualTo(3);
        assertThat(auction.gpu(199)).isEqualTo(199);

        auction.clear();
        auction.add(BidKind.WAIT, -1, SimView.NONE);
        auction.add(BidKind.PATIENCE, 40, 8);

        assertThat(auction.size()).isEqualTo(2);
        assertThat(auction.owners()).isEqualTo(2);
        assertThat(auction.firstOf(0)).isEqualTo(-1);
        assertThat(auction.firstOf(40)).isEqualTo(1);
        assertThat(auction.nextOf(1)).isEqualTo(-1);
        assertThat(auction.gpu(1)).isEqualTo(SimView.NONE);
        assertThat(auction.column(1, BidColumn.SPEED)).isZero();
        assertThat(auction.servers().end(1)).isZero();
        assertThat(auction.length(1)).isZero();
        assertThat(auction.target(1)).isZero();
        assertThat(auction.plan(1)).isNull();
    }

    /** Seventy owners with two bids each, the second behind those of all others. */
    @Test
    void bids_of_many_owners_are_found_by_owner() {
        Auction auction = new Auction();
        for (int round = 0; round < 3; round++) {
            auction.clear();
            int owners = round == 1 ? 3 : 70;
            for (int bid = 0; bid < 2 * owners; bid++) {
                auction.add(BidKind.START, bid % owners, bid);
            }
            assertThat(auction.owners()).isEqualTo(owners);
            assertThat(IntStream.range(0, owners).map(auction::owner))
                    .containsExactlyElementsOf(
                            IntStream.range(0, owners).boxed().toList());
            for (int owner = -1; owner < 300; owner++) {
                boolean hasBids = owner >= 0 && owner < owners;
                assertThat(auction.firstOf(owner)).isEqualTo(hasBids ? owner : -1);
                if (hasBids) {
                    assertThat(auction.nextOf(owner)).isEqualTo(owners + owner);
                    assertThat(auction.nextOf(owners + owner)).isEqualTo(-1);
                }
            }
        }
    }

    /** Ten jobs of one GPU, of which the last is the shortest, on sixteen GPUs. */
    @ParameterizedTest
    @CsvSource({"1, 1, false, 2", "6, 5, false, 31", "6, 5, true, 55", "20, 2, false, 41"})
    void so_many_jobs_bid_as_the_settings_say(int jobs, int sets, boolean patience, int mostBids) {
        TimedJobs list = TimedJobs.list();
        for (int job = 0; job < 10; job++) {
            list.job(1, 0, 1000 - 50 * job);
        }
        Simulator simulator = list.simulator(SMALL);
        simulator.advance();
        AuctionSettings settings = new AuctionSettings(RemainingTime.PREDICTED, jobs, sets, 0, false, patience);
        Auction auction =
                new Auctioneer(simulator.view(), settings, Domains.racks(SMALL), InterferenceModel.NONE).open();

        assertThat(IntStream.range(1, auction.size()).map(auction::job).distinct())
                .containsExactlyElementsOf(IntStream.range(0, Math.min(10, jobs))
                        .mapToObj(i -> 9 - i)
                        .toList());
        assertThat(settings.mostBids(SMALL)).isEqualTo(mostBids);
        assertThat(auction.size()).isLessThanOrEqualTo(mostBids);
    }

    @Test
    void settings_of_nothing_are_refused_and_others_keep_what_they_do_not_say() {
        AuctionSettings settings = new AuctionSettings(RemainingTime.GITTINS, 6, 5, 2, false, true);

        assertThat(settings.with(true)).isEqualTo(new AuctionSettings(RemainingTime.GITTINS, 6, 5, 2, true, true));
        assertThat(settings.with(false)).isEqualTo(settings);
        for (int[] wrong : new int[][] {{0, 1, 0}, {1, 0, 0}, {1, 1, -1}}) {
            assertThatThrownBy(() ->
                            new AuctionSettings(RemainingTime.GITTINS, wrong[0], wrong[1], wrong[2], false, false))
                    .hasMessageContaining("at least");
        }
    }

    @Test
    void agents_that_preempt_no_job_are_told_other_rules_and_those_that_do_see_the_rules_of_the_run() {
        SimView view = TimedJobs.list().job(1, 0, 9).simulator(SMALL).view();
        PreemptionRules told = new PreemptionRules(7 * SECOND, 0, 0, 3);
        AuctionSettings settings = new AuctionSettings(RemainingTime.GITTINS, 6, 5, 2, false, true).told(told);

        assertThat(settings.rules(view)).isEqualTo(told).isNotEqualTo(view.preemptionRules());
        assertThat(settings.with(true).rules(view)).isEqualTo(view.preemptionRules());
        assertThat(settings.told(null).rules(view)).isEqualTo(view.preemptionRules());
    }

    @ParameterizedTest
    @EnumSource
    void an_estimate_says_its_name_its_width_and_whether_it_reads_limits(RemainingTime time) {
        assertThat(RemainingTime.of(time.title())).isEqualTo(time);
        assertThat(time.title()).isEqualToIgnoringCase(time.name().replace("_", ""));
        double width = time.title().endsWith("Work") ? 1 : time.title().matches(".*(Width|Sharing)") ? 0.5 : 0;
        assertThat(time.width(false)).isEqualTo(width);
        assertThat(time.width(true)).isEqualTo(time.title().endsWith("Sharing") ? 1 : width);
        assertThat(time.readsTimeLimit()).isEqualTo(time.title().contains("Limit"));
        assertThatThrownBy(() -> RemainingTime.of("gittins")).hasMessageContaining("one of Gittins, GittinsLimit");
    }

    /** Options of an hour and of two; of the shortest job's half an hour is the least, and the last are for ever. */
    @ParameterizedTest
    @CsvSource({"0, 1, 7200, 3600, 7200", "1, 0, 7200, 3600, 7200", "2, 1, 100, 1800, 1800", "3, 2, 7200, 14400, -1"})
    void options_end_one_after_the_other(int first, int second, double seconds, long firstEnd, long secondEnd) {
        Simulator simulator =
                TimedJobs.list().job(1, 0, 9).job(1, 0, 9).job(1, 0, 9).simulator(SMALL);
        simulator.advance();
        SimView view = simulator.view();
        DelaySchedulingOptions options = new DelaySchedulingOptions();
        options.give(view, 0, first, seconds);
        options.give(view, 2, second, seconds);
        options.survey(view);

        assertThat(options.active()).isEqualTo(2);
        assertThat(options.nextEndNanos()).isEqualTo(firstEnd * SECOND);
        options.end(first < second ? 0 : 2);
        options.survey(view);
        assertThat(options.active()).isEqualTo(1);
        assertThat(options.nextEndNanos()).isEqualTo(secondEnd < 0 ? Long.MAX_VALUE : secondEnd * SECOND);
        assertThat(options.isPatient(view, 0)).as("nothing runs").isFalse();
    }
}
