/** Schedulers that resize elastic jobs. */
@NullMarked
package org.trainyard.agents.heuristic.elastic;

import org.jspecify.annotations.NullMarked;
