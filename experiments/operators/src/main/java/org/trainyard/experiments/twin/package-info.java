/** The twin of a real cluster: its Slurm, replayed from its configuration, its accounting and its controller's log. */
@NullMarked
package org.trainyard.experiments.twin;

import org.jspecify.annotations.NullMarked;
