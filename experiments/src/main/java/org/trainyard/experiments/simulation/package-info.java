/** Schedulers run over one whole trace. */
@NullMarked
package org.trainyard.experiments.simulation;

import org.jspecify.annotations.NullMarked;
