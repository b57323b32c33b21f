package org.trainyard.experiments.gym;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.auction.Auction;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.BidServers;
import org.trainyard.env.gym.auction.ClusterEnv;
import org.trainyard.env.gym.auction.ClusterGraph;
import org.trainyard.env.gym.auction.NodeColumn;
import org.trainyard.env.gym.auction.Offer;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.gym.GymArray.Dimension;

/**
 * One environment of bids, as the protocol sees it. One player names the bid that wins; agents name one of their own
 * bids, by its place among these, and a price.
 */
final class AuctionEpisode {
    /** Integers of an agent's offer: the place of the bid, and the bits of the price. */
    static final int OFFER_SIZE = 2;
    /** Number of illegal bids in a row, in which no time passes, that truncate the episode. */
    static final int MOST_ILLEGAL = 1000;

    private final AuctionEnvironment environment;
    private final GymHandshake hello;
    private final ClusterEnv env;
    private final List<@Nullable Offer> offers = new ArrayList<>();
    private final boolean[] isIllegal;
    private int illegalInARow;
    private int winner = -1;
    private @Nullable ClusterGraph graph;
    private @Nullable Simulator simulator;

    AuctionEpisode(AuctionEnvironment environment, GymHandshake hello) {
        this.environment = environment;
        this.hello = hello;
        env = environment.env();
        isIllegal = new boolean[environment.agents()];
    }

    /** Begins an episode, and goes on to its first choice. */
    void begin(Workload workload) {
        AuctionEnvironment.Episode episode = environment.episode(workload);
        simulator = episode.simulator();
        graph = hello.graph() ? episode.auctioneer().graph() : null;
        Arrays.fill(isIllegal, false);
        illegalInARow = 0;
        winner = -1;
        env.reset(episode.simulator(), episode.auctioneer(), null);
    }

    /** Takes the actions of all agents, {@code actions[from]} on. An illegal one does nothing and costs the penalty. */
    void play(int[] actions, int from) {
        if (hello.makesOffers()) {
            offer(actions, from);
            return;
        }
        int bid = actions[from];
        isIllegal[0] = bid >= environment.mostBids() || !env.isLegal(bid);
        illegalInARow = isIllegal[0] ? illegalInARow + 1 : 0;
        if (!isIllegal[0]) {
            env.step(bid);
        }
    }

    /** Takes the offers of all agents; an illegal one counts as none. */
    private void offer(int[] actions, int from) {
        offers.clear();
        for (int agent = 0; agent < isIllegal.length; agent++) {
            int place = actions[from + OFFER_SIZE * agent];
            float price = Float.intBitsToFloat(actions[from + OFFER_SIZE * agent + 1]);
            int bid = own(agent, place);
            boolean hasBids = own(agent, 0) >= 0;
            isIllegal[agent] = hasBids && (Float.isNaN(price) || (place >= 0 && bid < 0));
            offers.add(bid < 0 || isIllegal[agent] ? null : new Offer(bid, price));
        }
        Auction open = env.auction();
        int[] owners = new int[open.size()];
        Arrays.setAll(owners, open::agent);
        winner = owners[env.step(offers, hello.reserve())];
    }

    /** The bid of an agent at a place among those that it is shown; negative when there is none. */
    private int own(int agent, int place) {
        if (place < 0) {
            return -1;
        }
        int bid = env.auction().firstOf(agent);
        for (int i = 0; i < place && bid >= 0; i++) {
            bid = env.auction().nextOf(bid);
        }
        return bid < bids() ? bid : -1;
    }

    /** Whether the episode has ended. */
    boolean isOver() {
        return env.isOver() || illegalInARow == MOST_ILLEGAL;
    }

    Simulator simulator() {
        if (simulator == null) {
            throw new IllegalStateException("no episode has begun");
        }
        return simulator;
    }

    /** Reward of an agent since the last choice, or at a beginning, since the start of the episode. */
    double reward(int agent) {
        double penalty = isIllegal[agent] ? hello.illegalPenalty() : 0;
        if (hello.makesOffers()) {
            return 0 - env.cost(agent) - penalty;
        }
        return isIllegal[agent] ? -penalty : 0 - env.cost();
    }

    /** Whether the last action was one of a player and did nothing. */
    private boolean stoodStill() {
        return !hello.makesOffers() && isIllegal[0];
    }

    /** The weight of a reward now, beside one at the last choice. */
    double discount() {
        return stoodStill() ? 1 : env.discount();
    }

    /** Simulated time since the last choice, hours. */
    double elapsedHours() {
        return stoodStill() ? 0 : env.elapsedHours();
    }

    /** Whether any action of the last play was illegal. */
    boolean wasIllegal() {
        for (boolean illegal : isIllegal) {
            if (illegal) {
                return true;
            }
        }
        return false;
    }

    /** Elements of a dimension in the present observation. */
    int count(Dimension dimension) {
        return switch (dimension) {
            case BATCH -> 1;
            case BIDS -> bids();
            case PAIRS -> pairs();
            case ENDED -> throw new IllegalArgumentException("an observation has no jobs that have ended");
        };
    }

    int bids() {
        return simulator == null || isOver()
                ? 0
                : Math.min(environment.mostBids(), env.auction().size());
    }

    int pairs() {
        return graph == null || bids() == 0 ? 0 : env.auction().servers().end(bids() - 1);
    }

    /** The agent whose offer won the last step; -1 when none did. */
    int winner() {
        return winner;
    }

    void illegal(ByteBuffer out) {
        for (boolean illegal : isIllegal) {
            out.put((byte) (illegal ? 1 : 0));
        }
    }

    void columns(ByteBuffer out) {
        if (bids() > 0) {
            GymArray.put(out, env.auction().columns(), 0, bids() * BidColumn.COUNT);
        }
    }

    void kinds(ByteBuffer out) {
        for (int bid = 0; bid < bids(); bid++) {
            out.put((byte) env.auction().kind(bid).index());
        }
    }

    void owners(ByteBuffer out) {
        for (int bid = 0; bid < bids(); bid++) {
            out.putInt(env.auction().agent(bid));
        }
    }

    void mask(ByteBuffer out) {
        for (int bid = 0; bid < bids(); bid++) {
            out.put((byte) (env.isLegal(bid) ? 1 : 0));
        }
    }

    void nodes(ByteBuffer out, int nodes) {
        if (graph == null || bids() == 0) {
            GymArray.put(out, new float[nodes * NodeColumn.COUNT], 0, nodes * NodeColumn.COUNT);
        } else {
            GymArray.put(out, graph.rows(), 0, nodes * NodeColumn.COUNT);
        }
    }

    void bidOf(ByteBuffer out) {
        if (pairs() > 0) {
            BidServers servers = env.auction().servers();
            for (int bid = 0; bid < bids(); bid++) {
                for (int i = servers.first(bid); i < servers.end(bid); i++) {
                    out.putInt(bid);
                }
            }
        }
    }

    void serverOf(ByteBuffer out) {
        int pairs = pairs();
        for (int i = 0; i < pairs; i++) {
            out.putInt(env.auction().servers().server(i));
        }
    }
}
