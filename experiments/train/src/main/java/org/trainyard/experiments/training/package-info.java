/** Training runs, their checkpoints and their logs. */
@NullMarked
package org.trainyard.experiments.training;

import org.jspecify.annotations.NullMarked;
