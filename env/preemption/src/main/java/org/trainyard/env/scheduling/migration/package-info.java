/** Moves: which running jobs restart where they run faster. */
@NullMarked
package org.trainyard.env.scheduling.migration;

import org.jspecify.annotations.NullMarked;
