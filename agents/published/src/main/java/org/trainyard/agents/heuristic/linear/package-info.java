/** Linear programmes by OR-Tools. */
@NullMarked
package org.trainyard.agents.heuristic.linear;

import org.jspecify.annotations.NullMarked;
