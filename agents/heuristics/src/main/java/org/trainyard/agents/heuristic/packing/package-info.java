/** Placement policies against fragmentation: FGD with its baselines, and HiveD's cells. */
@NullMarked
package org.trainyard.agents.heuristic.packing;

import org.jspecify.annotations.NullMarked;
