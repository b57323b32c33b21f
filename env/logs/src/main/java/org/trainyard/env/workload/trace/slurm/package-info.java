/** Slurm's accounting and queue in all the shapes in which it prints them. */
@NullMarked
package org.trainyard.env.workload.trace.slurm;

import org.jspecify.annotations.NullMarked;
