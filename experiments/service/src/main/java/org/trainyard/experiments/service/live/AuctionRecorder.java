package org.trainyard.experiments.service.live;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.auction.AuctionScheduler;
import org.trainyard.env.gym.auction.Auction;
import org.trainyard.env.gym.auction.BidKind;
import org.trainyard.env.gym.auction.BidServers;
import org.trainyard.env.gym.auction.ClusterGraph;
import org.trainyard.env.simulation.SimView;
import org.trainyard.experiments.service.live.PlacementAnswer.Candidate;
import org.trainyard.experiments.service.live.PlacementAnswer.DecidedAuction;

/** Records the auctions of one answer: the bids with the highest scores of each. */
final class AuctionRecorder implements AuctionScheduler.Listener {
    private static final int CANDIDATES = 5;
    private static final int MOST_AUCTIONS = 20;

    private final SimView view;
    private final List<DecidedAuction> auctions = new ArrayList<>();

    AuctionRecorder(SimView view) {
        this.view = view;
    }

    /** The auctions since they were last taken, at most the first 20. */
    List<DecidedAuction> soFar() {
        return List.copyOf(auctions);
    }

    /** Returns the auctions since they were last taken, at most the first {@value #MOST_AUCTIONS}, and forgets them. */
    List<DecidedAuction> take() {
        List<DecidedAuction> taken = soFar();
        auctions.clear();
        return taken;
    }

    @Override
    public void decided(Auction auction, @Nullable ClusterGraph graph, boolean mayWait, float[] scores, int best) {
        if (auctions.size() == MOST_AUCTIONS) {
            return;
        }
        List<Integer> top =
                new ArrayList<>(IntStream.range(0, auction.size()).boxed().toList());
        top.sort(Comparator.comparingDouble(bid -> -scores[bid]));
        List<Candidate> candidates = new ArrayList<>();
        for (int bid : top) {
            if (candidates.size() < CANDIDATES || bid == best) {
                boolean isLegal = mayWait || auction.kind(bid) != BidKind.WAIT;
                candidates.add(candidate(auction, bid, scores[bid], isLegal, bid == best));
            }
        }
        auctions.add(new DecidedAuction(auction.size(), candidates));
    }

    private Candidate candidate(Auction auction, int bid, double score, boolean isLegal, boolean isChosen) {
        int job = auction.job(bid);
        BidServers servers = auction.servers();
        List<String> names = IntStream.range(servers.first(bid), servers.end(bid))
                .mapToObj(i -> view.topology().serverName(servers.server(i)))
                .toList();
        return new Candidate(
                auction.kind(bid).name().toLowerCase(Locale.ROOT),
                job == SimView.NONE ? null : view.job(job).name(),
                names,
                score,
                isLegal,
                isChosen,
                job == SimView.NONE ? null : view.predictedRemainingSeconds(job));
    }
}
