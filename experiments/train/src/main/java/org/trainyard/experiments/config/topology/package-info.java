/**
 * Names and descriptions of clusters: presets, shorthands, topology files in YAML, and published tables of machines.
 */
@NullMarked
package org.trainyard.experiments.config.topology;

import org.jspecify.annotations.NullMarked;
