package org.trainyard.agents.learned.auction;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.policy.ChoiceListener;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.env.gym.auction.Auction;
import org.trainyard.env.gym.auction.Auctioneer;
import org.trainyard.env.gym.auction.BidServers;
import org.trainyard.env.gym.auction.BiddingAgents;
import org.trainyard.env.gym.auction.Chooser;
import org.trainyard.env.gym.auction.ClusterGraph;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.DecisionQueue;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;

/**
 * Agents that bid by a network, as a scheduler: each offers its own bid of the highest score, and the highest of these
 * wins, the first of equals.
 */
public final class AuctionScheduler implements Scheduler {
    /** Is told of every auction that its scores decide. */
    @FunctionalInterface
    public interface Listener {
        /**
         * An auction of several bids is decided.
         *
         * @param graph the data centre as the policy sees it, null for a policy without encoder
         * @param mayWait whether the first bid, to wait, is legal
         * @param scores of all bids; valid until the next auction, as are the others
         * @param best the bid that wins
         */
        void decided(Auction auction, @Nullable ClusterGraph graph, boolean mayWait, float[] scores, int best);
    }

    /** Tells a listener of the best bids of every auction. */
    record BestBids(ChoiceListener choices) implements Listener {
        private static final int MOST = 5;

        @Override
        public void decided(Auction auction, @Nullable ClusterGraph graph, boolean mayWait, float[] scores, int best) {
            int first = mayWait ? 0 : 1;
            // Stable: the first of equal bids wins.
            List<ChoiceListener.Option> options = IntStream.range(first, auction.size())
                    .boxed()
                    .sorted(Comparator.comparingDouble(bid -> -scores[bid]))
                    .limit(MOST)
                    .map(bid -> new ChoiceListener.Option(
                            auction.kind(bid).name(), auction.job(bid), servers(auction.servers(), bid), scores[bid]))
                    .toList();
            choices.chosen(options, auction.size() - first);
        }

        private static List<Integer> servers(BidServers servers, int bid) {
            TreeSet<Integer> different = new TreeSet<>();
            for (int i = servers.first(bid); i < servers.end(bid); i++) {
                different.add(servers.server(i));
            }
            return new ArrayList<>(different);
        }
    }

    private final BidPolicy policy;
    private final Deployment deployment;
    private final Function<Auctioneer, Chooser> choosers;
    private final DecisionQueue decided = new DecisionQueue();
    private @Nullable Auctioneer auctioneer;
    private @Nullable Chooser chooser;

    /**
     * Agents that offer their bids of the highest score.
     *
     * @param policy its weights must not change during the run
     * @param listener is told of the auctions of the run, each with all of its scores; null for none
     */
    public AuctionScheduler(BidPolicy policy, Deployment deployment, @Nullable Listener listener) {
        this(policy, deployment, auctioneer -> offers(new BidScorer(policy, auctioneer), listener));
    }

    /**
     * Agents whose bids are chosen in any way.
     *
     * @param policy says which bids there are
     * @param choosers makes the chooser of a run
     */
    public AuctionScheduler(BidPolicy policy, Deployment deployment, Function<Auctioneer, Chooser> choosers) {
        this.policy = policy;
        this.deployment = deployment;
        this.choosers = choosers;
    }

    private static Chooser offers(BidScorer scorer, @Nullable Listener listener) {
        BiddingAgents agents = new BiddingAgents(scorer);
        return (auction, firstLegal) -> {
            int best = agents.choose(auction, firstLegal);
            if (listener != null) {
                listener.decided(auction, scorer.graph(), firstLegal == 0, agents.scores(), best);
            }
            return best;
        };
    }

    @Override
    public Decision decide(SimView view) {
        Auctioneer present = auctioneer;
        Chooser itsChooser = chooser;
        if (present == null || itsChooser == null) {
            present = policy.auctioneer(view, deployment);
            itsChooser = choosers.apply(present);
            auctioneer = present;
            chooser = itsChooser;
        }
        return present.next(decided, itsChooser);
    }

    @Override
    public boolean isBetweenPlans() {
        return decided.isEmpty() && (auctioneer == null || !auctioneer.isMakingRoom());
    }
}
