/** Schedulers that solve an allocation problem in rounds, as Gavel does. */
@NullMarked
package org.trainyard.agents.heuristic.rounds;

import org.jspecify.annotations.NullMarked;
