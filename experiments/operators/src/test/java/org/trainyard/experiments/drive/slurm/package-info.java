@NullMarked
package org.trainyard.experiments.drive.slurm;

import org.jspecify.annotations.NullMarked;
