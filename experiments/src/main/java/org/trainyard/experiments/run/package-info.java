/** The folder of a run, files that are whole or absent, and progress of long work. */
@NullMarked
package org.trainyard.experiments.run;

import org.jspecify.annotations.NullMarked;
