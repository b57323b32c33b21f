/** Fits predictors of interference and run times, and queries them. */
@NullMarked
package org.trainyard.experiments.prediction;

import org.jspecify.annotations.NullMarked;
