/** The command {@code sweep}. */
@NullMarked
package org.trainyard.experiments.cli.sweep;

import org.jspecify.annotations.NullMarked;
