/** When a job would start: forward simulations from the state of a cluster at an instant. */
@NullMarked
package org.trainyard.experiments.forecast;

import org.jspecify.annotations.NullMarked;
