/**
 * Configurations of experiments as records, read strictly from YAML; an error names the file, line, key and expected
 * value.
 */
@NullMarked
package org.trainyard.experiments.config;

import org.jspecify.annotations.NullMarked;
