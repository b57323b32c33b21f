/** Strict YAML: nodes with positions, binding to records, overrides, and writing. */
@NullMarked
package org.trainyard.experiments.config.yaml;

import org.jspecify.annotations.NullMarked;
