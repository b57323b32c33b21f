package org.trainyard.env.gym.auction;

import org.trainyard.env.gym.domain.Domains;

/**
 * Where bids are written.
 *
 * @param columns of each bid of the auction
 * @param domains whose agents own the bids, by the first server
 */
record BidSheet(Auction auction, BidColumns columns, Domains domains) {}
