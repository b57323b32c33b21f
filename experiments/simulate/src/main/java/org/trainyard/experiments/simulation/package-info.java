/** Simulations of one whole trace, as {@code simulate} runs them. */
@NullMarked
package org.trainyard.experiments.simulation;

import org.jspecify.annotations.NullMarked;
