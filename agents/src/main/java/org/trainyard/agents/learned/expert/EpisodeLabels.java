package org.trainyard.agents.learned.expert;

import java.util.List;
import org.trainyard.agents.learned.auction.BidPolicy;

/** Plays the episodes of updates and labels some of their decisions, in this process or elsewhere. */
@FunctionalInterface
public interface EpisodeLabels {
    /**
     * The episodes of an update, in the order of their numbers; they depend on nothing but the parameters.
     *
     * @param policy its weights do not change meanwhile
     * @param update its number, from 0
     */
    List<LabelledEpisode> of(BidPolicy policy, int update);
}
