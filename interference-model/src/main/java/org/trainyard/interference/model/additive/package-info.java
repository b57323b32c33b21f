/** Baselines: the mean, and additive effects of victim and neighbour. */
@NullMarked
package org.trainyard.interference.model.additive;

import org.jspecify.annotations.NullMarked;
