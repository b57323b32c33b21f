package org.trainyard.agents.learned.expert;

import org.trainyard.env.gym.auction.Auctioneer;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.workload.Workload;

/**
 * A moment in an episode at which an auction is due, apart from the play that came by.
 *
 * @param workload the episode
 * @param simulator in the state of that moment; stays there
 * @param auctioneer its own, settled
 */
record DecisionPoint(Workload workload, Simulator simulator, Auctioneer auctioneer) {}
