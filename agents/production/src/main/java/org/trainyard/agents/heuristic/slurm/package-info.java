/**
 * The scheduler of Slurm 22.05 as rules over a state: configuration, queue, main loop, backfill, choice of nodes and
 * GPUs, preemption by QOS, and multifactor priority with fair tree. Times are whole seconds since 1970 as Slurm's own
 * are, unless a name says otherwise.
 */
@NullMarked
package org.trainyard.agents.heuristic.slurm;

import org.jspecify.annotations.NullMarked;
