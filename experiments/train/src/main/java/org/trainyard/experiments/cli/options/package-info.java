/** Options that several commands share. */
@NullMarked
package org.trainyard.experiments.cli.options;

import org.jspecify.annotations.NullMarked;
