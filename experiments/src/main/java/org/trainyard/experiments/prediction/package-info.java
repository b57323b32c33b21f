/** Fits and answers of predictors, as files. */
@NullMarked
package org.trainyard.experiments.prediction;

import org.jspecify.annotations.NullMarked;
