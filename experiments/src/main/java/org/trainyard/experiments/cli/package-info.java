/** The subcommands: what they are given, what they print, and how they end. */
@NullMarked
package org.trainyard.experiments.cli;

import org.jspecify.annotations.NullMarked;
