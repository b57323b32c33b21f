/** A scheduler composed of an order, a placer and a delay policy, each with knobs. */
@NullMarked
package org.trainyard.agents.heuristic.composed;

import org.jspecify.annotations.NullMarked;
