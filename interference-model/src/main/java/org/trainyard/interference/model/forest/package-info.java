/** A random forest over pairs of jobs. */
@NullMarked
package org.trainyard.interference.model.forest;

import org.jspecify.annotations.NullMarked;
