/** Schedulers that resize elastic jobs: Optimus and Pollux. */
@NullMarked
package org.trainyard.agents.heuristic.elastic;

import org.jspecify.annotations.NullMarked;
