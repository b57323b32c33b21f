/** Running jobs in the order in which a scheduler would stop them, and the changes that it plans. */
@NullMarked
package org.trainyard.agents.heuristic.queue;

import org.jspecify.annotations.NullMarked;
