/** The search for workloads on which a scheduler is far from the lower bound. */
@NullMarked
package org.trainyard.experiments.stress;

import org.jspecify.annotations.NullMarked;
