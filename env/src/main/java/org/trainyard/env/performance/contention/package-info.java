/** How rings that meet on a network link share its bandwidth. */
@NullMarked
package org.trainyard.env.performance.contention;

import org.jspecify.annotations.NullMarked;
