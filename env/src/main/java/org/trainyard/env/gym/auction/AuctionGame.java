package org.trainyard.env.gym.auction;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.reward.Reward;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;

/** An episode of auctions as a game of one player, who chooses the winning bid of every auction that has a choice. Plain numbers, no tensors. */
public final class AuctionGame {
    /** Takes the costs of an episode while it is played: piecewise constant over simulated time. */
    public interface CostSink {
        /** From this hour on the state costs so much per hour. */
        void add(double hour, double costPerHour, SimView view);

        /** The episode ends. */
        void end(double hour, SimView view);
    }

    private final Reward reward;
    private final double tauHours;
    private @Nullable Simulator simulator;
    private @Nullable Auctioneer auctioneer;
    private @Nullable Auction auction;
    private @Nullable CostSink costs;
    private boolean isOver = true;
    private double cost;
    private double discount;
    private double elapsedHours;

    /**
     * @param reward of all domains together, whose negative is the cost
     * @param tauHours simulated hours after which a cost counts 1/e
     */
    public AuctionGame(Reward reward, double tauHours) {
        this.reward = reward;
        this.tauHours = tauHours;
    }

    /**
     * Begins an episode and goes on to the first choice.
     *
     * @param newSimulator at the start of the episode
     * @param newAuctioneer of that simulator
     * @param newCosts takes the costs of the episode, when given
     */
    public void begin(Simulator newSimulator, Auctioneer newAuctioneer, @Nullable CostSink newCosts) {
        simulator = newSimulator;
        auctioneer = newAuctioneer;
        costs = newCosts;
        isOver = false;
        clear();
        if (advance(newSimulator)) {
            seek(newSimulator, newAuctioneer);
        }
    }

    private void clear() {
        cost = 0;
        discount = 1;
        elapsedHours = 0;
    }

    /** Lets a bid of the auction win and goes on to the next choice. */
    public void play(int bid) {
        Simulator running = simulator;
        Auctioneer present = auctioneer;
        if (running == null || present == null || isOver) {
            throw new IllegalStateException("no auction is open");
        }
        clear();
        if (act(running, present, bid)) {
            seek(running, present);
        }
    }

    /** Carries out a bid; returns whether the episode goes on. */
    private boolean act(Simulator running, Auctioneer present, int bid) {
        Decision wait = present.win(bid, running);
        if (wait == null) {
            return true;
        }
        running.apply(wait);
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
        } while (act(running, present, auction().size() - 1));
    }

    private boolean advance(Simulator running) {
        SimView view = running.view();
        boolean isStuck = running.isStuck();
        long before = view.nowNanos();
        double rate = -reward.perHour(view);
        if (costs != null) {
            costs.add(before / 3600e9, rate, view);
        }
        isOver = isStuck || !running.advance();
        double hours = (view.nowNanos() - before) / 3600e9;
        cost += discount * rate * discountedHours(hours, tauHours);
        discount *= Math.exp(-hours / tauHours);
        elapsedHours += hours;
        if (isOver && costs != null) {
            costs.end(view.nowNanos() / 3600e9, view);
        }
        return !isOver;
    }

    /** The integral of {@code exp(-t / tau)} over so many hours. */
    public static double discountedHours(double hours, double tauHours) {
        return tauHours == Double.POSITIVE_INFINITY ? hours : -tauHours * Math.expm1(-hours / tauHours);
    }

    /** Whether the episode has ended, or none has begun. */
    public boolean isOver() {
        return isOver;
    }

    /** The auction that is open. */
    public Auction auction() {
        Auction open = auction;
        if (open == null) {
            throw new IllegalStateException("no auction is open");
        }
        return open;
    }

    /** The first bid that is legal: 1 where waiting is not on offer. */
    public int firstLegal() {
        Auctioneer present = auctioneer;
        return present != null && present.mayWait() ? 0 : 1;
    }

    /** Whether a bid of this number may win now. */
    public boolean isLegal(int bid) {
        return !isOver && bid >= firstLegal() && bid < auction().size();
    }

    /** Whether the episode has ended with all jobs done. */
    public boolean isDone() {
        return isOver && simulator != null && simulator.isDone();
    }

    /** The state of the cluster. */
    public SimView view() {
        Simulator running = simulator;
        if (running == null) {
            throw new IllegalStateException("no episode has begun");
        }
        return running.view();
    }

    /** Simulated hours since the start of the episode. */
    public double hour() {
        return view().nowNanos() / 3600e9;
    }

    /** The discounted cost since the last choice. */
    public double cost() {
        return cost;
    }

    /** What a cost now counts, beside one at the last choice. */
    public double discount() {
        return discount;
    }

    /** Simulated time since the last choice. */
    public double elapsedHours() {
        return elapsedHours;
    }

    /** Mean JCT of the episode, which is over, seconds; NaN when jobs are left. */
    public double meanJctSeconds() {
        Simulator running = simulator;
        return running != null && running.isDone()
                ? running.jobSeconds() / running.view().arrived()
                : Double.NaN;
    }
}
