/** Topology files and tables of machines. */
@NullMarked
package org.trainyard.experiments.config.topology;

import org.jspecify.annotations.NullMarked;
