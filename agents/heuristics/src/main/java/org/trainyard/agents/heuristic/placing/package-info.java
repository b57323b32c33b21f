/** Placers of textbooks and of schedulers in use: first fit, best fit, scored servers, and consolidation. */
@NullMarked
package org.trainyard.agents.heuristic.placing;

import org.jspecify.annotations.NullMarked;
