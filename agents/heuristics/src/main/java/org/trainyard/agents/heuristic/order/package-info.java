/** Queues and indices by attained service, and run times known in advance. */
@NullMarked
package org.trainyard.agents.heuristic.order;

import org.jspecify.annotations.NullMarked;
