/** Schedulers that agree job by job with published simulators. */
@NullMarked
package org.trainyard.agents.heuristic.reference;

import org.jspecify.annotations.NullMarked;
