/** Forests that predict run times, their features, fits, files and errors. */
@NullMarked
package org.trainyard.interference.runtimes;

import org.jspecify.annotations.NullMarked;
