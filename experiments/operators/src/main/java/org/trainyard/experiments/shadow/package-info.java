/** Shadow scheduling: the simulated decisions of another scheduler, beside those of the real one of a cluster. */
@NullMarked
package org.trainyard.experiments.shadow;

import org.jspecify.annotations.NullMarked;
