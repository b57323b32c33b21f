/** Placement policies that fight fragmentation. */
@NullMarked
package org.trainyard.agents.heuristic.packing;

import org.jspecify.annotations.NullMarked;
