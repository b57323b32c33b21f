/** Strict YAML: reading, binding to records, writing. */
@NullMarked
package org.trainyard.experiments.config.yaml;

import org.jspecify.annotations.NullMarked;
