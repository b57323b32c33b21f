/** Experiments and topologies as YAML: typed, strict, with the line of whatever is wrong. */
@NullMarked
package org.trainyard.experiments.config;

import org.jspecify.annotations.NullMarked;
