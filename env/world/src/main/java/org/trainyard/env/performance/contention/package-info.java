/** Network contention: the bandwidth of rings that share links. */
@NullMarked
package org.trainyard.env.performance.contention;

import org.jspecify.annotations.NullMarked;
