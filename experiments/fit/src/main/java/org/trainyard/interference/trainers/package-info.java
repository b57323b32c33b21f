/** Fits of the models of pairs to measurements, and baselines to compare them with. */
@NullMarked
package org.trainyard.interference.trainers;

import org.jspecify.annotations.NullMarked;
