/** The search of a scheduler with hyperparameters on validation episodes. */
@NullMarked
package org.trainyard.experiments.tuning;

import org.jspecify.annotations.NullMarked;
