/**
 * The objects that configure Kueue, as its YAML says them: flavors, ClusterQueues, cohorts, LocalQueues, priority
 * classes, topologies, and fair sharing.
 */
@NullMarked
package org.trainyard.agents.heuristic.kueue.configuration;

import org.jspecify.annotations.NullMarked;
