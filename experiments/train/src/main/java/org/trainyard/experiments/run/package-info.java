/** Builds simulators, episodes and environments from a config, and runs work on threads. */
@NullMarked
package org.trainyard.experiments.run;

import org.jspecify.annotations.NullMarked;
