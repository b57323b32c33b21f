/** A predictor of slowdown for one cluster, fitted to measurements of its own pairs of jobs. */
@NullMarked
package org.trainyard.interference.profiled;

import org.jspecify.annotations.NullMarked;
