/** A Gaussian process over pairs of jobs. */
@NullMarked
package org.trainyard.interference.model.gaussianprocess;

import org.jspecify.annotations.NullMarked;
