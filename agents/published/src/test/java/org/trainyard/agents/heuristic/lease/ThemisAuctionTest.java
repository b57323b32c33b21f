package org.trainyard.agents.heuristic.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

/** What the auctions of Themis keep up to date, and whom they select, against plain computations. */
class ThemisAuctionTest {
    private static final double LEASE_SECONDS = 1200;
    private static final int CLUSTER_GPUS = 64;

    /** A job with what its bid is computed from. */
    private record Bidder(int job, int gpus, long submitNanos, double remaining, double predicted) {
        double shared(long now) {
            return (now - submitNanos) / 1e9 + remaining;
        }

        double ratio(long now, int jobs) {
            return shared(now) / (predicted * Math.max(1, (double) gpus * jobs / CLUSTER_GPUS));
        }

        double gain(long now) {
            return Math.log1p(LEASE_SECONDS / shared(now)) / gpus;
        }

        void addTo(BidTree tree, long now) {
            tree.add(job, submitNanos, remaining, predicted, now);
        }
    }

    /** Some jobs are equal in all but their numbers. */
    private static Bidder bidder(RandomGenerator random, int job, long now) {
        double predicted = random.nextInt(4) == 0 ? 500 : 10 + Math.exp(10 * random.nextDouble());
        double remaining = predicted * (random.nextBoolean() ? 1 : random.nextDouble());
        long submit = random.nextInt(4) == 0 ? now / 2 : random.nextLong(now);
        return new Bidder(
                job, 1 << random.nextInt(4), submit, random.nextInt(4) == 0 ? predicted : remaining, predicted);
    }

    /** Visits everything, and holds each box to its bounds. */
    private static final class All implements BidTree.Visitor {
        final Map<Integer, List<Double>> found = new HashMap<>();
        private int left;
        private int entered;
        private double[] bounds = new double[4];

        @Override
        public boolean enters(int jobs, double leastShared, double mostShared, double leastPredicted, double most) {
            entered++;
            left = jobs;
            bounds = new double[] {leastShared - 1e-6, mostShared + 1e-6, leastPredicted, most};
            return true;
        }

        @Override
        public void visit(int job, double shared, double predicted) {
            assertThat(--left).isNotNegative();
            assertThat(shared).isBetween(bounds[0], bounds[1]);
            assertThat(predicted).isBetween(bounds[2], bounds[3]);
            assertThat(found.put(job, List.of(shared, predicted))).isNull();
        }
    }

    @Test
    void a_tree_has_the_jobs_that_were_added_and_not_removed() {
        RandomGenerator random = RandomStreams.stream(1, "bids");
        BidTree tree = new BidTree();
        TreeMap<Integer, Bidder> added = new TreeMap<>();
        for (int step = 0; step < 6000; step++) {
            long now = 1_000_000_000L * (step + 1);
            if (added.isEmpty() || random.nextInt(5) < (step / 1500 % 2 == 0 ? 4 : 1)) {
                Bidder bidder = bidder(random, step, now);
                bidder.addTo(tree, now);
                added.put(step, bidder);
            } else {
                Integer least = Objects.requireNonNullElse(added.ceilingKey(random.nextInt(step)), added.firstKey());
                tree.remove(least);
                added.remove(least);
            }
            assertThat(tree.size()).isEqualTo(added.size());
            if (step % 100 == 0) {
                All all = new All();
                tree.visit(now, all);
                Map<Integer, List<Double>> expected = new HashMap<>();
                added.values().forEach(one -> expected.put(one.job, List.of(one.shared(now), one.predicted)));
                assertThat(all.found).isEqualTo(expected);
                assertThat(all.entered).isLessThan(5 + added.size() / 3);
            }
        }
    }

