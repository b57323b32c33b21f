/** Baselines of pair models. */
@NullMarked
package org.trainyard.interference.model.additive;

import org.jspecify.annotations.NullMarked;
