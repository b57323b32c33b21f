package org.trainyard.agents.learned.dqn;

import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.env.gym.auction.Auction;
import org.trainyard.env.gym.auction.Auctioneer;
import org.trainyard.env.gym.auction.BidKind;
import org.trainyard.env.gym.reward.Reward;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;

/** An episode of auctions as a game of one player, who chooses the winning bid of every auction that has a choice. Plain numbers, no tensors. */
final class AuctionGame {
    private final BidPolicy policy;
    private final Deployment deployment;
    private final Reward reward;
    private final double tauHours;
    private @Nullable Simulator simulator;
    private @Nullable Auctioneer auctioneer;
    private @Nullable Auction auction;
    private @Nullable CostCurve curve;
    private boolean isOver = true;
    private double cost;
    private double discount;
    private double elapsedHours;

    /**
     * @param policy says which bids there are; its network is not asked
     * @param reward of all domains together, whose negative is the cost
     * @param tauHours simulated hours after which a cost counts 1/e
     */
    AuctionGame(BidPolicy policy, Deployment deployment, Reward reward, double tauHours) {
        this.policy = policy;
        this.deployment = deployment;
        this.reward = reward;
        this.tauHours = tauHours;
    }

    /** Begins an episode and goes on to the first choice; {@code newCurve}, when given, takes the costs of the episode. */
    void begin(Simulator newSimulator, @Nullable CostCurve newCurve) {
        simulator = newSimulator;
        auctioneer = policy.auctioneer(newSimulator.view(), deployment);
        curve = newCurve;
        isOver = false;
        clear();
        if (advance(newSimulator)) {
            seek(newSimulator, auctioneer);
        }
    }

    private void clear() {
        cost = 0;
        discount = 1;
        elapsedHours = 0;
    }

    /** Lets a bid of the auction win and goes on to the next choice. */
    void play(int bid) {
        Simulator running = simulator;
        Auctioneer present = auctioneer;
        if (running == null || present == null || isOver) {
            throw new IllegalStateException("no auction is open");
        }
        clear();
        if (act(running, present, auction().kind(bid), bid)) {
            seek(running, present);
        }
    }

    /** Carries out a bid; returns whether the episode goes on. */
    private boolean act(Simulator running, Auctioneer present, BidKind kind, int bid) {
        if (kind != BidKind.WAIT) {
            present.win(bid, running);
            return true;
        }
        running.apply(present.untilNext());
        return advance(running);
    }

    /** Carries out the bids without alternative, until there is a choice or the episode is over. */
    private void seek(Simulator running, Auctioneer present) {
        do {
            present.settle(running);
            Auction open = present.open();
            auction = open;
            if (open.size() > firstLegal() + 1) {
                return;
            }
        } while (act(
                running,
                present,
                auction().kind(auction().size() - 1),
                auction().size() - 1));
    }

    private boolean advance(Simulator running) {
        SimView view = running.view();
        boolean isStuck = running.isStuck();
        long before = view.nowNanos();
        double rate = -reward.perHour(view);
        if (curve != null) {
            curve.add(before / 3600e9, rate, view);
        }
        isOver = isStuck || !running.advance();
        double hours = (view.nowNanos() - before) / 3600e9;
        cost += discount * rate * CostCurve.discountedHours(hours, tauHours);
        discount *= Math.exp(-hours / tauHours);
        elapsedHours += hours;
        if (isOver && curve != null) {
            curve.end(view.nowNanos() / 3600e9, view);
        }
        return !isOver;
    }

    /** Whether the episode has ended, or none has begun. */
    boolean isOver() {
        return isOver;
    }

    /** The auction that is open. */
    Auction auction() {
        Auction open = auction;
        if (open == null) {
            throw new IllegalStateException("no auction is open");
        }
        return open;
    }

    /** The first bid that is legal: 1 where waiting is not on offer. */
    int firstLegal() {
        Auctioneer present = auctioneer;
        return present != null && present.mayWait() ? 0 : 1;
    }

    /** The state of the cluster. */
    SimView view() {
        Simulator running = simulator;
        if (running == null) {
            throw new IllegalStateException("no episode has begun");
        }
        return running.view();
    }

    double hour() {
        return view().nowNanos() / 3600e9;
    }

    /** The discounted cost since the last choice. */
    double cost() {
        return cost;
    }

    /** What a cost now counts, beside one at the last choice. */
    double discount() {
        return discount;
    }

    /** Simulated time since the last choice. */
    double elapsedHours() {
        return elapsedHours;
    }

    /** Mean JCT of the episode, which is over, seconds; NaN when jobs are left. */
    double meanJctSeconds() {
        Simulator running = simulator;
        return running != null && running.isDone()
                ? running.jobSeconds() / running.view().arrived()
                : Double.NaN;
    }
}
