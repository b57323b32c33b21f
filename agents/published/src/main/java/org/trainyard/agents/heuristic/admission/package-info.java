/** Admission of jobs by posted prices, its theory, and its offline optimum. */
@NullMarked
package org.trainyard.agents.heuristic.admission;

import org.jspecify.annotations.NullMarked;
