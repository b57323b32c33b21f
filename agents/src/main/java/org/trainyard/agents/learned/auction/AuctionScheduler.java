package org.trainyard.agents.learned.auction;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.policy.ChoiceListener;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.env.gym.auction.Auction;
import org.trainyard.env.gym.auction.Auctioneer;
import org.trainyard.env.gym.auction.BidKind;
import org.trainyard.env.gym.auction.BidServers;
import org.trainyard.env.gym.auction.ClusterGraph;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.DecisionQueue;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;

/** Agents that bid by a network, as a scheduler: the bid of the highest score wins, the first of equals. */
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
    private final @Nullable Listener listener;
    private final DecisionQueue decided = new DecisionQueue();
    private @Nullable Auctioneer auctioneer;
    private @Nullable BidScorer scorer;

    /** @param policy its weights must not change during the run */
    public AuctionScheduler(BidPolicy policy, Deployment deployment) {
        this(policy, deployment, null);
    }

    /** The same with a listener. */
    public AuctionScheduler(BidPolicy policy, Deployment deployment, @Nullable Listener listener) {
        this.policy = policy;
        this.deployment = deployment;
        this.listener = listener;
    }

    @Override
    public Decision decide(SimView view) {
        Auctioneer present = auctioneer;
        if (present == null) {
            present = policy.auctioneer(view, deployment);
            auctioneer = present;
            scorer = new BidScorer(policy, present);
        }
        while (decided.isEmpty()) {
            present.settle(decided);
            if (!decided.isEmpty()) {
                break;
            }
            Auction auction = present.open();
            int best = best(auction, present.mayWait());
            if (auction.kind(best) == BidKind.WAIT) {
                return present.untilNext();
            }
            present.win(best, decided);
        }
        return decided.remove();
    }

    @Override
    public boolean isBetweenPlans() {
        return decided.isEmpty() && (auctioneer == null || !auctioneer.isMakingRoom());
    }

    private int best(Auction auction, boolean mayWait) {
        if (auction.size() == 1) {
            return 0;
        }
        BidScorer present = Objects.requireNonNull(scorer, "made with the auctioneer");
        float[] scores = present.score(auction);
        int best = mayWait ? 0 : 1;
        for (int bid = best + 1; bid < auction.size(); bid++) {
            best = scores[bid] > scores[best] ? bid : best;
        }
        if (listener != null) {
            listener.decided(auction, present.graph(), mayWait, scores, best);
        }
        return best;
    }
}
