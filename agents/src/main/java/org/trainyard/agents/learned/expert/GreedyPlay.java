package org.trainyard.agents.learned.expert;

import java.util.function.IntConsumer;
import org.trainyard.env.gym.auction.Auction;
import org.trainyard.env.gym.auction.Auctioneer;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.workload.Workload;

/** A simulation in which the bid of the highest score wins every auction, as with a deployed policy. */
final class GreedyPlay {
    private static final double HOUR_NANOS = 3600e9;

    private final Workload workload;
    private final Simulator simulator;
    private final Auctioneer auctioneer;
    private final BidRanking ranking;
    private int auctions;
    private int waits;
    private int contested;

    /**
     * @param workload that of the simulator
     * @param ranking by which bids win
     */
    GreedyPlay(Workload workload, Simulator simulator, Auctioneer auctioneer, BidRanking ranking) {
        this.workload = workload;
        this.simulator = simulator;
        this.auctioneer = auctioneer;
        this.ranking = ranking;
    }

    /**
     * Plays to the end of the episode.
     *
     * @param plausible least probability of a bid; a decision is contested when two bids have it
     * @param atContested is called at every contested decision with its number, before a bid wins
     */
    void finish(double plausible, IntConsumer atContested) {
        while (!simulator.isStuck() && simulator.advance()) {
            boolean isAsking = true;
            while (isAsking) {
                Auction auction = open();
                if (auction.size() > 1 && ranking.isContested(plausible)) {
                    atContested.accept(contested++);
                }
                isAsking = win(auction, auction.size() > 1 ? ranking.best() : 0, Long.MAX_VALUE);
            }
        }
    }

    private Auction open() {
        auctioneer.settle(simulator);
        Auction auction = auctioneer.open();
        if (auction.size() > 1) {
            ranking.rank(auction, auctioneer.mayWait());
        }
        return auction;
    }

    /** Carries out a bid; false when it is to wait, which ends this instant. */
    private boolean win(Auction auction, int bid, long untilNanos) {
        Decision wait = auctioneer.win(bid, simulator);
        auctions += auction.size() > 1 ? 1 : 0;
        waits += auction.size() > 1 && wait != null ? 1 : 0;
        if (wait == null) {
            return true;
        }
        long next = ((Decision.Wait) wait).untilNanos();
        simulator.apply(Decision.waitUntil(Math.min(next, untilNanos)));
        return false;
    }

    /** The present moment, independent of this play from now on. */
    DecisionPoint point(ForkableWorld world) {
        Simulator fork = world.fork(simulator, workload);
        return new DecisionPoint(workload, fork, auctioneer.fork(fork.view()));
    }

    /**
     * Lets a bid win the auction that is due now, and plays on to a horizon.
     *
     * @param backlogPrice cost of a GPU-hour of work that is left at the horizon, job-hours
     * @return the delay of all jobs by then and the price of the work left, up to a constant of the future; job-hours
     */
    double costOf(int bid, double horizonHours, double backlogPrice) {
        double before = simulator.jobSeconds();
        SimView view = simulator.view();
        long until = view.nowNanos() + (long) (horizonHours * HOUR_NANOS);
        boolean isAsking = win(open(), bid, until);
        while (view.nowNanos() < until && (isAsking || (!simulator.isStuck() && simulator.advance()))) {
            Auction auction = open();
            isAsking = view.nowNanos() < until && win(auction, auction.size() > 1 ? ranking.best() : 0, until);
        }
        return (simulator.jobSeconds() - before + left(backlogPrice)) / 3600;
    }

    /** The run times that waiting and running jobs still need at their ideal rate, with the price of their GPU time; seconds. */
    private double left(double backlogPrice) {
        SimView view = simulator.view();
        double sum = 0;
        for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
            sum += left(job, backlogPrice);
        }
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            sum += left(job, backlogPrice);
        }
        return sum;
    }

    private double left(int job, double backlogPrice) {
        return simulator.idealSecondsLeft(job)
                * (1 + backlogPrice * workload.job(job).gpus());
    }

    /** Auctions with a choice so far. */
    int auctions() {
        return auctions;
    }

    /** Of these, auctions that the bid to wait won. */
    int waits() {
        return waits;
    }

    /** Contested decisions so far. */
    int contested() {
        return contested;
    }
}
