/** Fits as a whole, their files, and fitted predictors as interference models. */
@NullMarked
package org.trainyard.interference.fit;

import org.jspecify.annotations.NullMarked;
