/** Schedulers that grant GPUs for a lease or in turns. */
@NullMarked
package org.trainyard.agents.heuristic.lease;

import org.jspecify.annotations.NullMarked;
