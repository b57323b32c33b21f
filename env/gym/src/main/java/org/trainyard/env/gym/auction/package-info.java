/** The auction of the gym: the agents' bids, of which one wins at a time. */
@NullMarked
package org.trainyard.env.gym.auction;

import org.jspecify.annotations.NullMarked;
