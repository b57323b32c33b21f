/** Machines on which tasks and runs of evaluations take place. */
@NullMarked
package org.trainyard.experiments.fleet;

import org.jspecify.annotations.NullMarked;
