/** Policies: networks and linear rules that score the legal actions. */
@NullMarked
package org.trainyard.agents.learned.policy;

import org.jspecify.annotations.NullMarked;
