/** Models of the slowdown that one neighbour causes one job. */
@NullMarked
package org.trainyard.interference.model;

import org.jspecify.annotations.NullMarked;
