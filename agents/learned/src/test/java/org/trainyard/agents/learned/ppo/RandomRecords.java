package org.trainyard.agents.learned.ppo;

import java.util.random.RandomGenerator;
import org.trainyard.agents.learned.bids.RandomRows;
import org.trainyard.env.gym.auction.BidKind;

/** Records of episodes that nobody played, for tests of what is computed from them. */
final class RandomRecords {
    private RandomRecords() {}

    /** An episode of one auction in each segment; the last segment ends it. */
    static EpisodeRecord of(double[] hours, double[] jobs) {
        EpisodeRecord record = new EpisodeRecord();
        for (int s = 0; s < hours.length; s++) {
            record.addSegment(hours[s]);
            record.costFromNow(jobs[s]);
            if (s < hours.length - 1) {
                record.segment[record.auctions++] = s;
            }
        }
        return record;
    }

    /**
     * An episode of one auction with random bids, the chosen one of which had a probability of about one in their
     * number.
     */
    static EpisodeRecord auction(RandomGenerator random, int bids, boolean mayWait) {
        EpisodeRecord record = new EpisodeRecord();
        record.addSegment(0);
        record.costFromNow(1);
        for (int bid = 0; bid < bids; bid++) {
            record.kinds[bid] = (byte) (bid == 0 ? BidKind.WAIT.index() : 1 + random.nextInt(BidKind.COUNT - 1));
            record.rows.add(RandomRows.columns(random), 0);
        }
        int first = mayWait ? 0 : 1;
        record.bids[0] = bids;
        record.firstLegal[0] = (byte) first;
        record.chosen[0] = first + random.nextInt(bids - first);
        record.logProbability[0] = (float) -Math.log(bids - first);
        record.auctions = 1;
        record.totalBids = bids;
        return record;
    }
}
