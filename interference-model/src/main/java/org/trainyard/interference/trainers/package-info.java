/** Fits of the models of pairs to measurements, with linear algebra by ND4J. */
@NullMarked
package org.trainyard.interference.trainers;

import org.jspecify.annotations.NullMarked;
