package org.trainyard.experiments.frozen;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.auction.Auction;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.ClusterGraph;
import org.trainyard.env.simulation.RunResult;

/** Fingerprints of all auctions of an episode, one of each column, so that a difference says which column moved. */
final class AuctionPrints {
    private final Map<String, Fingerprint> prints = new LinkedHashMap<>();
    private final boolean byColumn;
    private int auctions;

    /** @param byColumn whether each column of the bids has a fingerprint of its own */
    AuctionPrints(boolean byColumn) {
        this.byColumn = byColumn;
    }

    private Fingerprint print(String name) {
        return prints.computeIfAbsent(name, one -> new Fingerprint());
    }

    void add(Auction auction, @Nullable ClusterGraph graph, boolean mayWait, int best) {
        auctions++;
        print("winner").add(mayWait ? 1 : 0).add(best);
        for (int bid = 0; bid < auction.size(); bid++) {
            print("bids").add(auction.kind(bid).name()).add(auction.job(bid));
            print("agents").add(auction.agent(bid));
            for (int i = auction.servers().first(bid); i < auction.servers().end(bid); i++) {
                print("servers").add(auction.servers().server(i));
            }
            for (BidColumn column : BidColumn.values()) {
                print(byColumn ? column.name() : "columns").add((double) auction.column(bid, column));
            }
        }
        if (graph != null) {
            for (float value : graph.rows()) {
                print("graph").add((double) value);
            }
        }
    }

    /** A line for each, and one for the run. */
    List<String> lines(String world, RunResult run) {
        print("jobs").add(run);
        prints.put("event log", new Fingerprint().add(run.eventLogSha256()));
        List<String> lines = new ArrayList<>();
        lines.add(FrozenText.line(world + " auctions", auctions));
        prints.forEach((name, print) -> lines.add(FrozenText.line(world + " " + name, print)));
        return lines;
    }
}
