/** Atomic files, the run directory, text tables, progress. */
@NullMarked
package org.trainyard.experiments.io;

import org.jspecify.annotations.NullMarked;
