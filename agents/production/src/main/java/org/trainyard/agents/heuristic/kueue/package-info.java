/**
 * The admission of Kueue 0.17 as rules over a state: quotas in a tree of cohorts, choice of flavors, preemption, fair
 * sharing, placement by topology, and the cycle that takes the head of each ClusterQueue; and as a scheduler of the
 * simulator.
 */
@NullMarked
package org.trainyard.agents.heuristic.kueue;

import org.jspecify.annotations.NullMarked;
