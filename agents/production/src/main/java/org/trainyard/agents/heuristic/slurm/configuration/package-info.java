/**
 * What the files of a cluster with Slurm say: slurm.conf, gres.conf, QOS and associations, and what these have
 * used.
 */
@NullMarked
package org.trainyard.agents.heuristic.slurm.configuration;

import org.jspecify.annotations.NullMarked;
