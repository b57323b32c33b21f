package org.trainyard.env.gym;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.Auction;
import org.trainyard.env.gym.auction.Auctioneer;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.BidKind;
import org.trainyard.env.gym.auction.ClusterEnv;
import org.trainyard.env.gym.auction.Offer;
import org.trainyard.env.simulation.Simulator;

/**
 * Checks the contract of a {@link ClusterEnv}, for authors of a reward, topology or trace: plays episodes by random
 * legal bids and offers, each twice, and reports wrong numbers. One environment plays all episodes, and fresh ones play
 * each again.
 */
public final class EnvChecker {
    /** Rules that an environment must keep. */
    public enum Rule {
        /** An episode is a function of its number and the actions, whatever was played before. */
        DETERMINISM,
        /**
         * A choice is between several legal bids, the first to wait, the others each of an agent, with finite columns.
         */
        BIDS,
        /** A cost is finite, and the agents pay it between them. */
        COST,
        /** Time passes as the clock says, and discounts are above 0 and at most 1. */
        TIME,
        /** An episode ends. */
        END
    }

    /** A violation of a rule at a step of an episode. */
    public record Finding(Rule rule, long episode, int step, String what) {
        @Override
        public String toString() {
            return "%s, episode %d, step %d: %s".formatted(rule, episode, step, what);
        }
    }

    private static final double TOLERANCE = 1e-6;

    private final LongFunction<Simulator> simulators;
    private final Function<Simulator, Auctioneer> auctioneers;
    private final int mostSteps;
    private final List<Finding> findings = new ArrayList<>();

    private EnvChecker(LongFunction<Simulator> simulators, Function<Simulator, Auctioneer> auctioneers, int mostSteps) {
        this.simulators = simulators;
        this.auctioneers = auctioneers;
        this.mostSteps = mostSteps;
    }

    /**
     * The violations of the first episode that has any; none when all is well.
     *
     * @param envs makes new environments
     * @param simulators makes a simulator at the start of the episode of a number
     * @param auctioneers makes the auctioneer of a simulator
     * @param episodes number of episodes, from 0 on
     * @param mostSteps by which an episode must have ended
     */
    public static List<Finding> check(
            Supplier<ClusterEnv> envs,
            LongFunction<Simulator> simulators,
            Function<Simulator, Auctioneer> auctioneers,
            int episodes,
            int mostSteps) {
        EnvChecker checker = new EnvChecker(simulators, auctioneers, mostSteps);
        ClusterEnv used = envs.get();
        for (int episode = 0; episode < episodes && checker.findings.isEmpty(); episode++) {
            checker.play(used, envs.get(), episode);
        }
        return List.copyOf(checker.findings);
    }

    /** Plays an episode in two environments side by side. */
    private void play(ClusterEnv one, ClusterEnv other, long episode) {
        RandomGenerator random = RandomStreams.stream(episode, "check/actions");
        reset(one, episode);
        reset(other, episode);
        checkStep(one, other, episode, 0, 0);
        for (int step = 1; !one.isOver() && findings.isEmpty(); step++) {
            if (step > mostSteps) {
                add(Rule.END, episode, step, "goes on");
                return;
            }
            double before = one.hour();
            if (step % 2 == 0 || one.agents() == 0) {
                int bid = random.nextInt(one.firstLegal(), one.auction().size());
                one.step(bid);
                other.step(bid);
            } else {
                List<@Nullable Offer> offers = offers(one, random);
                one.step(offers, 0.5);
                other.step(offers, 0.5);
            }
            checkStep(one, other, episode, step, before);
        }
    }

    private void reset(ClusterEnv env, long episode) {
        Simulator simulator = simulators.apply(episode);
        env.reset(simulator, auctioneers.apply(simulator), null);
    }

    /** A random own bid of every agent that has one, at a random price. */
    private static List<@Nullable Offer> offers(ClusterEnv env, RandomGenerator random) {
        List<@Nullable Offer> offers = new ArrayList<>();
        for (int agent = 0; agent < env.agents(); agent++) {
            int bid = env.auction().firstOf(agent);
            for (int next = bid; next >= 0; next = env.auction().nextOf(next)) {
                bid = random.nextBoolean() ? next : bid;
            }
            offers.add(bid < 0 ? null : new Offer(bid, random.nextDouble()));
        }
        return offers;
    }

    private void checkStep(ClusterEnv one, ClusterEnv other, long episode, int step, double hourBefore) {
        checkEqual("end", one.isOver() ? 1 : 0, other.isOver() ? 1 : 0, episode, step);
        checkEqual("cost", one.cost(), other.cost(), episode, step);
        checkEqual("hour", one.hour(), other.hour(), episode, step);
        double hours = one.hour() - hourBefore;
        if (!(Math.abs(hours - one.elapsedHours()) <= TOLERANCE)) {
            add(Rule.TIME, episode, step, "%f h pass and %f h are told".formatted(hours, one.elapsedHours()));
        }
        if (!(one.discount() > 0 && one.discount() <= 1)) {
            add(Rule.TIME, episode, step, "the discount is %f".formatted(one.discount()));
        }
        checkCost(one, episode, step);
        if (!one.isOver() && !other.isOver()) {
            checkBids(one, other, episode, step);
        }
    }

    private void checkEqual(String what, double one, double other, long episode, int step) {
        if (Double.compare(one, other) != 0) {
            add(Rule.DETERMINISM, episode, step, "%s is %s, and %s the second time".formatted(what, one, other));
        }
    }

    private void checkCost(ClusterEnv env, long episode, int step) {
        double paid = 0;
        for (int agent = 0; agent < env.agents(); agent++) {
            paid += env.cost(agent);
        }
        if (!Double.isFinite(env.cost())) {
            add(Rule.COST, episode, step, "the cost is %s".formatted(env.cost()));
        } else if (env.agents() > 0 && !(Math.abs(paid - env.cost()) <= TOLERANCE * (1 + Math.abs(env.cost())))) {
            add(Rule.COST, episode, step, "agents pay %s of %s".formatted(paid, env.cost()));
        }
    }

    private void checkBids(ClusterEnv one, ClusterEnv other, long episode, int step) {
        Auction auction = one.auction();
        int legal = auction.size() - one.firstLegal();
        if (legal < 2 || auction.kind(0) != BidKind.WAIT) {
            add(Rule.BIDS, episode, step, "(%d) legal bids, the first is (%s)".formatted(legal, auction.kind(0)));
        }
        float[] columns = Arrays.copyOf(auction.columns(), auction.size() * BidColumn.COUNT);
        if (!Arrays.equals(
                columns,
                Arrays.copyOf(other.auction().columns(), other.auction().size() * BidColumn.COUNT))) {
            add(Rule.DETERMINISM, episode, step, "the bids have other columns the second time");
        }
        for (int bid = 0; bid < auction.size(); bid++) {
            for (BidColumn column : BidColumn.values()) {
                float value = auction.column(bid, column);
                if (!Float.isFinite(value)) {
                    add(Rule.BIDS, episode, step, "%s of bid (%d) is %s".formatted(column, bid, value));
                    return;
                }
            }
        }
    }

    private void add(Rule rule, long episode, int step, String what) {
        findings.add(new Finding(rule, episode, step, what));
    }
}