    /**
     * Holders are every seventh job; the auctions follow each other, so that each begins at the ratio found by the one
     * before.
     */
    @Test
    void an_auction_sells_as_if_all_bids_were_sorted() {
        RandomGenerator random = RandomStreams.stream(2, "auctions");
        FairnessAuction auction = new FairnessAuction(LEASE_SECONDS, 0.2);
        for (int bidders : new int[] {1, 2, 10, 60, 400, 400, 2000}) {
            List<Bidder> all = new ArrayList<>();
            for (int job = 0; job < bidders; job++) {
                all.add(bidder(random, job, 100_000_000_000_000L));
            }
            for (int again = 0; again < 20; again++) {
                long now = 100_000_000_000_000L + 1_000_000_000_000L * again * again;
                int jobs = bidders + random.nextInt(30);
                int onOffer = 1 + random.nextInt(again < 10 ? 8 : 200);
                auction.begin(now, jobs, CLUSTER_GPUS);
                for (int gpus = 1; gpus <= 8; gpus *= 2) {
                    BidTree tree = new BidTree();
                    for (Bidder one : all) {
                        if (one.gpus == gpus && one.job % 7 != 0) {
                            one.addTo(tree, now);
                        } else if (one.gpus == gpus) {
                            BidTree alone = new BidTree();
                            one.addTo(alone, now);
                            auction.addHolder(alone, gpus, gpus);
                        }
                    }
                    auction.add(new WaitingBids.Kind(gpus, SimView.NONE, tree));
                }
                List<Integer> winners = new ArrayList<>();
                List<Integer> losers = new ArrayList<>();
                auction.sell(onOffer, winners::add);
                auction.forLosers(losers::add);

                List<Integer> expectedLosers = new ArrayList<>();
                assertThat(winners).isEqualTo(sorted(all, now, jobs, onOffer, expectedLosers));
                assertThat(losers).isEqualTo(expectedLosers);
            }
        }
    }

    private static List<Integer> sorted(List<Bidder> all, long now, int jobs, int onOffer, List<Integer> losers) {
        Comparator<Bidder> byRatio = Comparator.comparingDouble((Bidder one) -> -one.ratio(now, jobs))
                .thenComparingInt(one -> one.job);
        List<Bidder> order = new ArrayList<>(all);
        order.sort(byRatio);
        order.subList(0, (int) Math.ceil(0.2 * all.size()))
                .sort(Comparator.comparingDouble((Bidder one) -> -one.gain(now)).thenComparing(byRatio));
        List<Integer> winners = new ArrayList<>();
        int left = onOffer;
        for (Bidder one : order) {
            if (one.gpus <= left) {
                left -= one.gpus;
                winners.add(one.job);
            } else if (one.job % 7 == 0) {
                losers.add(one.job);
            }
        }
        return winners;
    }

    @Test
    void waiting_bids_that_are_kept_are_those_made_anew() {
        RandomGenerator random = RandomStreams.stream(3, "jobs");
        TimedJobs jobs = TimedJobs.list();
        for (int job = 0; job < 300; job++) {
            jobs.job(1 << random.nextInt(4), job * 200L, 60 + random.nextInt(6000));
        }
        Topology topology = Objects.requireNonNull(Topologies.parse("2x8"));
        Scheduler themis = new Themis();
        WaitingBids kept = new WaitingBids();
        Set<Integer> waited = new TreeSet<>();
        jobs.run(
                topology,
                view -> {
                    kept.update(view);
                    WaitingBids anew = new WaitingBids();
                    anew.update(view);
                    Map<Integer, List<Double>> bids = bids(view, kept);
                    assertThat(bids).isEqualTo(bids(view, anew)).hasSize(view.waitingCount());
                    for (int job : bids.keySet()) {
                        assertThat(view.state(job)).isEqualTo(JobState.WAITING);
                        if (view.preemptions(job) > 0) {
                            waited.add(job);
                        }
                    }
                    return themis.decide(view);
                },
                10);
        assertThat(waited).hasSizeGreaterThan(10);
    }

    private static Map<Integer, List<Double>> bids(SimView view, WaitingBids bids) {
        List<WaitingBids.Kind> kinds = new ArrayList<>();
        bids.findFitting(view, Integer.MAX_VALUE, kinds);
        Map<Integer, List<Double>> all = new HashMap<>();
        for (WaitingBids.Kind kind : kinds) {
            All visitor = new All();
            kind.bids().visit(view.nowNanos(), visitor);
            visitor.found.forEach((job, values) -> {
                assertThat(view.job(job).gpus()).isEqualTo(kind.gpus());
                assertThat(all.put(job, values)).isNull();
            });
        }
        return all;
    }
}
