/** Commands that fit a predictor or make a table of measurements. */
@NullMarked
package org.trainyard.experiments.cli.fit;

import org.jspecify.annotations.NullMarked;
