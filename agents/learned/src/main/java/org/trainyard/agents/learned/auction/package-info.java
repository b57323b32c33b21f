/** Policies that bid in the auction of the gym, and their learning by policy gradients. */
@NullMarked
package org.trainyard.agents.learned.auction;

import org.jspecify.annotations.NullMarked;
