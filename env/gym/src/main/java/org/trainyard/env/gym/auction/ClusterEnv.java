package org.trainyard.env.gym.auction;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.reward.Reward;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;

/**
 * The environment of agents that bid, as plain numbers: an episode stands still at every auction that has a choice,
 * until either one player names the bid that wins ({@link #step(int)}) or the agents make offers, of which the highest
 * wins ({@link #step(List, double)}).
 *
 * <p>A step ends at the next choice, and its cost is that of the time until then, discounted in simulated time inside
 * the step. The cost of a running job is paid by the agent on whose servers it begins, and that of a waiting job by all
 * agents alike.
 */
public final class ClusterEnv {
    /** Takes the costs of an episode while it is played: piecewise constant over simulated time. */
    public interface CostSink {
        /** Sets what the state costs per hour from this hour on. */
        void add(double hour, double costPerHour, SimView view);

        /** The episode ends. */
        void end(double hour, SimView view);
    }

    private static final double HOUR_NANOS = 3600e9;

    private final Reward reward;
    private final double discountHours;
    private final @Nullable Domains domains;
    private final long horizonNanos;
    private @Nullable Simulator simulator;
    private @Nullable Auctioneer auctioneer;
    private @Nullable Auction auction;
    private @Nullable CostSink costs;
    private boolean isOver = true;
    private double cost;
    private final double[] costOf;
    private final double[] perHourOf;
    private double discount;
    private double elapsedHours;

    /**
     * An environment of one player, to the end of every episode.
     *
     * @param reward whose negative is the cost
     * @param discountHours simulated hours after which a cost counts 1/e
     */
    public ClusterEnv(Reward reward, double discountHours) {
        this(reward, discountHours, Double.POSITIVE_INFINITY, null);
    }

    /**
     * An environment of several agents.
     *
     * @param horizonHours simulated hours after which an episode is ended; infinite for never
     * @param domains those of the agents that share the costs; null for one player
     */
    public ClusterEnv(Reward reward, double discountHours, double horizonHours, @Nullable Domains domains) {
        this.reward = reward;
        this.discountHours = discountHours;
        this.domains = domains;
        horizonNanos = horizonHours * HOUR_NANOS < Long.MAX_VALUE ? (long) (horizonHours * HOUR_NANOS) : Long.MAX_VALUE;
        costOf = new double[domains == null ? 0 : domains.count()];
        perHourOf = new double[costOf.length];
    }

    /**
     * Begins an episode and goes on to the first choice.
     *
     * @param newSimulator at the start of the episode
     * @param newCosts takes the costs of the episode, when given
     */
    public void reset(Simulator newSimulator, Auctioneer newAuctioneer, @Nullable CostSink newCosts) {
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
        Arrays.fill(costOf, 0);
        discount = 1;
        elapsedHours = 0;
    }

    /** Lets a bid of the auction win and goes on to the next choice. */
    public void step(int bid) {
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

    /**
     * Lets the highest offer win and goes on to the next choice. Where waiting is not legal and no agent offers, the
     * first bid wins.
     *
     * @param offers by agent, each a bid of its own; null for an agent that offers nothing
     * @param reserve the price of the bid to wait
     * @return the bid that has won
     */
    public int step(List<@Nullable Offer> offers, double reserve) {
        Offer best = firstLegal() == 0 ? new Offer(0, reserve) : null;
        for (int agent = 0; agent < offers.size(); agent++) {
            Offer offer = offers.get(agent);
            if (offer != null && !isOwn(agent, offer.bid())) {
                throw new IllegalArgumentException("agent (%d) does not own bid (%d)".formatted(agent, offer.bid()));
            }
            best = Offer.higher(best, offer);
        }
        int bid = best == null ? firstLegal() : best.bid();
        step(bid);
        return bid;
    }

    /** Whether a bid of this number is one of the agent's, so that it may offer it now. */
    public boolean isOwn(int agent, int bid) {
        return isLegal(bid) && auction().agent(bid) == agent;
    }

    /** Carries out a bid; returns whether the episode goes on. */
    private boolean act(Simulator running, Auctioneer present, int bid) {
        Decision wait = present.win(bid, running);
        if (wait == null) {
            return true;
        }
        long until = ((Decision.Wait) wait).untilNanos();
        running.apply(until <= horizonNanos ? wait : Decision.waitUntil(horizonNanos));
        return advance(running);
    }

    /** Carries out the bids without alternative, until there is a choice or the episode is over. */
    private void seek(Simulator running, Auctioneer present) {
        do {
            present.startBeneficiary(running);
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
        divide(view, rate);
        if (costs != null) {
            costs.add(before / HOUR_NANOS, rate, view);
        }
        isOver = isStuck || !running.advance() || view.nowNanos() >= horizonNanos;
        double hours = (view.nowNanos() - before) / HOUR_NANOS;
        double counted = discountedHours(hours, discountHours);
        cost += discount * rate * counted;
        for (int agent = 0; agent < costOf.length; agent++) {
            costOf[agent] += discount * perHourOf[agent] * counted;
        }
        discount *= Math.exp(-hours / discountHours);
        elapsedHours += hours;
        if (isOver && costs != null) {
            costs.end(view.nowNanos() / HOUR_NANOS, view);
        }
        return !isOver;
    }

    /** Divides the cost per hour among the agents. O(running jobs). */
    private void divide(SimView view, double rate) {
        Domains owners = domains;
        if (owners == null) {
            return;
        }
        Arrays.fill(perHourOf, 0);
        double owned = 0;
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            double perHour = -reward.perHour(view, job);
            perHourOf[owners.domainOf(view.placement(job).server(0))] += perHour;
            owned += perHour;
        }
        for (int agent = 0; agent < perHourOf.length; agent++) {
            perHourOf[agent] += (rate - owned) / perHourOf.length;
        }
    }

    /** The integral of {@code exp(-t / tau)} over so many hours. */
    public static double discountedHours(double hours, double discountHours) {
        return discountHours == Double.POSITIVE_INFINITY ? hours : -discountHours * Math.expm1(-hours / discountHours);
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
        return auctioneer == null ? 1 : auctioneer.firstLegal();
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
        return view().nowNanos() / HOUR_NANOS;
    }

    /** Number of agents that share the costs; 0 for one player. */
    public int agents() {
        return costOf.length;
    }

    /** The discounted cost since the last choice. */
    public double cost() {
        return cost;
    }

    /** The agent's part of it. */
    public double cost(int agent) {
        return costOf[agent];
    }

    /** Discount of a cost now, relative to one at the last choice. */
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
