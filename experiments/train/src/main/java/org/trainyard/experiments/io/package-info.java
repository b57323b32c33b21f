/** Files and text: atomic writes, the run directory, input files, JSON, text tables, durations, progress, hashes. */
@NullMarked
package org.trainyard.experiments.io;

import org.jspecify.annotations.NullMarked;
