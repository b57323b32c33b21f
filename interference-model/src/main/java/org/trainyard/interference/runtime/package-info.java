/** Predictors of run time, from a job's submission and from finished jobs. */
@NullMarked
package org.trainyard.interference.runtime;

import org.jspecify.annotations.NullMarked;
