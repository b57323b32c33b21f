/** Sweeps: many runs of one experiment with different values of some keys. */
@NullMarked
package org.trainyard.experiments.sweep;

import org.jspecify.annotations.NullMarked;
