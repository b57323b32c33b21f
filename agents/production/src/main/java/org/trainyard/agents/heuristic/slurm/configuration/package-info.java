/** Files of a cluster with Slurm: slurm.conf, gres.conf, QOS and associations, and their past use. */
@NullMarked
package org.trainyard.agents.heuristic.slurm.configuration;

import org.jspecify.annotations.NullMarked;
