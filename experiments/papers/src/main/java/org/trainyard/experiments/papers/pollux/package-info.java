/** The artifact of the Pollux paper: its physics, its three schedulers, and a learned one beside them. */
@NullMarked
package org.trainyard.experiments.papers.pollux;

import org.jspecify.annotations.NullMarked;
