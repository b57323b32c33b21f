/** The commands that simulate and compare schedulers, and their options. */
@NullMarked
package org.trainyard.experiments.cli.simulate;

import org.jspecify.annotations.NullMarked;
