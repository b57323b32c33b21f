/** Lower bounds and estimates of what any schedule can reach. */
@NullMarked
package org.trainyard.env.performance.bounds;

import org.jspecify.annotations.NullMarked;
