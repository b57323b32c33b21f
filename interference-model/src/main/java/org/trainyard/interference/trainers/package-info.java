/** The fit of a Gaussian process to measurements of pairs, with linear algebra by ND4J. */
@NullMarked
package org.trainyard.interference.trainers;

import org.jspecify.annotations.NullMarked;
