/**
 * Schedulers without learning: an order over jobs, a placer and a preemption rule, one file per published scheduler.
 */
@NullMarked
package org.trainyard.agents.heuristic;

import org.jspecify.annotations.NullMarked;
