/** Gaussian processes over pairs of job types. */
@NullMarked
package org.trainyard.interference.process;

import org.jspecify.annotations.NullMarked;
