/** Learning of bids from decisions whose alternatives are played in forked futures. */
@NullMarked
package org.trainyard.agents.learned.expert;

import org.jspecify.annotations.NullMarked;
