/** Regression forests. */
@NullMarked
package org.trainyard.interference.forest;

import org.jspecify.annotations.NullMarked;
