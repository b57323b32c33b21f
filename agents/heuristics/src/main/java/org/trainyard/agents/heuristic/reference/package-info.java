/** Presets that agree job by job with published simulators, and the assumptions of those simulators. */
@NullMarked
package org.trainyard.agents.heuristic.reference;

import org.jspecify.annotations.NullMarked;
