/** A real Slurm, by its commands. */
@NullMarked
package org.trainyard.experiments.slurm;

import org.jspecify.annotations.NullMarked;
