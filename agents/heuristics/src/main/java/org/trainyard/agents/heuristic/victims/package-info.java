/** Searches for the running jobs to stop so that a job finds room. */
@NullMarked
package org.trainyard.agents.heuristic.victims;

import org.jspecify.annotations.NullMarked;
