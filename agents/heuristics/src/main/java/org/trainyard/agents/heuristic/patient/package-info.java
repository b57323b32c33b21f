/** The hand-written rule from which the searches of learned policies start, as a heuristic. */
@NullMarked
package org.trainyard.agents.heuristic.patient;

import org.jspecify.annotations.NullMarked;
