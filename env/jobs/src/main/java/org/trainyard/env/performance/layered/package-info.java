/** Rings whose layers overlap, with the cost of each step of a ring, and whole iterations. */
@NullMarked
package org.trainyard.env.performance.layered;

import org.jspecify.annotations.NullMarked;
