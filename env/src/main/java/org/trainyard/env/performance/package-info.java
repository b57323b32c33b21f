/** How fast a placed job runs: compute, ring all-reduce over the placement, slowdown by co-located jobs. */
@NullMarked
package org.trainyard.env.performance;

import org.jspecify.annotations.NullMarked;
