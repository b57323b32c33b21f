/** Slurm's settings tuned on a log. */
@NullMarked
package org.trainyard.experiments.advice.search;

import org.jspecify.annotations.NullMarked;
