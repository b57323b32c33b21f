/** The commands and their options. */
@NullMarked
package org.trainyard.experiments.cli;

import org.jspecify.annotations.NullMarked;
