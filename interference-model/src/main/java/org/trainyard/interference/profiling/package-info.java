/** A pressure model of interference, fitted to a profiling campaign in the simulator. */
@NullMarked
package org.trainyard.interference.profiling;

import org.jspecify.annotations.NullMarked;
