/** A live Slurm that is driven by its commands. */
@NullMarked
package org.trainyard.experiments.drive.slurm;

import org.jspecify.annotations.NullMarked;
