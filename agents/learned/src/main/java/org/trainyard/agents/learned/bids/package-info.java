/** The network that scores bids, and how scores become probabilities; plain arrays. */
@NullMarked
package org.trainyard.agents.learned.bids;

import org.jspecify.annotations.NullMarked;
