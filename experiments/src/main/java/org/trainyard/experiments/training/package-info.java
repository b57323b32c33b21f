/** Training runs, their checkpoints and logs. */
@NullMarked
package org.trainyard.experiments.training;

import org.jspecify.annotations.NullMarked;
