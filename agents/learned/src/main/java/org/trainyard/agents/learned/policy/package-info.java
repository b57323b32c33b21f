/** Policies, which score the legal actions of every agent: a network over the graph encoder, and a linear rule. */
@NullMarked
package org.trainyard.agents.learned.policy;

import org.jspecify.annotations.NullMarked;
